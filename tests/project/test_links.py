"""Every link that holds the repository's address agrees with the one setting, and a new address reaches all of them."""

import json
import os
import re
import shutil
import subprocess
import sys

import jupytext
import nbformat
import pytest
from support.lessons import each_lesson
from support.project import ROOT

from tools.build.address import BINDER, COLAB, FORMS, address
from tools.build.generate import links, setup
from tools.build.lessons import LESSONS
from tools.build.tags import tagged
from tools.dev.links import main, move, pages

HERE = address()
LAUNCHERS = r"https://(?:mybinder\.org|colab\.research\.google\.com)[^\s)\"\\]*"


def only(cells, tag):
    (cell,) = [cell for cell in cells if tagged(cell, tag)]
    return cell


@pytest.fixture
def fork(tmp_path):
    """A copy of the files that hold the address."""
    for page in [*pages(), ROOT / "course_utils/__init__.py"]:
        copy = tmp_path / page.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(page, copy)
    return tmp_path


def check_lesson(lesson, root):
    halves = (
        nbformat.read(root / lesson.notebook, as_version=4),
        jupytext.read(root / lesson.text),
    )
    for half in halves:
        assert only(half.cells, "links").source == links(lesson, root)
        assert only(half.cells, "setup").source == setup(root)
        assert half.cells[1] == only(half.cells, "links")
        first = next(cell for cell in half.cells if cell.cell_type == "code")
        assert first == only(half.cells, "setup")


@each_lesson
def test_each_lesson_has_its_links_and_the_set_up_cell(lesson):
    check_lesson(lesson, ROOT)


def test_a_row_leads_to_the_lesson_itself_and_to_its_neighbours():
    before, here, after = LESSONS[2:5]
    targets = re.findall(r"\]\(([^)]+)\)", links(here))
    assert len(targets) == 5
    assert all(target.endswith(here.notebook) for target in targets[:3])
    assert targets[3:] == [f"{before.stem}.ipynb", f"{after.stem}.ipynb"]
    assert "上一课" not in links(LESSONS[0]) and "下一课" not in links(LESSONS[-1])


def test_every_page_that_may_hold_the_address_is_reached():
    there = [
        path for form in ("README*.md", "notebooks/*.ipynb", "notebooks/src/*.md") for path in ROOT.glob(form)
    ]
    assert set(pages()) == {ROOT / "pyproject.toml", *there}


@pytest.mark.parametrize(
    "page", [page for page in pages() if page.suffix != ".toml"], ids=lambda page: page.name
)
def test_each_launch_link_opens_a_lesson_of_this_repository(page):
    found = re.findall(LAUNCHERS, page.read_text(encoding="utf-8"))
    assert found
    for link in found:
        starts = [form.format(**HERE) for form in (BINDER, COLAB)]
        start = next(start for start in starts if link.startswith(start))
        assert (ROOT / "notebooks" / link.removeprefix(start)).is_file(), link


def test_a_new_address_reaches_every_link_and_the_old_one_comes_back(fork):
    before = {page: page.read_bytes() for page in pages(fork)}
    old, new = (
        [form.format(**where) for form in FORMS] for where in (HERE, {"repo": "else/where", "branch": "v1.2"})
    )
    move("else/where", "v1.2", fork)
    assert address(fork) == {"repo": "else/where", "branch": "v1.2"}
    for lesson in LESSONS:
        check_lesson(lesson, fork)
    texts = {page: page.read_text(encoding="utf-8") for page in pages(fork)}
    for page, text in texts.items():
        assert not [link for link in old if link in text], page
        if page.suffix == ".ipynb":
            json.loads(text)
    assert [link for link in new if link not in "".join(texts.values())] == []
    move(**HERE, root=fork)
    assert {page: page.read_bytes() for page in pages(fork)} == before


def test_links_that_disagree_are_mended(fork):
    project = fork / "pyproject.toml"
    text = project.read_text(encoding="utf-8")
    project.write_text(text.replace(HERE["repo"], "somebody/else"), encoding="utf-8")
    move("an-other/one", "main", fork)
    for lesson in LESSONS:
        check_lesson(lesson, fork)


def test_a_setting_that_is_gone_is_said_in_words(fork):
    (fork / "pyproject.toml").write_text("[project.urls]\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="没有这样一行：Repository"):
        address(fork)


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
        main(repo, branch)
    assert address() == HERE


def test_nothing_is_installed_for_a_new_address():
    command = [sys.executable, "-S", "-m", "tools.dev.links", "no-name"]
    environment = os.environ | {"PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", env=environment)
    assert done.stderr.startswith("REPO=no-name BRANCH=main 不能用。")
