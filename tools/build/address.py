"""The repository's address, and every form in which a link of the course holds it.

The one setting is Repository in pyproject.toml. Nothing is installed for this.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from .lessons import ROOT

PAGE = 'Repository = "https://github.com/{repo}/tree/{branch}"'
FILE = "https://github.com/{repo}/blob/{branch}/notebooks/"
COLAB = "https://colab.research.google.com/github/{repo}/blob/{branch}/notebooks/"
BINDER = "https://mybinder.org/v2/gh/{repo}/{branch}?urlpath=lab/tree/notebooks/"
CLONE = "git clone https://github.com/{repo}.git"
INSTALL = "git+https://github.com/{repo}@{branch}"
FORMS = (PAGE, FILE, COLAB, BINDER, CLONE, INSTALL)
# What may stand in a link without being escaped; a branch with a slash would need escapes on Binder.
NAME = r"[A-Za-z0-9_][\w.-]*"


def address(root: Path = ROOT) -> dict[str, str]:
    """The repository on GitHub, owner/name, and its branch, tag or commit: {"repo": ..., "branch": ...}."""
    found = pattern(PAGE).search((root / "pyproject.toml").read_text(encoding="utf-8"))
    if not found:
        sys.exit(f"pyproject.toml 里没有这样一行：{PAGE.format(repo='用户名/仓库名', branch='main')}")
    return found.groupdict()


def pattern(form: str) -> re.Pattern:
    """The form with any address in it; the name stops early, since in one form .git comes after it."""
    escaped = re.escape(form)
    for part, name in (("repo", f"{NAME}/{NAME}?"), ("branch", NAME)):
        escaped = escaped.replace(re.escape(f"{{{part}}}"), f"(?P<{part}>{name})")
    return re.compile(escaped, re.ASCII)
