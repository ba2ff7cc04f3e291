"""Live views: each shown by one line in a lesson, moved by sliders, computed in the browser."""

from .saturation import Saturation

__all__ = ["Saturation"]
