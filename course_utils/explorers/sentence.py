"""Own sentence: type one, see who looks at whom. The only view that needs the kernel."""

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
    """The picture: a message, and the weights unless there is nothing to show."""

    _esm = script("sentence.js")
    _css = styles("sentence.css")
    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    A = traitlets.List().tag(sync=True)
    message = traitlets.Unicode().tag(sync=True)
    # The text that stands in the box, known to the browser at once; and the one that all the others belong to.
    asked = traitlets.Unicode().tag(sync=True)
    answered = traitlets.Unicode().tag(sync=True)


class OwnSentence(Panel):
    """A text box for a sentence of known words, or of any words with blanks or slashes between them.

    Shown by naming it in the last line of a cell.
    """

    def __init__(self, text: str = sentence.SENTENCE):
        self.text = widgets.Text(
            text, description="你的句子", placeholder="例如：我 喜欢 踢 足球", continuous_update=False
        )
        self.view = SentenceView(asked=text)
        self._show()
        widgets.jsdlink((self.text, "value"), (self.view, "asked"))
        self.text.observe(lambda change: self._show(), "value")
        super().__init__([row(self.text), self.view])

    def trace(self) -> Trace:
        """The chain for the present sentence. Raises what sentence.read raises."""
        return running_trace(self.text.value)

    def weights(self) -> Tensor:
        """The weights of the present sentence, (L, L). Raises what sentence.read raises."""
        return self.trace().A

    def twin(self) -> CourseFigure:
        """The weights as a figure. Raises what sentence.read raises."""
        trace = self.trace()
        return figures.weights_heatmap(trace.A, trace.tokens)

    def _show(self) -> None:
        try:
            trace = self.trace()
        except ValueError as error:
            tokens, A, message = (), [], str(error)
        else:
            tokens, A = trace.tokens, trace.A.tolist()
            unknown = dict.fromkeys(sentence.read(self.text.value).unknown)
            message = f"「{self.text.value.strip()}」切成 {len(tokens)} 个词元：{' / '.join(tokens)}。"
            if unknown:
                message += (
                    f"带 * 的词（{'、'.join(unknown)}）不在词表里，它的词向量是随机的，不要解读它的权重。"
                )
        with self.view.hold_sync():
            self.view.set_trait("tokens", list(tokens))
            self.view.set_trait("A", A)
            self.view.set_trait("message", message)
            self.view.answered = self.text.value
