"""Catch characters that no font can draw: they would reach a student as boxes."""

import logging
import warnings
from contextlib import contextmanager

import pytest

# Plain text warns about a missing glyph; mathtext and the search for a family only write a log line.
LOGGERS = ("matplotlib.mathtext", "matplotlib.font_manager")


@contextmanager
def recorded_glyph_troubles():
    """A list that fills with every warning and every log line of the font loggers while the block runs."""
    troubles = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: troubles.append(record.getMessage())
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = lambda message, *_, **__: troubles.append(str(message))
        for name in LOGGERS:
            logging.getLogger(name).addHandler(handler)
        try:
            yield troubles
        finally:
            for name in LOGGERS:
                logging.getLogger(name).removeHandler(handler)


@pytest.fixture
def glyph_troubles():
    """What went wrong with glyphs and fonts so far in this test; ends empty in a good one."""
    with recorded_glyph_troubles() as troubles:
        yield troubles
