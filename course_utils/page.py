"""The type of the page that shows the notebook: JupyterLab's and Notebook's sizes for prose, code and outputs."""

from __future__ import annotations

from functools import cache

import anywidget
import traitlets

# JupyterLab's own variables, for prose and formulas and for code and outputs; the headings follow the prose.
_SIZES = ("--jp-content-font-size1", "--jp-code-font-size")
_LARGE = "20px"


class Page(anywidget.AnyWidget):
    """Never shown: it works on the whole page, so it doesn't end with a cell that is scrolled out of sight.

    Where an output has a page of its own, as on Colab, nothing happens.
    """

    _esm = """
    export default {
      initialize({ model }) {
        const apply = () => {
          for (const [name, size] of Object.entries(model.get("sizes")))
            document.documentElement.style.setProperty(name, size);
        };
        apply();
        model.on("change:sizes", apply);
      },
    };
    """
    sizes = traitlets.Dict().tag(sync=True)


@cache
def page() -> Page:
    """The one that a kernel has."""
    return Page()


def set_type(large: bool) -> None:
    """Type for a projector, or as it was: a property that is set to nothing is taken away."""
    page().sizes = dict.fromkeys(_SIZES, _LARGE if large else "")
