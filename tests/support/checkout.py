"""This checkout as a repository of its own."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from .project import ROOT

AUTHOR = ("-c", "user.name=test", "-c", "user.email=test@example.invalid")


def committed_copy(folder: Path, branch: str = "main") -> Path:
    """The files that git doesn't ignore, as they stand, committed in this empty folder; returns the folder."""
    listed = git(ROOT, "ls-files", "--cached", "--others", "--exclude-standard")
    for name in filter(lambda name: (ROOT / name).is_file(), listed):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    git(folder, "init", "--quiet", f"--initial-branch={branch}")
    git(folder, "add", "--all")
    git(folder, *AUTHOR, "commit", "--quiet", "--message=course")
    return folder


def git(folder: Path, *arguments: str) -> list[str]:
    """The lines that git prints. Raises CalledProcessError when it fails."""
    command = ["git", "-c", "core.quotePath=false", *arguments]
    return subprocess.run(
        command, cwd=folder, stdout=subprocess.PIPE, encoding="utf-8", check=True
    ).stdout.splitlines()
