"""A lesson alone in an empty folder, on a machine like Colab that doesn't have the course: the set-up cell sees to it.

The machine is a copy of the Colab-like environment of `make test`, of hard links, so that whatever pip would do to
torch or numpy it could really do. A local git repository of this checkout answers for the address on GitHub.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from support.checkout import committed_copy
from support.project import ROOT

from tools.build.address import address
from tools.build.generate import setup
from tools.build.lessons import find

COLAB = ROOT / ".venv-colab"
LESSON = ROOT / find("03_score_heatmap").notebook
PYTHON = "Scripts/python.exe" if sys.platform == "win32" else "bin/python"

pytestmark = pytest.mark.colab

# Runs in the copy: the first cells of a notebook in one kernel, and what they put out.
RUN = """
import json, sys
from jupyter_client.manager import start_new_kernel
def show(message):
    content = message["content"]
    if message["msg_type"] in ("stream", "execute_result", "error"):
        shown.append("".join(content.get("traceback") or content.get("text") or content["data"]["text/plain"]))
shown = []
manager, client = start_new_kernel(kernel_name="python3")
for source in json.load(sys.stdin):
    client.execute_interactive(source, output_hook=show, timeout=120)
client.stop_channels()
manager.shutdown_kernel(now=True)
print(json.dumps(shown))
"""


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    folder = tmp_path_factory.mktemp("repository")
    return committed_copy(folder, branch=address()["branch"])


class Machine:
    """A copy of the Colab-like environment, an empty folder, and the way to the repository."""

    def __init__(self, place: Path, folder: Path, repository: Path):
        shutil.copytree(COLAB, place, symlinks=True, copy_function=os.link)
        self.python, self.folder = place / PYTHON, folder
        settings = folder.parent / "gitconfig"
        github = f"https://github.com/{address()['repo']}"
        settings.write_text(f'[url "{repository.as_uri()}"]\n\tinsteadOf = {github}\n', encoding="utf-8")
        self.environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        self.environment |= {"GIT_CONFIG_GLOBAL": str(settings), "JUPYTER_PATH": str(place / "share/jupyter")}

    def run(self, *arguments: str, **options) -> str:
        command = [self.python, *arguments]
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            check=True,
            timeout=250,
            **options,
        )
        return done.stdout

    def packages(self) -> dict[str, str]:
        listed = json.loads(self.run("-m", "pip", "list", "--format=json", "--disable-pip-version-check"))
        return {package["name"].lower(): package["version"] for package in listed}

    def cells(self, *sources: str) -> list[str]:
        """What these cells put out, run one after the other in a new kernel."""
        return json.loads(self.run("-c", RUN, input=json.dumps(sources)))


@pytest.fixture(scope="module")
def machine(tmp_path_factory, pytestconfig, repository):
    if not COLAB.exists():
        message = "没有 .venv-colab（make test 会建），单独一课的安装没有检查。"
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    folder = tmp_path_factory.mktemp("colab") / "only"
    folder.mkdir()
    shutil.copy(LESSON, folder)
    # Beside the environment, since hard links don't reach from one disk to another.
    place = pytestconfig.cache.mkdir("colab") / "venv"
    shutil.rmtree(place, ignore_errors=True)
    machine = Machine(place, folder, repository)
    machine.run("-m", "pip", "uninstall", "--quiet", "--yes", "self-attention-course")
    yield machine
    shutil.rmtree(place)


def test_a_lesson_alone_installs_the_course_and_nothing_else(machine):
    cells = nbformat.read(machine.folder / LESSON.name, as_version=4).cells
    set_up, first, second = [cell.source for cell in cells if cell.cell_type == "code"][:3]
    assert os.listdir(machine.folder) == [LESSON.name]
    before = machine.packages()
    assert "self-attention-course" not in before

    shown = machine.cells(set_up, set_up, first, second)
    after = machine.packages()
    new = {name: version for name, version in after.items() if before.get(name) != version}
    assert new.keys() == {"self-attention-course"}
    assert before.items() <= after.items()
    assert [text.startswith("✓ 环境就绪") for text in shown].count(True) == 2, shown
    assert "Error" not in "".join(shown)

    # In a new kernel the course is there, and the cell asks nobody for it.
    machine.environment["PIP_NO_INDEX"] = "1"
    (again,) = machine.cells(set_up)
    assert again.startswith("✓ 环境就绪")
    assert machine.packages() == after


def test_what_is_missing_or_old_is_said_in_a_sentence(machine):
    (sentence,) = machine.cells(re.sub('course="', 'course="9.', setup()))
    assert re.fullmatch(
        r"✗ 装好的课程是 [\d.]+，这份 notebook 需要 9\.[\d.]+。请运行 %pip uninstall.+", sentence
    )
    machine.run("-m", "pip", "uninstall", "--quiet", "--yes", "anywidget")
    (sentence,) = machine.cells(setup())
    assert re.fullmatch(
        r"✗ 缺少 anywidget（需要 >=0\.9\.21）。请运行 %pip install .+，再重启内核.+", sentence
    )


def test_an_address_that_does_not_answer(machine):
    machine.run("-m", "pip", "uninstall", "--quiet", "--yes", "self-attention-course")
    machine.environment["GIT_CONFIG_GLOBAL"] = os.devnull
    nowhere = setup().replace("https://github.com", (machine.folder / "nowhere").as_uri())
    shown = machine.cells(nowhere)
    assert "SystemExit: 没能装上课程。先看这个内核有没有 pip" in re.sub("\x1b.*?m", "", "".join(shown))
    assert "Traceback" not in "".join(shown)


def test_beside_the_course_the_wrong_kernel_is_told_at_once(machine):
    """Before this test the course was taken away; now nothing is installed and pip says nothing."""
    (machine.folder.parent / "course_utils").mkdir()
    before = machine.packages()
    shown = re.sub("\x1b.*?m", "", "".join(machine.cells(setup())))
    assert "SystemExit: 选错了内核。点右上角内核的名字，选课程文件夹里 .venv 的那一个。" in shown
    assert "Traceback" not in shown and "pip" not in shown
    assert machine.packages() == before
