"""Every link that holds the repository's address: `make links REPO=owner/name BRANCH=main`.

The one setting is Repository in pyproject.toml. From it come the row of links at the top of each lesson, the set-up
cell and the links of the READMEs; a new address is written into all of them at once. Nothing is installed for this.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
SETTING = re.compile(r'^Repository = "https://github\.com/([^/"]+/[^/"]+)/tree/([^/"]+)"$', re.MULTILINE)
QUIZ = re.compile(r'^    "(jupyterquiz.+)",$', re.MULTILINE)
VERSION = re.compile(r'^__version__ = "(.+)"$', re.MULTILINE)
# What may stand in a link without being escaped; a branch with a slash would need escapes on Binder.
REPO, BRANCH = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII), re.compile(r"[\w.-]+", re.ASCII)
SETUP = """\
from importlib.util import find_spec

course = "{git}"
if not find_spec("course_utils"):
    %pip install --quiet --no-deps "{quiz}" "{{course}}"
assert find_spec("course_utils"), "没能装上课程。请确认网络通畅、Python 是 3.10 到 3.13，再运行这个单元。"

from course_utils.environment import check_environment

check_environment(course="{version}")"""


class Address(NamedTuple):
    """A repository on GitHub and its branch, tag or commit."""

    repo: str
    branch: str

    @property
    def page(self) -> str:
        return f"https://github.com/{self.repo}/tree/{self.branch}"

    @property
    def file(self) -> str:
        return f"https://github.com/{self.repo}/blob/{self.branch}/"

    @property
    def clone(self) -> str:
        return f"https://github.com/{self.repo}.git"

    @property
    def git(self) -> str:
        return f"git+https://github.com/{self.repo}@{self.branch}"

    @property
    def colab(self) -> str:
        return f"https://colab.research.google.com/github/{self.repo}/blob/{self.branch}/"

    @property
    def binder(self) -> str:
        return f"https://mybinder.org/v2/gh/{self.repo}/{self.branch}?urlpath=lab/tree/"

    def links(self) -> tuple[str, ...]:
        return self.page, self.file, self.clone, self.git, self.colab, self.binder


def address(root: Path = ROOT) -> Address:
    found = SETTING.search((root / "pyproject.toml").read_text(encoding="utf-8"))
    return Address(*found.groups())


def row(lesson: str, root: Path = ROOT) -> str:
    """The links at the top of a lesson: where it opens, and the lessons before and after it."""
    here, path = address(root), f"notebooks/{lesson}.ipynb"
    links = [
        f"[在 Binder 打开]({here.binder}{path})",
        f"[在 Colab 打开]({here.colab}{path})",
        f"[在 GitHub 上读]({here.file}{path})",
    ]
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
    project = (root / "pyproject.toml").read_text(encoding="utf-8")
    package = (root / "course_utils/__init__.py").read_text(encoding="utf-8")
    quiz, version = QUIZ.search(project)[1], VERSION.search(package)[1]
    return SETUP.format(quiz=quiz, git=address(root).git, version=version)


def pages(root: Path = ROOT) -> list[Path]:
    """The files that hold the address."""
    lessons = root / "notebooks"
    return [
        root / "pyproject.toml",
        *sorted(root.glob("README*.md")),
        *sorted(lessons.glob("src/*.md")),
        *sorted(lessons.glob("*.ipynb")),
    ]


def move(new: Address, root: Path = ROOT) -> None:
    """Write a new address in place of the present one."""
    old = address(root)
    for page in pages(root):
        text = page.read_bytes().decode()
        for before, after in zip(old.links(), new.links(), strict=True):
            text = text.replace(before, after)
        page.write_bytes(text.encode())


def main(repo: str, branch: str) -> None:
    if not REPO.fullmatch(repo) or not BRANCH.fullmatch(branch):
        sys.exit(
            f"REPO={repo} BRANCH={branch} 不能用。请写成 make links REPO=用户名/仓库名 BRANCH=main；"
            "分支也可以是标签或提交，名字里不能有斜杠。"
        )
    move(Address(repo, branch))
    print(f"链接现在指向 {address().page}")


if __name__ == "__main__":
    main(*sys.argv[1:])
