"""A new address in every link that holds one: `make links REPO=owner/name BRANCH=main`.

The setting, the links and set-up cells of the lessons and the links of the READMEs get it at once, whatever they held
before. Nothing is installed for this.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from ..build.address import FORMS, NAME, pattern
from ..build.lessons import LESSONS, ROOT

REPO, BRANCH = re.compile(f"{NAME}/{NAME}(?<!\\.git)", re.ASCII), re.compile(NAME, re.ASCII)


def pages(root: Path = ROOT) -> list[Path]:
    """The files that hold the address."""
    names = ["pyproject.toml", "README.md", "README.en.md"]
    return [root / name for lesson in LESSONS for name in (lesson.text, lesson.notebook)] + [
        root / name for name in names
    ]


def move(repo: str, branch: str, root: Path = ROOT) -> None:
    """Write this address into every link."""
    for page in pages(root):
        text = page.read_bytes().decode()
        for form in FORMS:
            text = pattern(form).sub(form.format(repo=repo, branch=branch), text)
        page.write_bytes(text.encode())


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
