"""Chinese prose keeps to one style and one set of terms, and a lesson needs no network but in its set-up cell.

Read are the Markdown of the lessons, README.md and the Chinese strings of course_utils. English words are codespell's.
"""

import ast
import re
import subprocess
import sys
from dataclasses import dataclass

import pytest
from support.lessons import read_text
from support.project import ROOT

from tools.build.lessons import LESSONS
from tools.build.tags import tagged

TEXTS = {lesson.stem: read_text(lesson) for lesson in LESSONS}

HAN = "[\u4e00-\u9fff]"
LATIN = "[A-Za-z0-9Α-Ωα-ωᵀₖᵥ]"
# Stands for what the program puts into a text; no rule looks at it but the one on 「」.
GAP = "\ufffc"

# What is wrong -> what is meant.
STYLE = {
    f"{HAN}{LATIN}|{LATIN}{HAN}": "a space between Chinese and Latin letters, digits, `code` and $formulas$",
    f"{HAN} ?[,;:?!]|[,;:?!] ?{HAN}|{HAN}[.](?![.\\w])": "，；：？！。 in Chinese text",
    f"{HAN}[()]|[()]{HAN}": "（） in Chinese text, half-width ones for formulas and shapes such as (L, D)",
    f"{HAN}[\"']{HAN}|[『』]": "“ ” as quotation marks",
    f"「(?!{GAP})|(?<!{GAP})」": "“ ” as quotation marks; 「」 only around what the student typed",
    "(?<=[^\\s|>#-]) [，。；：？！、）”]|[，。；：？！、（“] (?=\\S)": "no space beside full-width punctuation",
    "([，。；：？！、])\\1|(?<!目)(的|了|是|在|和|把|就|也|都)\\2": "once, not twice",
}
TERMS = {
    "您": "你",
    "变压器|transformer": "Transformer",
    "令牌|标记|分词|词符": "词元",
    "词嵌入|嵌入向量": "词向量",
    "关键字|关键词|键值": "键、值",
    "分数": "得分",
    "注意力权重|归一化权重": "权重",
    "放缩|标度": "缩放",
    "加权求和": "加权融合",
    "梯度弥散": "梯度消失",
    "自我注意|自关注|自身注意": "自注意力",
    "热图|热度图": "热力图",
    "点乘|内积|数量积": "点积",
    "维度": "维数 for a size, 轴 for a direction",
    "雅克比": "雅可比",
    "Softmax|SoftMax": "softmax",
    "[Pp]ytorch": "PyTorch",
    "Jupyterlab": "JupyterLab",
    "Github": "GitHub",
}
MISSPELT = {
    "按装": "安装",
    "帐号|帐户": "账号",
    "登陆": "登录",
    "既使": "即使",
    "己经|以经": "已经",
    "因该": "应该",
    "做为": "作为",
    "好象|就象|想像": "好像，想象",
    "其它": "其他",
    "部份": "部分",
    "份量": "分量",
    "座标": "坐标",
    "阀值": "阈值",
    "迭加|重迭": "叠加，重叠",
    "必需(?!品)": "必须",
    "予测|予期": "预测，预期",
}
RULES = STYLE | TERMS | MISSPELT

# Terms with the English that stands beside them where the lessons first speak of them.
FIRST_USE = {
    "词元": "token",
    "查询": "query",
    "键": "key",
    "和值": "value",
    "得分": "score",
    "权重": "weight",
    "独热向量": "one-hot vector",
    "嵌入矩阵": "embedding matrix",
    "词向量": "token embedding",
    "加权融合": "weighted fusion",
    "梯度": "gradient",
    "缩放": "scaling",
    "饱和": "saturated",
    "雅可比矩阵": "Jacobian",
    "凸组合": "convex combination",
    "凸包": "convex hull",
}


@dataclass(frozen=True)
class Passage:
    """A piece of text and where it stands."""

    where: str
    text: str


def strings_of(path):
    """The strings of a module; of an f-string its fixed parts. Docstrings are English and left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    left_out = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            left_out.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            left_out |= set(node.values)
            fixed = [part.value if isinstance(part, ast.Constant) else GAP for part in node.values]
            yield Passage(f"{path.name}:{node.lineno}", "".join(fixed))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in left_out:
            yield Passage(f"{path.name}:{node.lineno}", node.value)


def strings_of_script(path):
    """The same for a view's JavaScript."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for pair in re.findall(r'"([^"]*)"|`([^`]*)`', line):
            yield Passage(f"{path.name}:{number}", re.sub(r"\$\{.*?\}", GAP, "".join(pair)))


def passages():
    for name, text in TEXTS.items():
        yield from (Passage(name, cell.source) for cell in text.cells if cell.cell_type == "markdown")
    yield Passage("README.md", (ROOT / "README.md").read_text(encoding="utf-8"))
    for path in sorted((ROOT / "course_utils").rglob("*.*")):
        reader = {".py": strings_of, ".js": strings_of_script}.get(path.suffix)
        if reader:
            yield from (passage for passage in reader(path) if re.search(HAN, passage.text))


PASSAGES = list(passages())


def plain(text):
    """The words of a text: code, formulas and shapes become an x, links their words, markup goes, each cell of a
    table is a line."""
    text = re.sub(r"```.*?```|^\$\$.*?\$\$$", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"`[^`\n]+`|\$[^$\n]+\$", "x", text)
    for _ in range(2):  # a badge is a picture in a link
        text = re.sub(r"!?\[([^\[\]]*)\]\([^()\s]*\)", r"\1", text)
    text = re.sub(r"</?[a-z][^<>]*>", "", text)
    text = re.sub(r" *\| *", "\n", text)
    text = re.sub(r"(\*{1,2})(\S(?:[^*\n]*\S)?)\1", r"\2", text)
    return re.sub(r"\([^()（）]*,[^()（）]*\)", "x", text)


def hits(rule, passages):
    """Where a rule is broken, with a few characters around it."""
    return [
        f"{passage.where}: …{line[max(found.start() - 12, 0) : found.end() + 12]}…"
        for passage in passages
        for line in plain(passage.text).splitlines()
        for found in re.finditer(rule, line)
    ]


def test_every_kind_of_text_is_read():
    """Or the rules below would pass by seeing nothing."""
    texts = {passage.where.split(":")[0]: passage.text for passage in PASSAGES}
    assert {
        *TEXTS,
        "README.md",
        "attention.py",
        "lesson_03.py",
        "form_messages.py",
        "weigh.py",
        "scores.js",
    } <= texts.keys()
    message = next(passage.text for passage in PASSAGES if "个字符，最多" in passage.text)
    assert message.startswith(f"词「{GAP}」有 {GAP} 个字符")


@pytest.mark.parametrize("rule", RULES, ids=RULES.values())
def test_rule(rule):
    found = hits(rule, PASSAGES)
    assert not found, "\n".join([f"write {RULES[rule]}", *found])


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("用softmax 做", "a space"),
        ("第 3行", "a space"),
        ("把`...` 换掉", "a space"),
        ("矩阵$X$ 有", "a space"),
        ("先看**Q** 再看", "a space"),
        ("先看,再算", "，"),
        ("看 `K.T`, 然后", "，"),
        ("得到结果.", "，"),
        ("词元(token）", "（）"),
        ('写成"我"', "“ ”"),
        ("「打」的值", "“ ”"),
        ("先看， 再算", "no space"),
        ("先看 ，再算", "no space"),
        ("得分。。", "once"),
        ("它的的值", "once"),
        ("请您运行", "你"),
        ("变压器", "Transformer"),
        ("一个令牌", "词元"),
        ("先按装", "安装"),
    ],
)
def test_rules_see_what_they_are_for(text, meant):
    seen = [RULES[rule] for rule in RULES if hits(rule, [Passage("here", text)])]
    assert len(seen) == 1 and meant in seen[0], seen


@pytest.mark.parametrize(
    "text",
    [
        "词元（token）占 $X$ 的一行，`X[0]` 是 (L, D)，也就是 4×5。",
        "形状是 (行数, 列数)：写成 `(6, 512)`。",
        "| 课 | “打”在平面上 |\n- “我”给“打” 0.52：**预测**：是 1 吗？",
        f"词「{GAP}」有 {GAP} 个字符，见[第 04 课](04.ipynb)的目的的确",
    ],
)
def test_rules_let_good_text_be(text):
    assert [rule for rule in RULES if hits(rule, [Passage("here", text)])] == []


def test_brackets_and_quotation_marks_close():
    for passage in PASSAGES:
        for left, right in ("（）", "“”", "「」", "《》"):
            assert passage.text.count(left) == passage.text.count(right), (left, passage)


def test_simplified_characters_only():
    """GB2312 is what the course's font holds."""
    for passage in PASSAGES:
        foreign = [char for char in re.findall(HAN, passage.text) if not char.encode("gb2312", "ignore")]
        assert not foreign, (foreign, passage)


def test_no_chinese_between_dollars():
    for passage in PASSAGES:
        words = re.sub(r"```.*?```|`[^`\n]+`", "", passage.text, flags=re.DOTALL)
        formulas = [
            "".join(pair) for pair in re.findall(r"\$\$(.+?)\$\$|\$([^$\n]+)\$", words, flags=re.DOTALL)
        ]
        assert not [formula for formula in formulas if re.search(HAN, formula)], passage
        assert words.count("$") % 2 == 0, passage


@pytest.mark.parametrize("term", FIRST_USE)
def test_english_stands_beside_a_term_at_its_first_use(term):
    """First in what is told: headings, lists, goals, tables, links, buttons in “ ” and what is folded away aside."""
    told = "\n".join(
        line
        for text in TEXTS.values()
        for cell in text.cells
        if cell.cell_type == "markdown" and not tagged(cell, "links", "goals", "note")
        for line in re.sub("<details>.*?</details>", "", cell.source, flags=re.DOTALL).splitlines()
        if not re.match(r"#|\||- ", line)
    )
    told = re.sub(r"“[^”\n]*”|\[[^\]]*\]\([^)]*\)|方向键|\*", "", told)
    assert term in told
    after = told.split(term, 1)[1]
    assert after.startswith(f"（{FIRST_USE[term]}"), f"{told.split(term)[0][-20:]}{term}{after[:20]}"


@pytest.mark.parametrize("name", TEXTS)
def test_only_the_setup_cell_may_use_the_network(name):
    for cell in TEXTS[name].cells:
        if cell.cell_type == "code" and not tagged(cell, "setup"):
            assert "http" not in cell.source, cell.source
        # A picture from elsewhere would be a hole when the cable is pulled.
        assert not re.search(
            r"!\[[^\]]*\]\(\s*(https?:)?//|<(img(?! src=.\.\./images/)|script|iframe|link)\b", cell.source
        ), cell.source


def test_english_spelling():
    """codespell, with its settings in pyproject.toml."""
    done = subprocess.run([sys.executable, "-m", "codespell_lib"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
