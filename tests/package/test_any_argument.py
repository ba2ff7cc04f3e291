"""Every function that a student calls, with anything in the place of each argument: a result, or an error in Chinese.

Pictures and views have tests of their own. A new function is found by itself; its parameters need an entry in VALID.
"""

import inspect
import math
import re
from importlib import import_module

import numpy as np
import pytest
import torch
from torch import nn

from course_utils import exercises
from course_utils.environment import NotReadyError
from course_utils.example import running_trace
from course_utils.exercises import progress_list, quiz_view

ROOMS = (
    "attention",
    "environment",
    "example",
    "exercises",
    "learning",
    "progress_bar",
    "saturation",
    "sentence",
    "show",
)
TRACE = running_trace()
# What each parameter may be, by its name.
VALID = {
    **{name: getattr(TRACE, name) for name in ("X", "W_Q", "W_K", "W_V", "Q", "K", "V", "S", "A", "tokens")},
    **{"W": TRACE.W_Q, "name": "W_Q", "p": 0.5, "d_k": 3, "d_v": 2, "d_model": 5, "D": 5, "M": TRACE.X},
    **{"text": "我喜欢打篮球", "token": "打", "words": ("我", "打"), "course": "0.1.0"},
    **{
        "id": "3.3",
        "answer": "打",
        "lesson": "03",
        "one": TRACE.X,
        "other": TRACE.X,
        "items": "ab",
        "label": "训练",
    },
    **{"batch": 4, "keys": torch.ones(3, 2), "values": torch.ones(3, 2), "generator": torch.Generator()},
    **{"seed": 0, "steps": 2, "start": "1/D", "count": 3, "L": 4, "d_ks": (2, 4), "groups": 2, "size": 9},
    **{"draws": 2, "rows": torch.ones(4), "Ws": (TRACE.W_Q, TRACE.W_K, TRACE.W_V), "T": TRACE.B},
    **{"features": TRACE.features, "channels": TRACE.channels, "contents": TRACE.contents},
}
M, HUGE = torch.ones(4, 5), 10**30
ODD = {
    **{repr(thing): thing for thing in (None, True, -1, 0, 3, HUGE, 0.5, 3.2, math.nan, -math.inf, 1j)},
    **{
        repr(thing): thing
        for thing in ("", "X", "  ", "NaN", "3.2", "1.x", "\x00\ud7ff", b"x", [], (), {}, set())
    },
    **{
        repr(thing): thing
        for thing in ([[1.0, 2.0]], [[1.0], [1.0, 2.0]], ("我", 3), range(3), print, object)
    },
    "array": np.ones((4, 5)),
    "object array": np.array([None]),
    "layer": nn.Linear(2, 2),
    "generator": torch.Generator(),
    "number": torch.tensor(1.0),
    "row": torch.ones(4),
    "matrix": M,
    "three axes": torch.ones(2, 4, 5),
    "five axes": torch.ones(1, 2, 1, 4, 5),
    "no rows": torch.ones(0, 5),
    "no columns": torch.ones(4, 0),
    "integers": M.long(),
    "truths": M.bool(),
    "complex": M.to(torch.complex64),
    "half": M.half(),
    "bfloat16": M.bfloat16(),
    "double": M.double(),
    "NaN": M * math.nan,
    "inf": M * math.inf,
    "masked": torch.tensor([[0.0, -math.inf], [0.0, 0.0]]),
    "wholly masked": M * -math.inf,
    "to learn": M.clone().requires_grad_(),
    "sparse": M.to_sparse(),
    "meta": M.to("meta"),
    "nested": torch.nested.nested_tensor([torch.ones(2, 3), torch.ones(1, 3)], layout=torch.jagged),
}


def functions():
    """Name -> function, of each room; a class counts as what makes it."""
    for room in ROOMS:
        module = import_module(f"course_utils.{room}")
        for name, thing in vars(module).items():
            exported = name in getattr(module, "__all__", ()) or thing_lives_in(thing, module)
            if name.startswith("_") or not exported:
                continue
            if inspect.isfunction(thing):
                yield f"{room}.{name}", thing
    for name in ("Trace.of", "SelfAttention"):
        owner, _, method = name.partition(".")
        cls = getattr(import_module("course_utils.attention"), owner)
        yield f"attention.{name}", getattr(cls, method) if method else cls


def thing_lives_in(thing, module):
    return getattr(thing, "__module__", None) == module.__name__


FUNCTIONS = dict(functions())
# What these are there to raise.
MEANT = {"environment.check_environment": NotReadyError, "show.same": AssertionError}


@pytest.fixture(autouse=True)
def nothing_shown(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for module in (exercises, progress_list, quiz_view, import_module("course_utils.progress_bar")):
        monkeypatch.setattr(module, "display", lambda *args, **kwargs: None)


def call(function, arguments):
    result = function(**arguments)
    return list(result) if inspect.isgenerator(result) else result


@pytest.mark.parametrize("name", FUNCTIONS)
def test_any_argument_gives_a_result_or_a_chinese_error(name):
    function = FUNCTIONS[name]
    valid = {parameter: VALID[parameter] for parameter in inspect.signature(function).parameters}
    call(function, valid)
    told = []
    for parameter in valid:
        for kind, odd in ODD.items():
            if odd is HUGE and name.startswith(("learning", "saturation")):
                continue  # that many draws or steps take as long as they take
            try:
                call(function, valid | {parameter: odd})
            except Exception as error:
                expected = type(error) in (ValueError, TypeError, MEANT.get(name))
                in_chinese = expected and re.search("[\u4e00-\u9fff]", str(error))
                if not in_chinese:
                    told.append(f"{parameter} = {kind}: {error!r:.150}")
    assert not told, "\n".join(told)
