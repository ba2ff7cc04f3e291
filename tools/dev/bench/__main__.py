"""How fast the layer and the live views are: python -m tools.dev.bench (`make bench`). Prints medians; asserts nothing."""

from . import layers, views

layers.measure()
views.measure()
