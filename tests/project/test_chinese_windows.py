"""What stands in for a Chinese Windows: a machine on which text is GBK where nobody says UTF-8.

A folder with a Chinese name and a space is in test_twice_offline_read_only.py and test_what_is_touched.py.
"""

import json
import os
import shutil
import subprocess
import sys
from types import SimpleNamespace

import jupytext
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook
from support.lessons import read_text
from support.project import ROOT

from tools.build.exercise_cells import section
from tools.build.lessons import find
from tools.build.solutions import fill_in

LESSON = find("03_score_heatmap")
DONE = {"1.1", "练习"}
ENCODING = "import locale; print(locale.getpreferredencoding(False))"
TOOLS = f"""
import pathlib, sys
sys.path.insert(0, {str(ROOT)!r})
import jupytext
from tools.build import notebook
from tools.build.generate import links, setup
from tools.build.lessons import find
lesson = find("{LESSON.stem}")
notebook.write(pathlib.Path("text.md"), jupytext.writes(notebook.edited_half(lesson), "md:myst"))
print(links(lesson))
print(setup())
"""
ENVIRONMENT_LINE = "from course_utils.environment import check_environment; print(check_environment())"


@pytest.fixture(scope="module")
def gbk(tmp_path_factory):
    """The environment of a process in which text is GBK; on Windows, whatever text is there without UTF-8 mode."""
    environment = {**os.environ, "PYTHONUTF8": "0"}
    if sys.platform != "win32":
        environment |= chinese_locale(tmp_path_factory.mktemp("locale"))
    encoding = subprocess.check_output([sys.executable, "-c", ENCODING], env=environment, text=True).strip()
    if sys.platform == "win32":
        assert encoding.lower() not in ("utf-8", "cp65001")
    elif encoding != "GBK":
        message = f"这台机器没有 zh_CN.GBK，也造不出来（现在的编码是 {encoding}），GBK 下没有检查。"
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    return environment


def chinese_locale(folder):
    """The variables that choose zh_CN.GBK: the machine's own, or one made in the folder."""
    listed = subprocess.check_output(["locale", "-a"], text=True).split()
    for name in listed:
        if name.lower() == "zh_cn.gbk":
            return {"LC_ALL": name}
    if shutil.which("localedef"):
        subprocess.run(["localedef", "-i", "zh_CN", "-f", "GBK", folder / "zh_CN.GBK"], capture_output=True)
    return {"LC_ALL": "zh_CN.GBK", "LOCPATH": str(folder)}


@pytest.fixture(scope="module")
def run(gbk, tmp_path_factory):
    """A lesson's exercises, solved, in a kernel whose text is GBK, and what the three cells after them print."""
    folder = tmp_path_factory.mktemp("gbk")
    done = json.dumps({"done": sorted(DONE)}, ensure_ascii=False)
    (folder / ".course_progress.json").write_text(done, encoding="utf-8")
    notebook = new_notebook(cells=section(LESSON))
    fill_in(notebook, LESSON)
    notebook.cells += [new_code_cell(source) for source in (ENCODING, ENVIRONMENT_LINE, TOOLS)]
    NotebookClient(
        notebook, kernel_name="python3", timeout=120, resources={"metadata": {"path": str(folder)}}
    ).execute(env=gbk)
    printed = ["".join(out.get("text", "") for out in cell.outputs) for cell in notebook.cells[-3:]]
    return SimpleNamespace(folder=folder, cells=notebook.cells, printed=printed)


@pytest.mark.notebooks
def test_the_kernel_has_no_utf8_of_its_own(run):
    assert run.printed[0].strip().lower() not in ("utf-8", "cp65001")


@pytest.mark.notebooks
def test_the_environment_line_is_printed(run):
    assert run.printed[1].startswith("✓ 环境就绪")


@pytest.mark.notebooks
def test_exercises_pass_and_progress_is_read_and_written_as_utf8(run):
    plain = [
        out.get("data", {}).get("text/plain", "") for cell in run.cells for out in cell.get("outputs", [])
    ]
    solved = {text.split()[2] for text in plain if text.startswith("✓ 练习")}
    assert solved == {"3.1", "3.2", "3.3"}
    written = json.loads((run.folder / ".course_progress.json").read_text(encoding="utf-8"))
    assert set(written["done"]) == DONE | solved


@pytest.mark.notebooks
def test_tools_read_and_write_utf8(run):
    sources = [cell.source for cell in read_text(LESSON).cells]
    assert [cell.source for cell in jupytext.read(run.folder / "text.md").cells] == sources
    chosen, links, setup = run.printed[2].split("\n", 2)
    assert chosen == f"{LESSON.stem}：以 {LESSON.text} 为准"
    assert links == sources[1] and "没能装上课程" in setup


def test_every_file_is_opened_with_its_encoding_named():
    # The rule is one that ruff calls a preview: asked for here, not in pyproject.toml, where it would bring others along.
    command = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--preview",
        "--select",
        "PLW1514",
        "--output-format",
        "concise",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["constraints.txt", "tests/oldest_constraints.txt", "environment.yml"])
def test_what_pip_and_conda_read_is_ascii(name):
    # pip reads such a file in the machine's own encoding.
    assert (ROOT / name).read_bytes().isascii()
