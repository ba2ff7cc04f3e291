"""Every mistake the course can name, in one place: what was done instead, and what the student reads.

Each group follows one step. Within a group, and from group to group, the more basic mistake comes first, since
of two mistakes the first is named. Mistakes of form (no return, wrong type, changed input …) stand at the end.
"""

from __future__ import annotations

from dataclasses import replace

import torch

from .exercise import Mistake


def _same(M):
    return M


def _divided(E, keepdim):
    return E / E.sum(-1, keepdim=keepdim)


# 查表与摞成 X
LOOK_UP = (
    Mistake(
        "embedding_first",
        "乘的顺序反了：独热向量在左，嵌入矩阵在右，(L, 词数) @ (词数, D) 才能取出每个词元的那一行。",
        {"look_up": lambda onehot, E: E @ onehot},
    ),
    Mistake(
        "embedding_transposed",
        "嵌入矩阵多转置了一次。E 的一行已经是一个词的向量，不用转置。",
        {"look_up": lambda onehot, E: onehot @ E.mT},
    ),
    Mistake(
        "tokens_as_columns",
        "结果横竖颠倒了：这门课里每个词元占一行，不是一列。",
        {"look_up": lambda onehot, E: (onehot @ E).mT},
    ),
    Mistake(
        "summed_tokens",
        "所有词元的向量被加成了一行，分不出谁是谁了。每个词元要保留自己的一行。",
        {"look_up": lambda onehot, E: onehot.sum(0) @ E},
    ),
)
STACK = (
    Mistake(
        "tokens_as_columns",
        "结果横竖颠倒了：这门课里每个词元占一行，不是一列。",
        {"stack": lambda tokens, vocabulary: torch.tensor([vocabulary[t] for t in tokens]).float().T},
    ),
    Mistake(
        "summed_tokens",
        "所有词元的向量被加成了一行，分不出谁是谁了。每个词元要保留自己的一行。",
        {"stack": lambda tokens, vocabulary: torch.tensor([vocabulary[t] for t in tokens]).float().sum(0)},
    ),
    Mistake(
        "whole_vocabulary",
        "你摞的是整个词表，不是这句话。请按 tokens 的顺序一个一个去查。",
        {"stack": lambda tokens, vocabulary: torch.tensor(list(vocabulary.values())).float()},
    ),
    Mistake(
        "sorted_tokens",
        "词元的顺序变了（是不是用了 set 或 sorted？）。X 的第 i 行必须是句子里的第 i 个词元。",
        {"stack": lambda tokens, vocabulary: torch.tensor([vocabulary[t] for t in sorted(tokens)]).float()},
    ),
    Mistake(
        "unique_tokens",
        "重复出现的词元被合并了。句子里出现几次，X 里就有几行。",
        {
            "stack": lambda tokens, vocabulary: torch.tensor(
                [vocabulary[t] for t in dict.fromkeys(tokens)]
            ).float()
        },
    ),
)

# 投影
WEIGHT_NOT_TRANSPOSED = Mistake(
    "weight_not_transposed",
    "nn.Linear 的 weight 存的是 Wᵀ，形状是 (d_k, D)。要乘 weight.T，X 的列数 D 才对得上它的行数。",
    {"project": lambda X, W: X @ W.mT},
)
PROJECT = (
    Mistake(
        "weights_first",
        "乘的顺序反了：词元是 X 的行，所以 X 在左、W 在右，Q = X W_Q。",
        {"project": lambda X, W: W @ X},
    ),
    Mistake(
        "tokens_as_columns",
        "结果横竖颠倒了：这门课里每个词元占一行，不是一列。",
        {"project": lambda X, W: W.mT @ X.mT},
    ),
)
K_FOR_V = Mistake(
    "k_used_for_v",
    "V 的位置上用的是 K（或者 W_K）。键只用来打分，被加起来的值要用 W_V 算。",
    {"choose": lambda W_Q, W_K, W_V: (W_Q, W_K, W_K)},
)
V_AND_K_MIXED = Mistake(
    "v_and_k_mixed",
    "W_V 和 W_K 弄混了：键 K 用 W_K 算，值 V 用 W_V 算。",
    {"choose": lambda W_Q, W_K, W_V: (W_Q, W_V, W_K)},
)
CHOOSE = (
    K_FOR_V,
    V_AND_K_MIXED,
    Mistake(
        "q_and_k_swapped",
        "Q 和 K 对调了：查询 Q 用 W_Q 算，键 K 用 W_K 算。",
        {"choose": lambda W_Q, W_K, W_V: (W_K, W_Q, W_V)},
    ),
    Mistake(
        "one_weight_for_q_and_k",
        "Q 和 K 用了同一个矩阵 W_Q：这样“我看你”和“你看我”就分不开了。K 要用 W_K。",
        {"choose": lambda W_Q, W_K, W_V: (W_Q, W_Q, W_V)},
    ),
)

# 点积
K_NOT_TRANSPOSED = Mistake(
    "k_not_transposed",
    "K 没有转置。Q 是 (L, d_k)，K 也是 (L, d_k)，左边的列数 d_k 对不上右边的行数 L；要让每个键站成一列，写成 K.T。",
    {"dot": lambda Q, K: Q @ K},
)
DOT = (
    K_NOT_TRANSPOSED,
    Mistake(
        "q_transposed_instead",
        "转置的是 Q，应当是 K。QᵀK 是 (d_k, d_k)，它比较的是通道，不是词元。",
        {"dot": lambda Q, K: Q.mT @ K},
    ),
    Mistake(
        "q_and_k_swapped",
        "Q 和 K 对调了，你算的是 K Qᵀ：行和列正好互换。行是查询（谁在看），所以 Q 在左边（也看看 W_Q、W_K 有没有用反）。",
        {"dot": lambda Q, K: K @ Q.mT},
    ),
    Mistake(
        "q_with_q",
        "你算的是 Q Qᵀ，K 没有用上（或者 K 也用了 W_Q）：这样的表永远对称。点积要在查询和键之间做。",
        {"dot": lambda Q, K: Q @ Q.mT},
    ),
    Mistake(
        "k_with_k",
        "你算的是 K Kᵀ，Q 没有用上（或者 Q 也用了 W_K）：这样的表永远对称。点积要在查询和键之间做。",
        {"dot": lambda Q, K: K @ K.mT},
    ),
)
# Where there may be a batch, .T is no longer right.
DOT_IN_BATCH = (
    replace(K_NOT_TRANSPOSED, message=K_NOT_TRANSPOSED.message.replace("K.T", "K.mT")),
    *DOT[1:],
)
SCALED_TOO_EARLY = Mistake(
    "scaled_too_early",
    "这一题只要点积 QKᵀ，还不用除以 √d_k。",
    {"dot": lambda Q, K: Q @ K.mT / Q.shape[-1] ** 0.5},
)

# 缩放
SCALE = (
    Mistake(
        "no_divisor",
        "忘了除以 √d_k。点积的标准差会随 d_k 长大，不除的话 softmax 容易饱和。",
        {"scale": lambda M, sizes: M},
    ),
    Mistake(
        "divided_by_d_k",
        "除数用成了 d_k，应当是它的平方根 √d_k：点积的标准差是 √d_k，除多了权重会变得太平。",
        {"scale": lambda M, sizes: M / sizes.d_k},
    ),
    Mistake(
        "multiplied",
        "你乘了 √d_k，应当是除以 √d_k：缩放是为了让得分变小，不是变大。",
        {"scale": lambda M, sizes: M * sizes.d_k**0.5},
    ),
    Mistake(
        "root_of_L",
        "开平方的是词元个数 L，应当是 d_k。d_k 是 Q 的列数：Q.shape[-1]，不是 Q.shape[0]，也不是 len(Q)。",
        {"scale": lambda M, sizes: M / sizes.L**0.5},
    ),
)
POWER_BEFORE_DIVISION = tuple(
    Mistake(
        "power_before_division",
        "Python 先算乘方，再算除法：d_k ** 1/2 是 (d_k ** 1) / 2，不是平方根。写成 d_k ** 0.5 或 d_k ** (1/2)。",
        {"scale": scale},
    )
    for scale in (lambda M, sizes: M / sizes.d_k / 2, lambda M, sizes: M / (sizes.d_k / 2))
)
ROOT_OF_D_V = Mistake(
    "root_of_d_v",
    "开平方的是 V 的列数 d_v，应当是 d_k：得分是查询和键的点积，和值的长度无关。",
    {"scale": lambda M, sizes: M / sizes.d_v**0.5},
)
ROOT_OF_D = Mistake(
    "root_of_D",
    "开平方的是词向量的维数 D，应当是 d_k：点积是在 Q、K 的 d_k 个通道上做的，不是在 X 上。",
    {"scale": lambda M, sizes: M / sizes.D**0.5},
)

# softmax
WEIGH = (
    Mistake(
        "no_softmax",
        "忘了 softmax：拿来当权重的还是得分，可以是负数，每行的和也不是 1。",
        {"weigh": _same},
    ),
    Mistake(
        "softmax_over_columns",
        "softmax 的轴错了：你让每一列的和为 1，应当是每一行。行是“谁在看”，它的注意力总量是 1；用 dim=-1。",
        {"weigh": lambda S: torch.softmax(S, dim=-2)},
    ),
    Mistake(
        "softmax_over_everything",
        "softmax 做在了整个矩阵上：所有格子加起来才是 1。应当每一行各做各的，用 dim=-1。",
        {"weigh": lambda S: torch.softmax(S.flatten(), dim=0).reshape(S.shape)},
    ),
    Mistake(
        "softmax_twice",
        "softmax 做了两次：权重又被当成得分归一化了一遍，差距几乎被抹平。做一次就够了。",
        {"weigh": lambda S: torch.softmax(torch.softmax(S, dim=-1), dim=-1)},
    ),
    Mistake(
        "not_normalised",
        "只取了指数，没有除以这一行的和，所以每行的权重加起来不是 1。",
        {"weigh": torch.exp},
    ),
    Mistake(
        "divided_without_exp",
        "只除以了这一行的和，没有先取指数 exp：负的得分会变成负的权重。",
        {"weigh": lambda S: S / S.sum(-1, keepdim=True)},
    ),
    *(
        Mistake(
            "no_keepdim",
            "少了 keepdim=True：沿 dim=-1 求和（或取最大值）得到 (L,)，广播把它当成一行，第 i 行的数就用到了第 i 列上。"
            "写成 .sum(-1, keepdim=True)，得到 (L, 1)，每一行才用自己的那个数。",
            {"weigh": weigh},
        )
        for weigh in (
            lambda S: _divided(S.exp(), keepdim=False),
            lambda S: _divided((S - S.amax(-1, keepdim=True)).exp(), keepdim=False),
            lambda S: _divided((S - S.amax(-1)).exp(), keepdim=True),
            lambda S: _divided((S - S.amax(-1)).exp(), keepdim=False),
        )
    ),
)

SCORES_TRANSPOSED = Mistake(
    "scores_transposed",
    "softmax 之前 S 被转置了：行和列对调，“谁在看”变成了“谁被看”。直接对 S 做，用 dim=-1。",
    {"weigh": lambda S: torch.softmax(S.mT, dim=-1)},
)

# 加权融合
FUSE_ONE = (
    Mistake(
        "column_of_A",
        "你取的是 A 的第 i 列，应当是第 i 行：行是“谁在看”，b_i 用的是词元 i 自己分出去的权重。",
        {"fuse_one": lambda A, V, i: A[:, i] @ V},
    ),
    Mistake(
        "own_value_only",
        "你只拿了 v_i 自己，没有看别的词元。b_i 是所有 v_j 按权重 a_ij 加起来。",
        {"fuse_one": lambda A, V, i: V[i]},
    ),
    Mistake(
        "own_term_only",
        "你只算了 j = i 的那一项。b_i 要把每个 j 的 a_ij · v_j 都加起来。",
        {"fuse_one": lambda A, V, i: A[i, i] * V[i]},
    ),
    Mistake(
        "unweighted_mean",
        "你算的是所有 v_j 的平均，权重没有用上。每个 v_j 要先乘上 a_ij。",
        {"fuse_one": lambda A, V, i: V.mean(0)},
    ),
    Mistake(
        "unweighted_sum",
        "v_j 直接相加了，权重没有用上。每个 v_j 要先乘上 a_ij。",
        {"fuse_one": lambda A, V, i: V.sum(0)},
    ),
    Mistake(
        "averaged_again",
        "加权之后又除以了 L。权重的和已经是 1，不用再平均。",
        {"fuse_one": lambda A, V, i: A[i] @ V / len(V)},
    ),
    Mistake(
        "all_tokens_at_once",
        "你算的是全部词元的 B，这一题只要第 i 个词元的 b_i，一个长度为 d_v 的向量。",
        {"fuse_one": lambda A, V, i: A @ V},
    ),
)
FUSE = (
    Mistake(
        "values_first",
        "乘的顺序反了：权重 A 在左，值 V 在右，(L, L) @ (L, d_v)。",
        {"fuse": lambda A, V, K: V @ A},
    ),
    Mistake(
        "A_transposed",
        "你算的是 AᵀV，A 多转置了一次：这样 b_i 用的是“谁看我”，应当是“我看谁”，也就是 A 的第 i 行。",
        {"fuse": lambda A, V, K: A.mT @ V},
    ),
    Mistake(
        "value_ignored",
        "V 原样返回了，权重没有用上。B 的每一行是 V 的各行按权重加起来。",
        {"fuse": lambda A, V, K: V},
    ),
    Mistake(
        "unweighted_mean",
        "每个词元得到的都是 V 的平均，权重没有用上。请用 A 的第 i 行给 V 的各行加权。",
        {"fuse": lambda A, V, K: V.mean(-2, keepdim=True).expand(*A.shape[:-1], V.shape[-1])},
    ),
)
V_BEFORE_SOFTMAX = Mistake(
    "v_before_softmax",
    "先乘了 V，再做 softmax，顺序反了。先把得分变成每行和为 1 的权重，再用权重去加 V。",
    {"weigh": _same, "fuse": lambda S, V, K: torch.softmax(S @ V, dim=-1)},
)
FUSED_WITH_K = Mistake(
    "k_used_for_v",
    "最后一步乘的是 K，不是 V。键只用来打分，被加起来的是值 V。",
    {"fuse": lambda A, V, K: A @ K},
)

RETURN_SECOND = (
    Mistake(
        "scores_returned",
        "第二个返回值是得分，不是权重：应当返回 softmax 之后的 A。",
        {"return_second": lambda A, S, M: S},
    ),
    Mistake(
        "dots_returned",
        "第二个返回值是点积 QKᵀ，不是权重：应当返回缩放、softmax 之后的 A。",
        {"return_second": lambda A, S, M: M},
    ),
)

# 一批句子，三维：一个句子时看不出来的错
BATCH = (
    *(
        Mistake(
            "batch_transposed",
            "一个句子算对了，一批句子（三维）却不行：K 的转置动了批次那一维。"
            ".T 会把三维全部颠倒；只换最后两维，写成 K.mT。",
            {"dot": dot},
        )
        for dot in (
            lambda Q, K: Q @ K.permute(*reversed(range(K.ndim))),
            lambda Q, K: Q @ K.transpose(0, 1),
        )
    ),
    Mistake(
        "batch_d_k",
        "一个句子算对了，一批句子（三维）却不行：除数用的是 shape[1]，三维时它是 L，不是 d_k。写成 shape[-1]，从后面数。",
        {"scale": lambda M, sizes: M / sizes.L**0.5},
    ),
    Mistake(
        "batch_softmax_axis",
        "一个句子算对了，一批句子（三维）却不行：softmax 用的是 dim=1，三维时它不再是最后一维。写成 dim=-1，从后面数。",
        {"weigh": lambda S: torch.softmax(S, dim=1)},
    ),
)

# softmax 的雅可比矩阵
JACOBIAN = (
    Mistake(
        "outer_only",
        "少了 diag(a)。对角线上是 a_i(1 − a_i)，它是正的。",
        {"jacobian": lambda a: -torch.outer(a, a)},
    ),
    Mistake(
        "diagonal_only",
        "少了 a aᵀ 这一项。得分 j 变大会把别的权重 a_i 压小，所以不在对角线上的格子是 −a_i a_j。",
        {"jacobian": lambda a: torch.diag(a)},
    ),
    Mistake(
        "off_diagonal_forgotten",
        "只有对角线。得分 j 变大会把别的权重 a_i 压小，所以不在对角线上的格子是 −a_i a_j，不是 0。",
        {"jacobian": lambda a: torch.diag(a * (1 - a))},
    ),
    Mistake(
        "wrong_sign",
        "符号反了：是 diag(a) − a aᵀ。提高自己的得分，自己的权重会变大，所以对角线是正的。",
        {"jacobian": lambda a: torch.outer(a, a) - torch.diag(a)},
    ),
    Mistake(
        "sum_instead_of_difference",
        "两项之间是减号：diag(a) − a aᵀ。权重的总和不变，所以 J 的每一行加起来是 0。",
        {"jacobian": lambda a: torch.diag(a) + torch.outer(a, a)},
    ),
    Mistake(
        "dot_instead_of_outer",
        "a @ a 是点积，只得到一个数。这里要的是外积，L×L 的表，第 (i, j) 格是 a_i a_j：torch.outer(a, a)。",
        {"jacobian": lambda a: torch.diag(a) - a @ a},
    ),
)

# What can go wrong with the form of any answer. Each is found by judge.py, which fills in the braces.
FORM = {
    "pending": "待完成：把 ... 换成你的代码，再运行这一格。",
    "not_a_function": "请把 {wanted} 本身交给 check，不要加括号去调用它，也不要交它算出的结果。现在交来的是 {given}。",
    "not_a_value": "这一题要的是一个值，交来的却是 {given}。请先算出来，再把结果交给 check。",
    "wrong_parameters": "调用时参数对不上：这一题会传入 {parameters}，请不要改动函数的参数。（{error}）",
    "timed_out": "运行超过 {seconds:g} 秒，已经停下。是不是有停不下来的循环？",
    "input": "练习里不能用 input()，要用的都在参数里。",
    "exited": "你的代码用 sys.exit() 或 exit() 中途结束了，没有交出结果。请去掉它，用 return 返回结果。",
    "error": "运行时报错，{where}{error}",
    "shape_error": "形状对不上，{where}{error}。矩阵相乘时，左边的列数必须等于右边的行数；请在旁边写下每个矩阵的形状。",
    "integer_error": "这一步不能用在整数上，{where}{error}。请去掉 .long()、.int()，或者先 .float() 变回小数。",
    "none": "没有返回值（None）：函数的最后是不是忘了 return？",
    "count": "应当返回 {wanted}，一共 {count} 个，用逗号隔开；现在返回的是 {given}。",
    "outputs_swapped": "数值都对，但顺序反了：应当依次返回 {wanted}。",
    "list": "{name} 是 Python 的 list，不是张量。请用 torch.tensor(...) 或 torch.stack(...) 把它变成 torch.Tensor。",
    "numpy": "{name} 是 numpy 数组，不是张量：梯度到这里就断了。请全程用 torch 计算，或用 torch.from_numpy 变回来。",
    "not_a_tensor": "{name} 应当是 torch.Tensor，现在是 {given}。",
    "dtype": "{name} 的类型是 {given}，应当是浮点数 float32：整数放不下小数，半精度又太粗。试试 .float()。",
    "empty": "{name} 是空的：形状是 {given}，里面一个数也没有。是不是切片（例如 [:0]）切掉了全部？",
    "layout": "{name} 不是普通的张量（{given}），没法一格一格地比。请返回普通的张量；稀疏张量用 .to_dense() 变回来。",
    "nan": "{name} 里有 NaN 或 inf。往前找：有没有除以 0、对负数开方，或者 exp 的数太大？",
    "one_row": "你只返回了一个词元的那一行，应当是全部词元，每个占一行。",
    "transposed": "{name} 横竖颠倒了：数值对，但行和列互换了。请检查是谁多转置或少转置了一次。",
    "wrong_d_v": "{name} 的列数应当是 d_v={wanted}，现在是 {given}：值和输出的宽度由 W_V 的列数 d_v 决定。",
    "shape": "{name} 的形状应当是 {wanted}，现在是 {given}。形状差一点也不行：广播会悄悄把它补成别的东西。",
    "rows_do_not_sum_to_1": "{name} 的每一行加起来应当是 1，现在第 {row} 行的和是 {total:.4g}。请检查 softmax 的归一化。",
    "hard_coded": "例子里的输入算对了，换一组别的大小就错了：是不是写死了某个数（例如 3、4），或者用了函数外面的变量？",
    "different": "结果和应有的不同。先看 {name} 的{place}：应当是 {wanted:.4f}，现在是 {given:.4f}。图里用框标出了所有不同的格子。",
    "changed_input": "结果是对的，但你改动了传进来的 {name}（例如用了 -=、/= 或 {name}[i] = …）。请写成新的张量，别的代码还要用它。",
    "batch": "一个句子算对了，一批句子却不行。现在传入的是三维张量 {shapes}，最前面一维是句子。请从后面数维：-1 是最后一维，-2 是词元；转置用 .mT，softmax 用 dim=-1，循环和 einsum 也要留出最前面那一维。",
    "batch_error": "一个句子算对了，一批句子（三维张量 {shapes}）却报错，{where}{error}。请从后面数维：-1 是最后一维，-2 是词元；转置用 .mT，softmax 用 dim=-1，循环和 einsum 也要留出最前面那一维。",
    "overflow": "得分很大时出现了 NaN 或 inf：exp(100) 超出了 float32。先减去每一行自己的最大值再取 exp，结果不变；torch.softmax 已经替你做了。",
    "detached": "数值对，但计算图断了，梯度传不到 {name}，它就学不会。请去掉 .detach()、.item()、.data、numpy 或 torch.no_grad()。",
    "not_a_layer": "这一题要写一个类：class MySelfAttention(nn.Module)。现在得到的是 {given}，不是 nn.Module。",
    "layer_called": "请交类本身，不要加括号：交 {name}，不是 {name}(…)。要用几维，由 check 来定。",
    "no_forward": "没有找到 forward。请在类里写 def forward(self, X)，并检查拼写和缩进。",
    "shared_layer": "self.{one} 和 self.{other} 是同一个矩阵：{roles}要用各自的矩阵，请各写一个 nn.Linear。",
    "no_layer": "没有找到 self.{name}。请在 __init__ 里写 self.{name} = nn.Linear(…, …, bias=False)。",
    "no_init": "__init__ 的第一行要写 super().__init__()，否则 nn.Module 放不进任何一层。",
    "bias": "self.{name} 带了偏置。公式里没有这一项，请写 bias=False。",
    "linear_reversed": "self.{name} 的进和出写反了：nn.Linear(进, 出)，进来的是 D={D} 维，出去的是 {wanted} 维。",
    "layer_shape": "self.{name} 应当把 D={D} 维变成 {wanted} 维，现在 weight 的形状是 {given}，应当是 ({wanted}, {D})。",
    "value": "还不对。{hint}",
    "value_type": "还不对：这一题要的是{wanted}，现在交来的是 {given}。",
    "unjudged": "批改时出了意外，这一次没能判断对错。交来的是 {given}；出的错是 {error}。请改成最普通的写法再试。",
    "not_drawn": "（图没有画出来：{error}）",
}

# What an exercise that asks for a value wants, by the type of the right one.
WANTED = {
    int: "一个数，不要加引号",
    str: '一个字符串，只写一个词，放在引号里，例如 "我"',
    tuple: "两个数，写成 (行数, 列数)",
}


class AnswerError(Exception):
    """The answer is not right: ends the judging with a verdict."""

    def __init__(self, name: str, message: str = "", /, **facts: object):
        super().__init__(name)
        self.name = name
        self.message = message or FORM[name].format(**facts)
