"""What an error in the student's own code is told as."""

from __future__ import annotations

import re

from ..answer_error import AnswerError
from ..exercise import Case
from .student_traceback import in_words, own_lines, where


def explain_error(error: BaseException, case: Case) -> AnswerError:
    """The AnswerError that quotes the failing line and says what to look for."""
    text = in_words(error)
    if isinstance(error, TypeError) and not own_lines(error):
        return AnswerError("wrong_parameters", parameters="、".join(case.inputs), error=text)
    name = "error"
    if isinstance(error, RuntimeError) and re.search(r"shape|size|broadcast", text):
        name = "shape_error"
    if re.search(r"not implemented for '(Long|Int|Short|Char|Byte|Bool)'", text):
        name = "integer_error"
    if isinstance(error, NameError) and not isinstance(error, UnboundLocalError):
        name = "name_error"
    return AnswerError(name, where=where(error), error=text)
