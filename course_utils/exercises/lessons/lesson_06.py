"""The exercises and the quiz of lesson 06: the module."""

from __future__ import annotations

from ...mistakes.batch import BATCH
from ...mistakes.dot import DOT_IN_BATCH
from ...mistakes.fuse import FUSE, FUSED_WITH_K, V_BEFORE_SOFTMAX
from ...mistakes.project import K_FOR_V, V_AND_K_MIXED, WEIGHT_NOT_TRANSPOSED
from ...mistakes.return_second import RETURN_SECOND
from ...mistakes.scale import ROOT_OF_D, ROOT_OF_D_V, SCALE
from ...mistakes.weigh import UNIFORM, WEIGH
from .. import cases
from ..exercise import Exercise, Function, Value
from ..layer_as_function import as_function
from ..question import question
from . import chains

_LAYER = ("X", "W_Q", "W_K", "W_V")

EXERCISES = (
    Exercise(
        id="6.1",
        title="整个 attention",
        kind="从零写",
        minutes=10,
        difficulty=2,
        task="写出整个注意力，依次返回 B 和 A。`Q`、`K` 是 (…, L, d_k)，`V` 是 (…, L, d_v)：前面可以有批次这一维，"
        "所以转置用 `.mT`，softmax 用 `dim=-1`。",
        code="def my_attention(Q, K, V):\n"
        "    «S = Q @ K.mT / Q.shape[-1] ** 0.5\n"
        "    A = torch.softmax(S, dim=-1)\n"
        "    return A @ V, A»",
        hints=(
            "四步：点积、缩放、softmax、融合。每步一行，旁边写上形状。",
            "`.mT` 只转置最后两维，二维、三维都能用；`.T` 会把三维全部颠倒。",
            "S = QKᵀ / √d_k，A = softmax(S)，B = A V，最后 `return B, A`。",
        ),
        asks=Function(
            cases=(*cases.plain("Q", "K", "V"), cases.batch("Q", "K", "V"), cases.large("Q", "K", "V")),
            outputs=("B", "A"),
            answer=chains.attention,
            mistakes=(
                *DOT_IN_BATCH,
                *SCALE,
                ROOT_OF_D_V,
                *WEIGH,
                UNIFORM,
                V_BEFORE_SOFTMAX,
                FUSED_WITH_K,
                *FUSE,
                *RETURN_SECOND,
            ),
            batch_mistakes=BATCH,
            weights_from=("Q", "K"),
            gradients_to=("Q", "K", "V"),
        ),
    ),
    Exercise(
        id="6.2",
        title="SelfAttention，一行也不给",
        kind="从零写",
        minutes=15,
        difficulty=3,
        task="写出整个模块。`__init__` 里放三个不带偏置的 nn.Linear，名字是 `self.W_Q`、`self.W_K`、`self.W_V`；"
        "`forward` 收 `X` (…, L, d_model)，返回 output (…, L, d_v) 和 weights (…, L, L)。",
        code="class MySelfAttention(nn.Module):\n"
        "    def __init__(self, d_model, d_k, d_v):\n"
        "        super().__init__()\n"
        "        self.W_Q = «nn.Linear(d_model, d_k, bias=False)»\n"
        "        self.W_K = «nn.Linear(d_model, d_k, bias=False)»\n"
        "        self.W_V = «nn.Linear(d_model, d_v, bias=False)»\n"
        "\n"
        "    def forward(self, X):\n"
        "        «Q, K, V = self.W_Q(X), self.W_K(X), self.W_V(X)\n"
        "        S = Q @ K.mT / Q.shape[-1] ** 0.5\n"
        "        weights = torch.softmax(S, dim=-1)\n"
        "        return weights @ V, weights»",
        hints=(
            "`nn.Linear(进, 出, bias=False)`：三个都从 d_model 进来。",
            "`self.W_Q(X)` 就是 X W_Q，转置它替你做了。",
            "有了 Q、K、V，剩下的和上一题一样。",
        ),
        asks=Function(
            cases=(*cases.plain(*_LAYER), cases.batch(*_LAYER), cases.large(*_LAYER)),
            outputs=("B", "A"),
            answer=chains.self_attention,
            mistakes=(
                WEIGHT_NOT_TRANSPOSED,
                K_FOR_V,
                V_AND_K_MIXED,
                *DOT_IN_BATCH,
                ROOT_OF_D,
                *SCALE,
                ROOT_OF_D_V,
                *WEIGH,
                UNIFORM,
                V_BEFORE_SOFTMAX,
                *FUSE,
                *RETURN_SECOND,
            ),
            batch_mistakes=BATCH,
            adapt=as_function,
            weights_from=("W_Q", "W_K"),
            gradients_to=("W_Q", "W_K", "W_V", "X"),
        ),
    ),
    Exercise(
        id="6.3",
        title="句子长一倍",
        kind="心算",
        minutes=2,
        difficulty=1,
        task="词元个数 L 变成原来的 2 倍，其他不变。权重矩阵 A 占的内存变成原来的几倍？",
        code="my_factor = «4»",
        hints=("A 的形状是什么？", "(2L) × (2L) 里有多少个数？"),
        asks=Value(
            right=4,
            wrong={
                2: "X、Q、K、V 变成 2 倍，但 A 是 L×L，行和列都变长了。",
                1: "A 的形状只和 L 有关，L 变了它就变。",
                8: "8 是三次方。A 只有两个方向随 L 变长。",
            },
            otherwise="A 有 L 行、L 列。L 变成 2L 以后，一共有多少格？是原来的几倍？",
        ),
    ),
)

QUESTIONS = (
    question(
        "SelfAttention 里，哪些东西是学出来的？",
        ("W_Q、W_K、W_V", True, "对。别的都是从它们和 X 算出来的。"),
        ("Q、K、V", False, "它们每句话都不同，是 X 乘三个矩阵算出来的。"),
        ("权重矩阵 A", False, "A 是 softmax 的结果，每句话都不同。学的是怎么算出它。"),
    ),
    question(
        "一批 N 个句子是三维的 (N, L, dₖ)。转置 K 该怎么写？",
        ("K.mT", True, "对。只换最后两维，批次留在原地。"),
        ("K.T", False, "对三维张量，.T 把三个轴全部颠倒，批次跑到了最后。"),
        ("K.reshape(N, dₖ, L)", False, "形状对了，数却乱了：reshape 只是按顺序重新断行，不是转置。"),
    ),
    question(
        "词元个数 L 加倍，算 Q Kᵀ 的乘法次数怎样？",
        ("变成 4 倍", True, "对。L×L 个格子，每格 dₖ 次乘法。"),
        ("变成 2 倍", False, "2 倍的是投影 X W_Q。得分表的行和列都加倍了。"),
        ("变成 8 倍", False, "每格的点积长度是 dₖ，和 L 无关，所以是平方，不是立方。"),
    ),
    question(
        "把句子里的词元打乱次序，再送进 SelfAttention，输出怎样？",
        ("同样的行，跟着打乱", True, "对。这里没有掩码，也没有位置信息，所以分不出次序。"),
        ("完全不变", False, "每一行的内容不变，但行的次序跟着变了。"),
        ("每一行的内容都变了", False, "加权融合与次序无关：看到的是同一群词元，结果也一样。"),
    ),
)
