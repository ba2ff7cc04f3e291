"""What several test files share."""

import inspect

import pytest
from beartype import beartype
from hypothesis import settings
from jaxtyping import Float, jaxtyped

# The first call into torch is slow, and a red run must be red again.
settings.register_profile("course", deadline=None, derandomize=True)
settings.load_profile("course")


@pytest.fixture
def check_shapes(monkeypatch):
    """check_shapes(module): from here on each public function of it checks the shapes in its annotations."""

    def check(module):
        # The modules import Float for type checkers only.
        monkeypatch.setattr(module, "Float", Float, raising=False)
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ == module.__name__ and not name.startswith("_"):
                monkeypatch.setattr(module, name, jaxtyped(function, typechecker=beartype))

    return check
