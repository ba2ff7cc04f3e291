"""Every link that holds the repository's address: `make links REPO=owner/name BRANCH=main`.

The one setting is Repository in pyproject.toml. From it come the row of links at the top of each lesson, the set-up
cell and the links of the READMEs; a new address is written into all of them at once, whatever they held before.
Nothing is installed for this.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Where the address stands, in every form that is used.
PAGE = 'Repository = "https://github.com/{repo}/tree/{branch}"'
FILE = "https://github.com/{repo}/blob/{branch}/notebooks/"
COLAB = "https://colab.research.google.com/github/{repo}/blob/{branch}/notebooks/"
BINDER = "https://mybinder.org/v2/gh/{repo}/{branch}?urlpath=lab/tree/notebooks/"
CLONE = "git clone https://github.com/{repo}.git"
INSTALL = "git+https://github.com/{repo}@{branch}"
FORMS = (PAGE, FILE, COLAB, BINDER, CLONE, INSTALL)
# What may stand in a link without being escaped; a branch with a slash would need escapes on Binder.
NAME = r"[A-Za-z0-9_][\w.-]*"
REPO, BRANCH = re.compile(f"{NAME}/{NAME}(?<!\\.git)", re.ASCII), re.compile(NAME, re.ASCII)
VERSION = re.compile(r'^__version__ = "(.+)"$', re.MULTILINE)
SETUP = """\
from importlib.util import find_spec

course = "{install}"
if not find_spec("course_utils"):
    %pip install --quiet --no-deps "{{course}}"
if not find_spec("course_utils"):
    raise SystemExit("没能装上课程。在课程文件夹里，请选 .venv 作内核；别处请检查网络和 git。")

from course_utils.environment import check_environment

check_environment(course="{version}")"""


def address(root: Path = ROOT) -> dict[str, str]:
    """The repository on GitHub, owner/name, and its branch, tag or commit: {"repo": ..., "branch": ...}."""
    found = _pattern(PAGE).search((root / "pyproject.toml").read_text(encoding="utf-8"))
    if not found:
        sys.exit(f"pyproject.toml 里没有这样一行：{PAGE.format(repo='用户名/仓库名', branch='main')}")
    return found.groupdict()


def row(lesson: str, root: Path = ROOT) -> str:
    """The links at the top of a lesson: where it opens, and the lessons before and after it."""
    places = {"在 Binder 打开": BINDER, "在 Colab 打开": COLAB, "在 GitHub 上读": FILE}
    here = address(root)
    links = [f"[{name}]({form.format(**here)}{lesson}.ipynb)" for name, form in places.items()]
    lessons = sorted(text.stem for text in (root / "notebooks/src").glob("*.md"))
    k = lessons.index(lesson)
    links += [f"上一课：[{title(name, root)}]({name}.ipynb)" for name in lessons[max(k - 1, 0) : k]]
    links += [f"下一课：[{title(name, root)}]({name}.ipynb)" for name in lessons[k + 1 : k + 2]]
    return " | ".join(links)


def title(lesson: str, root: Path = ROOT) -> str:
    text = (root / "notebooks/src" / f"{lesson}.md").read_text(encoding="utf-8")
    return re.search("^# (.+)$", text, re.MULTILINE)[1]


def setup(root: Path = ROOT) -> str:
    """The first code cell of each lesson: finds the course or installs it, and nothing else, and checks the versions."""
    package = (root / "course_utils/__init__.py").read_text(encoding="utf-8")
    return SETUP.format(install=INSTALL.format(**address(root)), version=VERSION.search(package)[1])


def pages(root: Path = ROOT) -> list[Path]:
    """The files that hold the address."""
    lessons = root / "notebooks"
    return [
        root / "pyproject.toml",
        *sorted(root.glob("README*.md")),
        *sorted(lessons.glob("src/*.md")),
        *sorted(lessons.glob("*.ipynb")),
    ]


def move(repo: str, branch: str, root: Path = ROOT) -> None:
    """Write this address into every link."""
    for page in pages(root):
        text = page.read_bytes().decode()
        for form in FORMS:
            text = _pattern(form).sub(form.format(repo=repo, branch=branch), text)
        page.write_bytes(text.encode())


def _pattern(form: str) -> re.Pattern:
    """The form with any address in it; the name stops early, since in one form .git comes after it."""
    escaped = re.escape(form)
    for part, pattern in (("repo", f"{NAME}/{NAME}?"), ("branch", NAME)):
        escaped = escaped.replace(re.escape(f"{{{part}}}"), f"(?P<{part}>{pattern})")
    return re.compile(escaped, re.ASCII)


def main(repo: str = "", branch: str = "main") -> None:
    if not REPO.fullmatch(repo) or not BRANCH.fullmatch(branch):
        sys.exit(
            f"REPO={repo} BRANCH={branch} 不能用。请写成 make links REPO=用户名/仓库名 BRANCH=main；仓库名后面不带 .git，"
            "分支也可以是标签或提交，名字里不能有斜杠。"
        )
    move(repo, branch)
    print(f"链接现在指向 {repo}，{branch}。")


if __name__ == "__main__":
    main(*sys.argv[1:])
