"""What the READMEs say about minutes, sections, commands and files holds, in both languages."""

import re

import pytest
from support.lessons import read_text
from support.project import ROOT

from course_utils.exercises.catalogue import of_lesson
from tools.build.lessons import LESSONS
from tools.build.tags import tagged

READMES = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README.en.md")}
COMMAND = r"(?:`|^)make ([a-z]+)"
# README.en.md names the sections of lesson 00 in English, in this order.
ENGLISH = ("what does 打 mean?", "the whole chain", "notation card", "map")


@pytest.fixture(params=READMES)
def readme(request):
    return READMES[request.param]


def minutes_of_sections(number):
    """Section title, where it has one its number -> minutes."""
    (lesson,) = [lesson for lesson in LESSONS if lesson.number == number]
    minutes = {heading.split(" · ")[0]: minutes for heading, minutes in lesson.sections.items()}
    if lesson == LESSONS[0]:
        minutes |= dict(zip(ENGLISH, lesson.sections.values(), strict=True))
    return minutes


def test_the_lessons_are_those_of_the_table(readme):
    rows = re.findall(r"^\| \[(\d\d) (.+?)\]\((notebooks/.+?)\) \| (\d+) \|", readme, re.MULTILINE)
    table = [(lesson.number, lesson.title, lesson.notebook, str(lesson.minutes)) for lesson in LESSONS]
    if readme == READMES["README.md"]:
        assert rows == table
    else:
        without_titles = [[(number, *rest) for number, _, *rest in lessons] for lessons in (rows, table)]
        assert without_titles[0] == without_titles[1]


def test_the_first_and_the_last_lesson_and_the_numbers_of_exercises_are_told():
    counts = [len(of_lesson(lesson.number)) for lesson in LESSONS[1:]]
    ends = f"{LESSONS[1].number} (?:到|to) {LESSONS[-1].number}"
    assert len(of_lesson(LESSONS[0].number)) == 0
    for readme in READMES.values():
        assert re.search(f"{LESSONS[0].number} (?:到|to) {LESSONS[-1].number}", readme)
        assert re.search(f"{ends} .*{min(counts)} (?:到|to) {max(counts)} ", readme)


def test_each_view_is_asked_about_in_its_lesson(readme):
    _, table, *_ = re.split(
        r"^\*\*(?:拖滑块之前先问|Before you move a slider, ask)\*\*.*$", readme, flags=re.MULTILINE
    )
    numbers = re.findall(r"^\| .+? \| (\d\d) \| .+ \|$", table.split("**")[0], re.MULTILINE)
    shown = [lesson.number for lesson in LESSONS for cell in read_text(lesson).cells if tagged(cell, "view")]
    assert numbers == shown != []


def test_each_plan_adds_up_to_what_the_notes_say_and_fits_its_45_minutes(readme):
    plans = re.findall(r"(?:^\| \d\d \| .+ \| \d+ \|\n)+", readme, re.MULTILINE)
    assert len(plans) == 3
    for plan in plans:
        total = 0
        for lesson, sections, minutes in re.findall(r"\| (\d\d) \| (.+) \| (\d+) \|", plan):
            known = minutes_of_sections(lesson)
            assert sum(known[section] for section in re.split("[；;、,] *", sections)) == int(minutes), lesson
            total += int(minutes)
        assert 35 <= total <= 45


def test_every_command_is_there(readme):
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(COMMAND, readme, re.MULTILINE))
    assert {"lab", "test", "links", "notebooks", "solutions", "help"} <= named <= targets


def headings(text):
    """The anchors of a README's headings, as GitHub makes them."""
    return {re.sub(r"[^\w-]", "", h.lower().replace(" ", "-")) for h in re.findall("^#+ (.+)$", text, re.M)}


@pytest.mark.parametrize("name", READMES)
def test_every_file_and_heading_that_is_linked_is_there(name):
    links = re.findall(r'(?:\]\(|src=")(?!http)([^)"]+)', READMES[name])
    assert len(links) > 10
    for link in links:
        file, _, heading = link.partition("#")
        assert (ROOT / file).exists(), link
        assert not heading or heading in headings(READMES[file or name]), link


def test_the_pictures_are_small_and_all_used():
    pictures = list((ROOT / "images").iterdir())
    assert len(pictures) == 5
    story = (ROOT / LESSONS[0].text).read_text(encoding="utf-8")
    for picture in pictures:
        assert picture.stat().st_size < 60_000
        used = [f"images/{picture.name}" in text for text in READMES.values()]
        assert all(used) or f"../images/{picture.name}" in story


def test_the_files_named_for_maintainers_are_there():
    named = re.findall(r"`((?:[\w.-]+/)*[\w-]+\.(?:py|md|txt|yml|cfg))`", READMES["README.md"])
    assert len(named) > 8
    places = [ROOT, ROOT / "course_utils", ROOT / "course_utils/exercises", ROOT / "tests", ROOT / "tools"]
    missing = [name for name in named if not any((place / name).exists() for place in places)]
    assert [name for name in missing if not name.startswith("07_")] == []


def test_both_languages_say_the_same_things():
    chinese, english = READMES.values()
    for found in (
        COMMAND,
        r"notebooks/\w+\.ipynb",
        r"https?://[^\s)\"`，。]+",
        r"\| \d\d \| .+ \| (\d+) \|",
    ):
        assert sorted(set(re.findall(found, chinese, re.M))) == sorted(set(re.findall(found, english, re.M)))
