"""The list of exercises. To add one, add an entry here, then run `make notebooks`.

In an entry's code the student's part stands between « and »; the lesson's cell, the folded solution, the teacher's
version and the tests all come from it. Which of the known mistakes can happen is a choice from mistakes.py.
"""

from __future__ import annotations

import torch

from ..sentence import VOCABULARY, tokenize
from . import cases
from . import mistakes as m
from .exercise import Case, Exercise, Function, Value, sizes
from .layer import as_function


def _one_hot(tokens: tuple[str, ...]) -> torch.Tensor:
    return torch.eye(len(VOCABULARY))[[list(VOCABULARY).index(token) for token in tokens]]


def _scores(steps, Q, K):
    return steps.scale(steps.dot(Q, K), sizes(Q))


def _weights(steps, Q, K):
    return steps.weigh(_scores(steps, Q, K))


def _attention(steps, Q, K, V, **others):
    M = steps.dot(Q, K)
    S = steps.scale(M, sizes(Q, d_v=V.shape[-1], **others))
    A = steps.weigh(S)
    return steps.fuse(A, V, K), steps.return_second(A, S, M)


def _project_all(steps, X, W_Q, W_K, W_V):
    return tuple(steps.project(X, W) for W in steps.choose(W_Q, W_K, W_V))


def _self_attention(steps, X, W_Q, W_K, W_V):
    return _attention(steps, *_project_all(steps, X, W_Q, W_K, W_V), D=X.shape[-1])


_LAYER = ("X", "W_Q", "W_K", "W_V")
_EMBEDDING = torch.tensor(list(VOCABULARY.values()), dtype=torch.float32)
_SENTENCES = tuple(tokenize(text) for text in ("我喜欢打篮球", "打电话", "我喜欢篮球喜欢我"))

EXERCISES: tuple[Exercise, ...] = (
    Exercise(
        id="1.1",
        title="查表就是一次矩阵乘法",
        kind="补一行",
        minutes=3,
        difficulty=1,
        task="`onehot` 的每一行是一个词元的独热向量，`E` 的每一行是词表里一个词的向量。"
        "用一次矩阵乘法取出每个词元的向量。形状：`onehot` 是 (L, 词数)，`E` 是 (词数, D)，结果 X 是 (L, D)。",
        code="def my_lookup(onehot, E):\n    return «onehot @ E»",
        hints=(
            "独热向量只有一个 1。用它去乘 E，会挑出 E 的哪一行？",
            "矩阵相乘时里面的两个尺寸要相等：(L, 词数) 和 (词数, D)，谁在左？",
            "矩阵乘法写作 `@`：`onehot @ …`。",
        ),
        asks=Function(
            cases=tuple(
                Case({"onehot": _one_hot(tokens), "E": _EMBEDDING}, tokens=tokens) for tokens in _SENTENCES
            ),
            outputs=("X",),
            answer=lambda steps, onehot, E: steps.look_up(onehot, E),
            mistakes=m.LOOK_UP,
        ),
    ),
    Exercise(
        id="1.2",
        title="自己摞一个 X",
        kind="写一个函数",
        minutes=5,
        difficulty=2,
        task="`tokens` 是一句话的词元，`vocabulary` 是词表：词 → 一组数。按句子的顺序把词向量一行一行摞成 X，"
        "形状 (L, D)，类型是浮点数。不用管词表里没有的词。",
        code="def my_X(tokens, vocabulary):\n"
        "    «rows = [vocabulary[token] for token in tokens]\n"
        "    return torch.tensor(rows, dtype=torch.float32)»",
        hints=(
            "先想一个词元：`vocabulary[token]` 是什么？",
            "用列表推导，按 tokens 的顺序查出每个词元的那一组数。",
            "`torch.tensor(...)` 把一个“列表的列表”变成矩阵；别忘了 `dtype=torch.float32`。",
        ),
        asks=Function(
            cases=tuple(
                Case({"tokens": tokens, "vocabulary": VOCABULARY}, tokens=tokens) for tokens in _SENTENCES
            ),
            outputs=("X",),
            answer=lambda steps, tokens, vocabulary: steps.stack(tokens, vocabulary),
            mistakes=m.STACK,
        ),
    ),
    Exercise(
        id="1.3",
        title="X 有多大",
        kind="心算",
        minutes=1,
        difficulty=1,
        task="一句话有 6 个词元，每个词向量 512 维。X 的形状是什么？写成 (行数, 列数)。",
        code="my_shape = «(6, 512)»",
        hints=("一个词元占一行还是一列？", "行数是词元个数 L，列数是词向量的维数 D。"),
        asks=Value(
            right=(6, 512),
            wrong={
                (512, 6): "行和列反了：这门课里每个词元占一行，所以行数是词元个数。",
                (6, 6): "(L, L) 是得分表的形状，X 的列数是词向量的维数。",
                (1, 512): "这只是一个词元。六个词元要摞成六行。",
                3072: "这是 X 里一共有多少个数；题目问的是形状，写成 (行数, 列数)。",
            },
            otherwise="数一数：一个词元占一行，一共有几行？每一行有几个数？",
        ),
    ),
    Exercise(
        id="2.1",
        title="所有词元一次投影",
        kind="补一行",
        minutes=3,
        difficulty=1,
        task="用一次矩阵乘法算出每个词元的查询。形状：`X` 是 (L, D)，`W_Q` 是 (D, d_k)，结果 Q 是 (L, d_k)。",
        code="def my_project(X, W_Q):\n    return «X @ W_Q»",
        hints=(
            "一个词元的查询是 x_i W_Q。把每个 x_i 摞成行，就是 X。",
            "里面的两个尺寸要相等：(L, D) 和 (D, d_k)，谁在左？",
            "`X @ …`",
        ),
        asks=Function(
            cases=cases.plain("X", "W_Q"),
            outputs=("Q",),
            answer=lambda steps, X, W_Q: steps.project(X, W_Q),
            mistakes=m.PROJECT,
        ),
    ),
    Exercise(
        id="2.2",
        title="nn.Linear 里的那个转置",
        kind="补一行",
        minutes=3,
        difficulty=1,
        task="`weight` 就是 `nn.Linear(D, d_k, bias=False).weight`，形状是 (d_k, D)。"
        "不调用 nn.Linear，自己写出它对 `X` 做的事。结果是 (L, d_k)。",
        code="def my_linear(X, weight):\n    return «X @ weight.T»",
        hints=(
            "把 weight 的形状写在 X 的形状旁边，直接相乘行不行？",
            "nn.Linear 存的是公式里 W 的转置。再转置一次就回到 W。",
            "`X @ weight.…`",
        ),
        asks=Function(
            cases=tuple(
                Case({"X": case.inputs["X"], "weight": case.inputs["W_Q"].T.clone()}, tokens=case.tokens)
                for case in cases.plain("X", "W_Q")
            ),
            outputs=("Q",),
            answer=lambda steps, X, weight: steps.project(X, weight.mT),
            mistakes=(m.WEIGHT_NOT_TRANSPOSED, *m.PROJECT),
        ),
    ),
    Exercise(
        id="2.3",
        title="三份投影",
        kind="写一个函数",
        minutes=5,
        difficulty=2,
        task="同一个 `X`，三个矩阵，三个身份。依次返回 Q、K、V，形状 (L, d_k)、(L, d_k)、(L, d_v)。",
        code="def my_qkv(X, W_Q, W_K, W_V):\n    «Q = X @ W_Q\n    K = X @ W_K\n    V = X @ W_V\n    return Q, K, V»",
        hints=(
            "三行几乎一样，只换一个矩阵。",
            "Q 用 W_Q，K 用 W_K，V 用 W_V，左边都是 X。",
            "最后一行是 `return Q, K, V`，顺序不能换。",
        ),
        asks=Function(
            cases=cases.plain("X", "W_Q", "W_K", "W_V"),
            outputs=("Q", "K", "V"),
            answer=_project_all,
            mistakes=(*m.PROJECT, *m.CHOOSE),
        ),
    ),
    Exercise(
        id="2.4",
        title="一共多少个参数",
        kind="心算",
        minutes=2,
        difficulty=1,
        task="D = 512，d_k = 64，d_v = 32。W_Q、W_K、W_V 一共有多少个数？可以让 Python 替你算。",
        code="my_count = «512 * 64 + 512 * 64 + 512 * 32»",
        hints=("一个 (行数, 列数) 的矩阵有 行数 × 列数 个数。", "W_Q 和 W_K 是 (D, d_k)，W_V 是 (D, d_v)。"),
        asks=Value(
            right=81920,
            wrong={
                98304: "W_V 的列数是 d_v = 32，不是 d_k = 64。",
                65536: "少了 W_V。",
                49152: "W_Q 和 W_K 是两个矩阵，要各算一次。",
                32768: "这只是一个 W_Q，还有 W_K 和 W_V。",
                82080: "这里的投影没有偏置（bias=False），公式里只有矩阵。",
                160: "这是三个矩阵的列数之和；每一列还有 D = 512 个数。",
            },
            otherwise="三个矩阵各有 行数 × 列数 个数，分别算出来再相加。",
        ),
    ),
    Exercise(
        id="3.1",
        title="所有点积",
        kind="补一行",
        minutes=3,
        difficulty=1,
        task="用一次矩阵乘法算出每个查询和每个键的点积 QKᵀ（先不缩放）。形状：`Q`、`K` 都是 (L, d_k)，结果是 (L, L)，"
        "行是查询（谁在看），列是键（看谁）。",
        code="def my_dots(Q, K):\n    return «Q @ K.T»",
        hints=(
            "第 (i, j) 格是 Q 的第 i 行和 K 的第 j 行的点积。",
            "矩阵乘法是“左边的行”乘“右边的列”，所以要让每个键站成一列。",
            "转置写作 `K.T`。",
        ),
        asks=Function(
            cases=cases.plain("Q", "K"),
            outputs=("QKᵀ",),
            answer=lambda steps, Q, K: steps.dot(Q, K),
            mistakes=(*m.DOT, m.SCALED_TOO_EARLY),
        ),
    ),
    Exercise(
        id="3.2",
        title="按行 softmax",
        kind="写一个函数",
        minutes=5,
        difficulty=2,
        task="把得分 `S` 变成权重 A：每一行的和是 1。用 torch.softmax，或者自己从 exp 写起（得分可能很大，小心溢出）。"
        "`S` 和 A 都是 (L, L)。",
        code="def my_softmax(S):\n    return «torch.softmax(S, dim=-1)»",
        hints=(
            "行是“谁在看”。一个词元的注意力总量是 1，所以哪个方向的和是 1？",
            "`dim` 说的是沿着哪一维求和：最后一维（列号 j）是 -1。",
            "自己写的话：先减去每行的最大值 `S.max(dim=-1, keepdim=True).values`，再 exp，再除以每行的和。",
        ),
        asks=Function(
            cases=(*cases.plain("S"), cases.large("S")),
            outputs=("A",),
            answer=lambda steps, S: steps.weigh(S),
            mistakes=(*m.WEIGH, m.SCORES_TRANSPOSED),
        ),
    ),
    Exercise(
        id="3.3",
        title="读热力图",
        kind="读图",
        minutes=2,
        difficulty=1,
        task='看“我喜欢打篮球”的权重热力图：“我”最看重哪个词元？写成字符串，例如 `"我"`。',
        code='my_token = «"打"»',
        hints=("行是“谁在看”，列是“看谁”。", "找到“我”的那一行，横着看最大的数在哪一列。"),
        asks=Value(
            right="打",
            wrong={
                "喜欢": "你读的是“我”那一列：最看重“我”的是“喜欢”。题目问“我”看谁，要横着读“我”那一行。",
                "我": "一个词元不一定最看重自己。横着读“我”那一行，最大的数不在对角线上。",
                "篮球": "最看重“篮球”的是“打”。请横着读“我”那一行。",
            },
            otherwise="横着读“我”那一行，找到最大的数，它所在的列就是答案：一定是这句话里的一个词元。",
        ),
    ),
    Exercise(
        id="4.1",
        title="除以什么",
        kind="补一行",
        minutes=4,
        difficulty=1,
        task="写出缩放后的得分 S = QKᵀ / √d_k。d_k 要从 `Q` 的形状里取，不要写死。`Q`、`K` 是 (L, d_k)，S 是 (L, L)。",
        code="def my_scores(Q, K):\n    return «Q @ K.T / Q.shape[-1] ** 0.5»",
        hints=(
            "上一课的 QKᵀ 再除以一个数。",
            "d_k 是 Q 的列数：`Q.shape[-1]`。",
            "开平方可以写成 `** 0.5`，也可以用 `math.sqrt`。",
        ),
        asks=Function(
            cases=cases.plain("Q", "K"),
            outputs=("S",),
            answer=_scores,
            mistakes=(*m.DOT, *m.SCALE, *m.POWER_BEFORE_DIVISION),
        ),
    ),
    Exercise(
        id="4.2",
        title="从 Q、K 到权重",
        kind="写一个函数",
        minutes=6,
        difficulty=2,
        task="把点积、缩放、softmax 三步连起来，返回权重 A。`Q`、`K` 是 (L, d_k)，A 是 (L, L)，每一行的和是 1。",
        code="def my_weights(Q, K):\n    «S = Q @ K.T / Q.shape[-1] ** 0.5\n    return torch.softmax(S, dim=-1)»",
        hints=(
            "三步：点积、缩放、softmax。每一步写一行，旁边写上形状。",
            "S 就是上一题的答案。",
            "最后一步是 `torch.softmax(S, dim=…)`，每一行的和是 1。",
        ),
        asks=Function(
            cases=(*cases.plain("Q", "K"), cases.large("Q", "K")),
            outputs=("A",),
            answer=_weights,
            mistakes=(*m.DOT, *m.SCALE, *m.POWER_BEFORE_DIVISION, *m.WEIGH),
        ),
    ),
    Exercise(
        id="4.3",
        title="softmax 的雅可比矩阵",
        kind="写一个函数",
        minutes=8,
        difficulty=3,
        task="`a` 是一行权重，形状 (L,)。返回 J = diag(a) − a aᵀ，形状 (L, L)：第 (i, j) 格是“得分 j 加一点，权重 i 变多少”。",
        code="def my_jacobian(a):\n    return «torch.diag(a) - torch.outer(a, a)»",
        hints=(
            "先写对角线：`torch.diag(a)` 是一个 L×L 的矩阵。",
            "a aᵀ 是一列乘一行：第 (i, j) 格是 a_i a_j。",
            "外积写作 `torch.outer(a, a)`。",
        ),
        asks=Function(
            cases=tuple(Case({"a": case.inputs["A"][0]}) for case in cases.plain("A")),
            outputs=("J",),
            answer=lambda steps, a: steps.jacobian(a),
            mistakes=m.JACOBIAN,
        ),
    ),
    Exercise(
        id="4.4",
        title="点积有多散",
        kind="心算",
        minutes=2,
        difficulty=1,
        task="q 和 k 的每个分量都独立地取自标准正态分布，d_k = 256。q·k 的标准差是多少？",
        code="my_std = «16»",
        hints=("方差可以相加：每一项 q_c k_c 的方差是 1，一共 256 项。", "标准差是方差的平方根。"),
        asks=Value(
            right=16,
            wrong={
                256: "256 是方差。标准差是方差的平方根，这正是除数是 √d_k 而不是 d_k 的原因。",
                1: "1 是每一项 q_c k_c 的标准差；256 项加起来，方差变成 256。",
                0: "0 是均值。问的是围着 0 散开多远。",
                8: "8 是 √64。d_k = 256。",
            },
            otherwise="先把 256 项的方差加起来，再开平方。",
        ),
    ),
    Exercise(
        id="5.1",
        title="一个词元的融合",
        kind="写一个函数",
        minutes=4,
        difficulty=1,
        task="算出第 `i` 个词元的 b_i = Σ_j a_ij v_j。用循环或一次乘法都行。`A` 是 (L, L)，`V` 是 (L, d_v)，b_i 是 (d_v,)。",
        code="def my_fuse_one(A, V, i):\n    return «A[i] @ V»",
        hints=(
            "先写一项：词元 i 给词元 j 的权重是 `A[i, j]`，词元 j 的值是 `V[j]`。",
            "对每个 j，把 `A[i, j] * V[j]` 加起来。",
            "不用循环的写法：A 的第 i 行乘 V。",
        ),
        asks=Function(
            cases=tuple(
                Case({**case.inputs, "i": i}, tokens=case.tokens)
                for case, i in zip(cases.plain("A", "V"), (2, 0, 3), strict=True)
            ),
            outputs=("b_i",),
            answer=lambda steps, A, V, i: steps.fuse_one(A, V, i),
            mistakes=m.FUSE_ONE,
        ),
    ),
    Exercise(
        id="5.2",
        title="所有词元一起融合",
        kind="补一行",
        minutes=2,
        difficulty=1,
        task="用一次矩阵乘法算出 B，第 i 行是 b_i。`A` 是 (L, L)，`V` 是 (L, d_v)，B 是 (L, d_v)。",
        code="def my_fuse(A, V):\n    return «A @ V»",
        hints=("b_i 是 A 的第 i 行乘 V。把所有的行摞起来……", "权重在左，值在右。"),
        asks=Function(
            cases=cases.plain("A", "V"),
            outputs=("B",),
            answer=lambda steps, A, V: steps.fuse(A, V, None),
            mistakes=m.FUSE,
        ),
    ),
    Exercise(
        id="5.3",
        title="从得分到 B",
        kind="写一个函数",
        minutes=5,
        difficulty=2,
        task="`S` 是缩放过的得分 (L, L)，`V` 是 (L, d_v)。先变成权重，再融合，返回 B。想一想：这两步能不能换顺序？",
        code="def my_B(S, V):\n    «A = torch.softmax(S, dim=-1)\n    return A @ V»",
        hints=(
            "两步：得分 → 权重，权重 → B。",
            "权重的每一行的和是 1；只有变成权重之后，“按份加起来”才有意义。",
            "第一步 `torch.softmax(S, dim=-1)`，第二步 `A @ V`。",
        ),
        asks=Function(
            cases=(*cases.plain("S", "V"), cases.large("S", "V")),
            outputs=("B",),
            answer=lambda steps, S, V: steps.fuse(steps.weigh(S), V, None),
            mistakes=(*m.WEIGH, m.V_BEFORE_SOFTMAX, *m.FUSE),
        ),
    ),
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
            answer=_attention,
            mistakes=(
                *m.DOT_IN_BATCH,
                *m.SCALE,
                *m.POWER_BEFORE_DIVISION,
                m.ROOT_OF_D_V,
                *m.WEIGH,
                m.V_BEFORE_SOFTMAX,
                m.FUSED_WITH_K,
                *m.FUSE,
                *m.RETURN_SECOND,
            ),
            batch_mistakes=m.BATCH,
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
            answer=_self_attention,
            mistakes=(
                m.WEIGHT_NOT_TRANSPOSED,
                m.K_FOR_V,
                m.V_AND_K_MIXED,
                *m.DOT_IN_BATCH,
                m.ROOT_OF_D,
                *m.SCALE,
                *m.POWER_BEFORE_DIVISION,
                m.ROOT_OF_D_V,
                *m.WEIGH,
                m.V_BEFORE_SOFTMAX,
                *m.FUSE,
                *m.RETURN_SECOND,
            ),
            batch_mistakes=m.BATCH,
            adapt=as_function,
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
                1: "A 的大小只和 L 有关，L 变了它就变。",
                8: "8 是三次方。A 只有两个方向随 L 变长。",
            },
            otherwise="A 有 L 行、L 列。L 变成 2L 以后，一共有多少格？是原来的几倍？",
        ),
    ),
)


def find(id: str) -> Exercise:
    """The exercise called id, e.g. "3.2". Raises ValueError, in Chinese, when there is none."""
    for exercise in EXERCISES:
        if exercise.id == id:
            return exercise
    raise ValueError(f"没有编号为 {id!r} 的练习。有这些：{'、'.join(e.id for e in EXERCISES)}")


def of_lesson(lesson: str) -> tuple[Exercise, ...]:
    """The exercises of a lesson such as "03"."""
    return tuple(exercise for exercise in EXERCISES if exercise.lesson == lesson)
