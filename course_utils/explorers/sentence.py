"""Own sentence: type one, see who looks at whom. The only view that needs the kernel.

A sentence without blanks is divided by the browser, which has a segmenter of its own: one in the kernel (jieba) takes
66 MB and 2 s for it.
"""

from __future__ import annotations

import anywidget
import ipywidgets as widgets
import traitlets
from torch import Tensor

from .. import figures, sentence
from ..attention import Trace
from ..example import running_trace
from ..style import CourseFigure
from .shared.bundle import script, styles
from .shared.panel import Panel, row


class SentenceView(anywidget.AnyWidget):
    """The picture: words to click, a message, and the weights unless there is nothing to show."""

    _esm = script("sentence.js")
    _css = styles("sentence.css")
    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    A = traitlets.List().tag(sync=True)
    message = traitlets.Unicode().tag(sync=True)
    # The known words, and which of the tokens are none of them.
    vocabulary = traitlets.List(traitlets.Unicode()).tag(sync=True)
    unknown = traitlets.List(traitlets.Int()).tag(sync=True)
    # What the browser's segmenter makes of a text that the course can't divide; and that text with slashes, once it
    # is what the tokens were read from.
    words = traitlets.List(traitlets.Unicode()).tag(sync=True)
    divided = traitlets.Unicode().tag(sync=True)
    # The text that stands in the box, known to the browser at once; and the one that all the others belong to.
    asked = traitlets.Unicode().tag(sync=True)
    answered = traitlets.Unicode().tag(sync=True)


class OwnSentence(Panel):
    """A text box for a sentence, and known words to click; blanks or slashes divide it, else the browser does.

    Shown by naming it in the last line of a cell.
    """

    def __init__(self, text: str = sentence.SENTENCE):
        self.text = widgets.Text(
            text, description="你的句子", placeholder="例如：我 喜欢 踢 足球", continuous_update=False
        )
        self.view = SentenceView(asked=text, vocabulary=list(sentence.VOCABULARY))
        self._show()
        widgets.jslink((self.text, "value"), (self.view, "asked"))
        self.text.observe(lambda change: self._show(), "value")
        self.view.observe(lambda change: self._show(), "words")
        super().__init__([row(self.text), self.view])

    def trace(self) -> Trace:
        """The chain for the present sentence. Raises what sentence.read raises."""
        return running_trace(self._readable())

    def weights(self) -> Tensor:
        """The weights of the present sentence, (L, L). Raises what sentence.read raises."""
        return self.trace().A

    def twin(self) -> CourseFigure:
        """The weights as a figure. Raises what sentence.read raises."""
        trace = self.trace()
        return figures.weights_heatmap(trace.A, trace.tokens)

    def _readable(self) -> str:
        """The text in the box, with slashes where only the browser knew how to divide it."""
        text = self.text.value
        try:
            sentence.tokenize(text)
        except ValueError:
            return sentence.divide(text, self.view.words) or text
        return text

    def _show(self) -> None:
        readable = self._readable()
        divided = readable if readable != self.text.value else ""
        try:
            trace = self.trace()
        except ValueError as error:
            tokens, A, message, unknown = (), [], str(error), []
        else:
            tokens, A = trace.tokens, trace.A.tolist()
            unknown = [
                i for i, token in enumerate(sentence.tokenize(readable)) if token not in sentence.VOCABULARY
            ]
            how = "由浏览器切成" if divided else "切成"
            message = f"「{self.text.value.strip()}」{how} {len(tokens)} 个词元：{' / '.join(tokens)}。"
        with self.view.hold_sync():
            self.view.set_trait("tokens", list(tokens))
            self.view.set_trait("A", A)
            self.view.set_trait("message", message)
            self.view.set_trait("unknown", unknown)
            self.view.set_trait("divided", divided)
            self.view.answered = self.text.value
