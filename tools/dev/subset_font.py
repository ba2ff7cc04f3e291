"""Cut the course's font out of Noto Sans CJK: python -m tools.dev.subset_font NotoSansCJK-Regular.ttc

Needs fonttools. The source is the collection that Debian's package fonts-noto-cjk installs (OFL 1.1).
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTCollection

# A name of its own, so that a system font of another cut never answers in its place.
FAMILY = "Noto Sans SC Course"
TARGET = Path(__file__).parents[2] / "course_utils" / "fonts" / "NotoSansSC-Course.otf"

GB2312 = {
    char
    for lead in range(0xA1, 0xF8)
    for trail in range(0xA1, 0xFF)
    for char in bytes([lead, trail]).decode("gb2312", "ignore")
}
LATIN = {chr(code) for code in (*range(0x20, 0x7F), *range(0xA0, 0x100))}
GREEK = {chr(code) for code in range(0x391, 0x3CA)}
SIGNS = set("−×·÷±∑∏∂∇∞∈∉≈≠≡≤≥←↑→↓↔⇒⇔′″‖…—–“”‘’•●○■□▲△▼▽◆◇★☆✓✗①②③④⑤⑥⑦⑧⑨⑩")
# Drawn a full character wide with a bar over nothing; the fallback's √ stands close to its dₖ.
LEFT_OUT = set("√")


def main(collection: str) -> None:
    fonts = TTCollection(collection).fonts
    font = next(font for font in fonts if font["name"].getDebugName(1) == "Noto Sans CJK SC")
    options = subset.Options(layout_features=[], hinting=False, name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14])
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[ord(char) for char in (GB2312 | LATIN | GREEK | SIGNS) - LEFT_OUT])
    subsetter.subset(font)
    for name_id, text in ((1, FAMILY), (4, FAMILY), (6, FAMILY.replace(" ", ""))):
        font["name"].setName(text, name_id, 3, 1, 0x409)
    top = font["CFF "].cff.topDictIndex[0]
    top.FamilyName = top.FullName = FAMILY
    TARGET.parent.mkdir(exist_ok=True)
    font.save(TARGET)


if __name__ == "__main__":
    main(sys.argv[1])
