"""Tags say what a cell is, and agree with what a reader sees: a forgotten tag would leave a cell to the wrong place."""

import re

import pytest
from support.lessons import each_lesson, read_text

from tools.build.tags import SECTION, TAGS, tagged

NOTE = r"<details>\n<summary>讲课提示（\d+ 分钟）</summary>\n\n[^<]+\n\n</details>"
# What a reader sees -> the tag it must have; and no other cell has the tag.
SEEN = {
    r"(?m)^\*\*预测[一二三四五六七八九]?\*\*：": "prediction",
    "讲课提示（": "note",
    r"^\*\*时间\*\*": "goals",
    r"^## 小结\n": "summary",
    "参考答案": "solution",
    r"^(### 小测验|quiz\()": "quiz",
    r"^## 练习\n|^progress\(\)$|import check, hint": "exercises",
    r"^### 练习 \d|\ncheck\(": "exercise",
    r"(?m)^(\w+ = )?explorers\.[A-Z]": "view",
}


@each_lesson
def test_every_tag_is_one_of_the_list(lesson):
    for cell in read_text(lesson).cells:
        assert set(cell.metadata.get("tags", [])) <= TAGS.keys(), cell.source


@each_lesson
@pytest.mark.parametrize("seen", SEEN, ids=SEEN.values())
def test_tags_agree_with_what_is_seen(lesson, seen):
    for cell in read_text(lesson).cells:
        assert bool(re.search(seen, cell.source)) == tagged(cell, SEEN[seen]), cell.source


@each_lesson
def test_a_lesson_has_its_parts_in_their_order(lesson):
    cells = read_text(lesson).cells
    (links,), (goals,), (setup,), (summary,) = (
        [k for k, cell in enumerate(cells) if tagged(cell, tag)]
        for tag in ("links", "goals", "setup", "summary")
    )
    preparation = [k for k, cell in enumerate(cells) if tagged(cell, "preparation")]
    section = [k for k, cell in enumerate(cells) if tagged(cell, *SECTION)]
    assert (links, goals, summary) == (1, 2, len(cells) - 1)
    # Set-up and preparation are one block under the goals, the exercises one block above the summary.
    assert sorted([setup, *preparation]) == list(range(3, 4 + len(preparation)))
    sections = [k for k, cell in enumerate(cells) if cell.source.startswith("## ") and k > setup]
    assert all(cell.cell_type == "markdown" for cell in cells[4 + len(preparation) : sections[0]])
    assert section == list(range(summary - len(section), summary))


@each_lesson
def test_a_note_is_a_fold_of_its_own(lesson):
    for cell in read_text(lesson).cells:
        assert not tagged(cell, "note") or re.fullmatch(NOTE, cell.source), cell.source
