"""One line of text as a notebook's result."""


class Line(str):
    """A text that a notebook shows without quotation marks, alone and in a tuple."""

    __repr__ = str.__str__
