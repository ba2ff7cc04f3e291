"""Self-attention as matrices: the package behind the lessons."""

__version__ = "0.1.0"
