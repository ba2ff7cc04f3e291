"""Code, prose and font each have their licence in full, and the package names those of what it installs."""

import re

import pytest
from packaging.licenses import canonicalize_license_expression
from support.packages import PROJECT
from support.project import ROOT

# SPDX name -> file, how the text begins, and its last sentence: a text cut short is no licence.
LICENCES = {
    "MIT": ("LICENSE", "MIT License", "OR OTHER DEALINGS IN THE SOFTWARE."),
    "CC-BY-4.0": (
        "LICENSE-CC-BY-4.0.txt",
        "Attribution 4.0 International",
        "Creative Commons may be contacted at creativecommons.org.",
    ),
    "OFL-1.1": ("course_utils/fonts/OFL.txt", "Copyright 2014-2021 Adobe.", "DEALINGS IN THE FONT SOFTWARE."),
}


def text_of(name):
    """A licence with its line breaks and indents taken for single spaces."""
    return " ".join((ROOT / LICENCES[name][0]).read_text(encoding="utf-8").split())


@pytest.mark.parametrize("name", LICENCES)
def test_a_licence_is_there_from_its_first_to_its_last_sentence(name):
    _, first, last = LICENCES[name]
    assert text_of(name).startswith(first)
    assert text_of(name).endswith(last)


def test_no_section_of_cc_by_is_left_out():
    assert re.findall(r" Section (\d) -- [A-Z]", text_of("CC-BY-4.0")) == list("12345678")


def test_the_package_names_the_licences_of_code_and_font():
    """Lessons and README pictures, under CC BY, aren't installed."""
    expression = PROJECT["project"]["license"]
    assert canonicalize_license_expression(expression) == expression
    files = [LICENCES[name][0] for name in expression.split(" AND ")]
    assert PROJECT["project"]["license-files"] == files
