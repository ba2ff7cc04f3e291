"""What several test files share."""

import inspect

import pytest
from beartype import beartype
from hypothesis import settings
from jaxtyping import Float, jaxtyped
from support.glyphs import glyph_troubles  # noqa: F401 (a fixture)
from support.project import TESTS

# The first call into torch is slow, and a red run must be red again.
settings.register_profile("course", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("course")


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.is_relative_to(TESTS / "browser"):
            item.add_marker("browser")


@pytest.fixture
def check_shapes(monkeypatch):
    """check_shapes(module): from here on its public functions, __init__ and forward check what they annotate."""

    def check(module):
        # The modules import Float for type checkers only.
        monkeypatch.setattr(module, "Float", Float, raising=False)
        own = [(name, thing) for name, thing in vars(module).items() if _lives_in(module, thing)]
        places = [
            (module, name) for name, thing in own if inspect.isfunction(thing) and not name.startswith("_")
        ]
        classes = [thing for _, thing in own if inspect.isclass(thing)]
        places += [(cls, name) for cls in classes for name in ("__init__", "forward") if name in vars(cls)]
        for place, name in places:
            monkeypatch.setattr(place, name, jaxtyped(getattr(place, name), typechecker=beartype))

    return check


def _lives_in(module, thing):
    return getattr(thing, "__module__", None) == module.__name__
