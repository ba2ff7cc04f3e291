"""How the judging of an answer ends when it isn't right."""

from __future__ import annotations

from .form_messages import FORM


class AnswerError(Exception):
    """The answer is not right. name: of a mistake, with its message; or a key of FORM, whose braces facts fill."""

    def __init__(self, name: str, message: str = "", /, **facts: object):
        super().__init__(name)
        self.name = name
        self.message = message or FORM[name].format(**facts)
