"""Every link that holds the repository's address agrees with the one setting, and a new address reaches all of them."""

import json
import re
import shutil
import sys
from pathlib import Path

import jupytext
import nbformat
import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import links  # noqa: E402

LESSONS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
READMES = sorted(ROOT.glob("README*.md"))
HERE = links.address()
LAUNCHERS = r"https://(?:mybinder\.org|colab\.research\.google\.com)[^\s)\"\\]*"


def tagged(cells, tag):
    (cell,) = [cell for cell in cells if tag in cell.metadata.get("tags", [])]
    return cell


@pytest.fixture
def fork(tmp_path):
    """A copy of the files that hold the address."""
    for page in [*links.pages(), ROOT / "course_utils/__init__.py"]:
        copy = tmp_path / page.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(page, copy)
    return tmp_path


def check_lesson(lesson, root):
    halves = (
        nbformat.read(root / f"notebooks/{lesson}.ipynb", as_version=4),
        jupytext.read(root / f"notebooks/src/{lesson}.md"),
    )
    for half in halves:
        assert tagged(half.cells, "links").source == links.row(lesson, root)
        assert tagged(half.cells, "setup").source == links.setup(root)
        assert half.cells[1] == tagged(half.cells, "links")
        first = next(cell for cell in half.cells if cell.cell_type == "code")
        assert first == tagged(half.cells, "setup")


@pytest.mark.parametrize("lesson", LESSONS)
def test_each_lesson_has_its_links_and_the_set_up_cell(lesson):
    check_lesson(lesson, ROOT)


def test_a_row_leads_to_the_lesson_itself_and_to_its_neighbours():
    row = links.row(LESSONS[3])
    targets = re.findall(r"\]\(([^)]+)\)", row)
    assert len(targets) == 5
    assert all(target.endswith(f"notebooks/{LESSONS[3]}.ipynb") for target in targets[:3])
    assert targets[3:] == [f"{LESSONS[2]}.ipynb", f"{LESSONS[4]}.ipynb"]
    assert "上一课" not in links.row(LESSONS[0]) and "下一课" not in links.row(LESSONS[-1])


@pytest.mark.parametrize(
    "page", [*READMES, *(ROOT / "notebooks").glob("*.ipynb")], ids=lambda page: page.name
)
def test_each_launch_link_opens_a_lesson_of_this_repository(page):
    found = re.findall(LAUNCHERS, page.read_text(encoding="utf-8"))
    assert found
    for link in found:
        start = next(start for start in (HERE.binder, HERE.colab) if link.startswith(start))
        assert (ROOT / link.removeprefix(start)).is_file(), link


def test_a_new_address_reaches_every_link_and_the_old_one_comes_back(fork):
    before = {page: page.read_bytes() for page in links.pages(fork)}
    elsewhere = links.Address("some-one/a.course", "v1.2")
    links.move(elsewhere, fork)
    assert links.address(fork) == elsewhere
    for lesson in LESSONS:
        check_lesson(lesson, fork)
    for page in links.pages(fork):
        text = page.read_text(encoding="utf-8")
        assert HERE.repo not in text, page
        if page.suffix == ".ipynb":
            json.loads(text)
    links.move(HERE, fork)
    assert {page: page.read_bytes() for page in links.pages(fork)} == before


@pytest.mark.parametrize(
    ("repo", "branch"),
    [("", "main"), ("https://github.com/a/b", "main"), ("a", "main"), ("a/b", "x/y"), ("a/b", "")],
)
def test_an_address_that_no_link_can_hold_is_refused_in_words(repo, branch):
    with pytest.raises(SystemExit, match="make links REPO=用户名/仓库名 BRANCH=main"):
        links.main(repo, branch)
    assert links.address() == HERE
