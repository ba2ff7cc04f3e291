"""The JS and CSS of a view in one piece each: nothing is fetched when it runs."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parents[1]
_IMPORT = re.compile(r'^import \{[^}]*\} from "(\.[\w./]+\.js)";\n', re.MULTILINE)


def script(name: str) -> str:
    """The view's module with the modules it imports put before it, each once; only the view keeps its exports.

    All of them share one scope: a name at the top of one module must not stand at the top of another.
    """
    order: list[Path] = []
    _visit(FOLDER / name, order)
    shared = [re.sub(r"^export ", "", _body(module), flags=re.MULTILINE) for module in order[:-1]]
    return "\n".join([*shared, _body(FOLDER / name)])


def styles(name: str) -> str:
    """What all views share, then the view's own."""
    return (FOLDER / "shared" / "view.css").read_text("utf-8") + (FOLDER / name).read_text("utf-8")


def _visit(module: Path, order: list[Path]) -> None:
    for imported in _IMPORT.findall(module.read_text("utf-8")):
        _visit((module.parent / imported).resolve(), order)
    if module not in order:
        order.append(module)


def _body(module: Path) -> str:
    return _IMPORT.sub("", module.read_text("utf-8"))
