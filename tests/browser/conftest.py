"""The live views in a real JupyterLab and a real browser.

Where there is no browser the tests are skipped with a word about it; in CI that is a failure.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import nbformat
import pytest
from support.browsers import SIZE, NoBrowserError, open_browser
from support.jupyterlab import Notebook, running_lab


@pytest.fixture(scope="session")
def browser():
    try:
        with open_browser() as browser:
            yield browser
    except NoBrowserError as error:
        message = f"{error}浏览器测试没有运行。"
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)


@pytest.fixture(scope="session")
def npm(pytestconfig):
    """npm(package) is the folder of a package such as name@1.2.3, fetched once for all runs."""
    cache = pytestconfig.cache.mkdir("npm")

    def folder(package: str) -> Path:
        unpacked = cache / package.replace("/", "-")
        if not unpacked.exists():
            _fetch(package, unpacked)
        return unpacked

    return folder


def _fetch(package: str, unpacked: Path) -> None:
    with tempfile.TemporaryDirectory(dir=unpacked.parent) as temporary:
        npm = shutil.which("npm")
        done = npm and subprocess.run([npm, "pack", "--silent", package], cwd=temporary, timeout=120)
        if not done or done.returncode:
            message = f"没有 npm 或者取不到 {package}，用到它的页面没有检查。"
            pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
        (archive,) = Path(temporary).glob("*.tgz")
        shutil.unpack_archive(archive, temporary)
        Path(temporary, "package").rename(unpacked)


@pytest.fixture(scope="session")
def lab():
    with running_lab() as (address, folder):
        yield address, folder


@pytest.fixture(scope="module")
def notebook(browser, lab, request):
    """notebook(*cells) makes a notebook of these cells, opens it in JupyterLab and runs it."""
    address, folder = lab
    made = []

    def make(*cells: str, mode: str = "doc") -> Notebook:
        name = f"{request.module.__name__.rpartition('.')[2]}_{len(made)}.ipynb"
        document = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(cell) for cell in cells],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        )
        nbformat.write(document, folder / name)
        opened = Notebook(browser.new_page(viewport=SIZE), address, name)
        made.append(opened)
        opened.open(mode)
        opened.run_all()
        return opened

    yield make
    for opened in made:
        opened.close()
