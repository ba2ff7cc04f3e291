"""What can go wrong with the form of any answer, and what the student reads then.

Each is found by the judge or by layer_as_function.py, which fill in the braces.
"""

from __future__ import annotations

_COUNT_FROM_THE_BACK = "请从后面数维：-1 是最后一维，-2 是词元；转置用 .mT，softmax 用 dim=-1，循环和 einsum 也要留出最前面那一维。"

FORM = {
    "pending": "待完成：把 ... 换成你的代码，再运行这一格。",
    "not_a_function": "请把 {wanted} 本身交给 check，不要加括号去调用它，也不要交它算出的结果。现在交来的是 {given}。",
    "not_a_value": "这一题要的是一个值，交来的却是 {given}。请先算出来，再把结果交给 check。",
    "wrong_parameters": "调用时参数对不上：这一题会传入 {parameters}，请不要改动函数的参数。（{error}）",
    "timed_out": "运行超过 {seconds:g} 秒，已经停下。是不是有停不下来的循环？",
    "goes_on": "运行超过 {seconds:g} 秒，而且没能让它停下，它可能还在后台运行。请重启内核（菜单“内核 → 重启内核”），改好再试。"
    "是不是有停不下来的循环，里面又有一个空的 except，拦住了停止的信号？或者有一步算得太久？",
    "input": "练习里不能用 input()，要用的都在参数里。",
    "exited": "你的代码用 sys.exit() 或 exit() 中途结束了，没有交出结果。请去掉它，用 return 返回结果。",
    "error": "运行时报错，{where}{error}",
    "name_error": "运行时报错，{where}{error}。这个名字还没有定义：是不是拼错了？如果重启过内核，先运行这份 notebook 的第一个单元，"
    "再运行“练习”下面写着 import 的那个单元。",
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
    "weights_ignore_inputs": "A 没有用到 {names}：换一组别的数，A 一点也没有变。权重由得分经过 softmax 得来，得分由查询和键的点积得来。",
    "rows_do_not_sum_to_1": "{name} 的每一行加起来应当是 1，现在第 {row} 行的和是 {total:.4g}。请检查 softmax 的归一化。",
    "hard_coded": "例子里的输入算对了，换一组形状不同的就错了：是不是写死了某个数（例如 3、4），或者用了函数外面的变量？",
    "different": "结果和应有的不同。先看 {name} 的{place}：应当是 {wanted:.4f}，现在是 {given:.4f}。图里用框标出了所有不同的格子。",
    "changed_input": "结果是对的，但你改动了传进来的 {name}（例如用了 -=、/= 或 {name}[i] = …）。请写成新的张量，别的代码还要用它。",
    "batch": "一个句子算对了，一批句子却不行。现在传入的是三维张量 {shapes}，最前面一维是句子。"
    + _COUNT_FROM_THE_BACK,
    "batch_error": "一个句子算对了，一批句子（三维张量 {shapes}）却报错，{where}{error}。"
    + _COUNT_FROM_THE_BACK,
    "overflow": "得分很大时出现了 NaN 或 inf：exp(100) 超出了 float32。先减去每一行自己的最大值再取 exp，结果不变；torch.softmax 已经替你做了。",
    "detached": "数值对，但计算图断了，梯度传不到 {name}，它就学不会。请去掉 .detach()、.item()、.data、numpy 或 torch.no_grad()。",
    "in_place": "数值都对，但有一步原地改动了张量（例如 A /= …、A[i] = … 或 .exp_()），求梯度时要用的旧数被盖掉了，梯度算不出来。"
    "请写成新的张量：A = A / …",
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
