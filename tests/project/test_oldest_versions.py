"""The oldest versions that are tested are the oldest that are admitted."""

from packaging.requirements import Requirement
from packaging.version import Version
from support.packages import requirements
from support.project import TESTS

OLDEST = TESTS / "oldest_constraints.txt"
# Colab's notebooks run with these; pyproject.toml doesn't ask for them by name.
UNNAMED = {"ipython", "traitlets"}


def pins():
    lines = OLDEST.read_text(encoding="utf-8").splitlines()
    parsed = [Requirement(line) for line in lines if line and not line.startswith("#")]
    assert all(specifier.operator == "==" for requirement in parsed for specifier in requirement.specifier)
    return {requirement.name: Version(next(iter(requirement.specifier)).version) for requirement in parsed}


def test_oldest_constraints_are_the_lower_bounds():
    lowest = {
        name: Version(next(bound.version for bound in bounds if bound.operator == ">="))
        for name, bounds in requirements().items()
    }
    pinned = pins()
    assert {name: pinned.pop(name, None) for name in lowest} == lowest
    assert pinned.keys() == UNNAMED
