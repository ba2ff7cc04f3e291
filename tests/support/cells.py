"""The code cells of a lesson, run in this process: fast, and nothing is drawn."""

import ast

import torch

from course_utils.style import CourseFigure


def run(source: str, names: dict[str, object]) -> str:
    """Run a cell in a namespace; what its last line is worth, as text, "" when it isn't an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return "" if last is None else spelled(eval(compile(ast.Expression(last.value), "cell", "eval"), names))


def spelled(value: object) -> str:
    """A value as a notebook tells it; of a figure all that is written on it, of a view its class alone."""
    if isinstance(value, CourseFigure):
        return "\n".join([value.alt, *(text.get_text() for ax in value.axes for text in ax.texts)])
    if isinstance(value, torch.Tensor):
        return repr(value.detach())
    return type(value).__name__ if hasattr(value, "twin") else repr(value)
