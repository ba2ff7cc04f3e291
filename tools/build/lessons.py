"""The table of lessons: which there are, in which order, how long each takes. Nothing else lists them by itself.

The neighbours in each lesson's links come from here; its text, the map in lesson 00, both READMEs and the notebooks
folder are held to it by tests. Nothing is installed for this.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Lesson:
    """One lesson. stem: what its files are called; builds_on: numbers of earlier lessons; sections: each heading
    on a slide, without its ##, and the minutes to teach it.
    """

    stem: str
    title: str
    builds_on: tuple[str, ...]
    sections: dict[str, int]

    @property
    def number(self) -> str:
        return self.stem[:2]

    @property
    def heading(self) -> str:
        return f"{self.number} · {self.title}"

    @property
    def minutes(self) -> int:
        return sum(self.sections.values())

    @property
    def notebook(self) -> str:
        """The path of the notebook below the project's folder."""
        return f"notebooks/{self.stem}.ipynb"

    @property
    def text(self) -> str:
        """The path of the text that the notebook is built from."""
        return f"notebooks/src/{self.stem}.md"


LESSONS = (
    Lesson(
        stem="00_start_here",
        title="从这里开始",
        builds_on=(),
        sections={
            "“打”是什么意思？": 4,
            "整条链走一遍": 4,
            "记号卡": 1,
            "课程地图": 1,
        },
    ),
    Lesson(
        stem="01_build_x",
        title="把句子变成矩阵 X",
        builds_on=("00",),
        sections={
            "1 · 从句子到词元": 2,
            "2 · 一个词元：查表": 4,
            "3 · 一句话：四次查表，一次乘法": 3,
            "4 · 读懂 X": 2,
            "5 · 真实的大小": 2,
            "6 · 每一行都不知道自己排第几": 2,
        },
    ),
    Lesson(
        stem="02_qkv_projection",
        title="从 X 到 Q、K、V",
        builds_on=("01",),
        sections={
            "0 · 不用 W 行不行？": 2,
            "1 · 一个词元的查询": 4,
            "2 · 四个词元一起算": 3,
            "3 · 键和值": 4,
            "4 · 为什么 D 必须相等": 2,
            "5 · nn.Linear 与转置": 3,
            "6 · 有多少个参数": 2,
            "7 · 哪些维数可以自由选": 2,
        },
    ),
    Lesson(
        stem="03_score_heatmap",
        title="得分热力图",
        builds_on=("02",),
        sections={
            "1 · 一个得分": 3,
            "2 · 双重循环": 2,
            "3 · 矩阵形式 QKᵀ": 3,
            "4 · 读热力图": 4,
            "5 · 除以 √dₖ": 1,
            "6 · 一行 softmax": 2,
            "7 · 每一行都这样做": 2,
            "8 · 热力图里的故事": 2,
            "9 · 轴弄错了": 1,
            "10 · 选读：得分只认识一个 5×5 的矩阵": 2,
        },
    ),
    Lesson(
        stem="04_scaling_and_saturation",
        title="缩放与饱和",
        builds_on=("03",),
        sections={
            "1 · 点积有多大": 4,
            "2 · 选读：别忘了前提": 1,
            "3 · 三个除数": 5,
            "4 · 不只看一次抽样": 3,
            "5 · softmax 的雅可比矩阵": 3,
            "6 · 选读：一行一行地看梯度": 3,
            "7 · 选读：整个 W_Q 的梯度": 2,
            "8 · 选读：V 那条路": 2,
            "9 · 训练给你看": 4,
        },
    ),
    Lesson(
        stem="05_weighted_fusion",
        title="加权融合",
        builds_on=("02", "03"),
        sections={
            "1 · 一项一项地加": 3,
            "2 · 矩阵形式 B = AV": 2,
            "3 · 平面上的 V 和 B": 3,
            "4 · 同一个“打”，两句话": 4,
            "5 · 份额和拿到的": 2,
            "6 · 换了顺序": 2,
            "7 · B 有几列": 1,
        },
    ),
    Lesson(
        stem="06_self_attention_module",
        title="自注意力模块",
        builds_on=("02", "03", "04", "05"),
        sections={
            "1 · 一个函数": 2,
            "2 · 一个类": 3,
            "3 · 装进例子的投影矩阵": 2,
            "4 · 和 PyTorch 核对": 2,
            "5 · 一批句子": 2,
            "6 · 同一件事的两种画法": 2,
            "7 · 一行一行，还是一次": 3,
            "8 · 要多少次乘法": 3,
            "9 · 要多少内存": 2,
            "10 · 回头看": 1,
        },
    ),
)


def find(stem: str) -> Lesson:
    """The lesson of this stem. Raises ValueError where there is none."""
    for lesson in LESSONS:
        if lesson.stem == stem:
            return lesson
    stems = "、".join(lesson.stem for lesson in LESSONS)
    raise ValueError(f"没有这一课：{stem}。有这些：{stems}。新的一课先写进 tools/build/lessons.py。")
