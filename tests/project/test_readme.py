"""What the READMEs say about minutes, sections, commands and files holds, in both languages."""

import re

import jupytext
import pytest
from support.project import ROOT

LESSONS = {
    path.stem: path.read_text(encoding="utf-8") for path in sorted((ROOT / "notebooks/src").glob("*.md"))
}
READMES = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README.en.md")}
COMMAND = r"(?:`|^)make ([a-z]+)"
# README.en.md names the sections of lesson 00 in English, in this order.
ENGLISH = ("what does 打 mean?", "the whole chain", "notation card", "map")


@pytest.fixture(params=READMES)
def readme(request):
    return READMES[request.param]


def minutes_of_sections(lesson):
    """Section title or number -> minutes in its speaker notes."""
    text = next(text for name, text in LESSONS.items() if name.startswith(lesson))
    found, title = {}, None
    for cell in jupytext.reads(text, "md:myst").cells:
        if heading := re.match(r"## (.+)", cell.source):
            title = heading[1].split(" · ")[0]
        if minutes := re.search(r"讲课提示（(\d+) 分钟）", cell.source):
            found[title] = int(minutes[1])
    if lesson == "00":
        found |= dict(zip(ENGLISH, found.values(), strict=True))
    return found


def test_the_map_gives_the_minutes_of_every_lesson(readme):
    rows = re.findall(r"^\| \[\d\d .+?\]\(notebooks/(.+?)\.ipynb\) \| (\d+) \|", readme, re.MULTILINE)
    stated = {name: re.search(r"\*\*时间\*\*：约 (\d+) 分钟", text)[1] for name, text in LESSONS.items()}
    assert dict(rows) == stated


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
    assert len(pictures) == 4
    for picture in pictures:
        assert picture.stat().st_size < 60_000
        assert all(f"images/{picture.name}" in text for text in READMES.values())


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
