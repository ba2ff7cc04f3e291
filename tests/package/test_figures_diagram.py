"""The diagram of the chain names every size."""

from support.gallery import real_size
from support.seen import said

from course_utils import figures


def test_flow_names_every_size():
    words = said(figures.flow(real_size()))
    assert words.count("512×64") == 3 and words.count("4×64") == 4 and words.count("4×4") == 2
    assert "4×512" in words
