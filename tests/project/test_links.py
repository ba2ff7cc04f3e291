"""Every link that holds the repository's address agrees with the one setting, and a new address reaches all of them."""

import json
import re
import shutil

import jupytext
import nbformat
import pytest
from support.project import ROOT

from tools.dev import links

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
        starts = [form.format(**HERE) for form in (links.BINDER, links.COLAB)]
        start = next(start for start in starts if link.startswith(start))
        assert (ROOT / "notebooks" / link.removeprefix(start)).is_file(), link


def test_a_new_address_reaches_every_link_and_the_old_one_comes_back(fork):
    before = {page: page.read_bytes() for page in links.pages(fork)}
    old, new = (
        [form.format(**where) for form in links.FORMS]
        for where in (HERE, {"repo": "else/where", "branch": "v1.2"})
    )
    links.move("else/where", "v1.2", fork)
    assert links.address(fork) == {"repo": "else/where", "branch": "v1.2"}
    for lesson in LESSONS:
        check_lesson(lesson, fork)
    texts = {page: page.read_text(encoding="utf-8") for page in links.pages(fork)}
    for page, text in texts.items():
        assert not [link for link in old if link in text], page
        if page.suffix == ".ipynb":
            json.loads(text)
    assert [link for link in new if link not in "".join(texts.values())] == []
    links.move(**HERE, root=fork)
    assert {page: page.read_bytes() for page in links.pages(fork)} == before


def test_links_that_disagree_are_mended(fork):
    project = fork / "pyproject.toml"
    text = project.read_text(encoding="utf-8")
    project.write_text(text.replace(HERE["repo"], "somebody/else"), encoding="utf-8")
    links.move("an-other/one", "main", fork)
    for lesson in LESSONS:
        check_lesson(lesson, fork)


def test_a_setting_that_is_gone_is_said_in_words(fork):
    (fork / "pyproject.toml").write_text("[project.urls]\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="没有这样一行：Repository"):
        links.address(fork)


@pytest.mark.parametrize(
    ("repo", "branch"),
    [
        ("", "main"),
        ("a/b.git", "main"),
        ("../..", "main"),
        ("-x/y", "main"),
        ("https://github.com/a/b", "main"),
        ("a", "main"),
        ("a/b", "x/y"),
        ("a/b", ""),
    ],
)
def test_an_address_that_no_link_can_hold_is_refused_in_words(repo, branch):
    with pytest.raises(SystemExit, match="make links REPO=用户名/仓库名 BRANCH=main"):
        links.main(repo, branch)
    assert links.address() == HERE
