"""Live views: each shown by one line in a lesson, moved by sliders, computed in the browser."""

from .fusion import Fusion
from .saturation import Saturation
from .scores import Scores
from .sentence import OwnSentence
from .sizes import Sizes

__all__ = ["Fusion", "OwnSentence", "Saturation", "Scores", "Sizes"]
