"""Says how an answer differs from the right one: in shape, in its row sums, or in a cell."""

from __future__ import annotations

from numpy import absolute, ndarray
from torch import Tensor

from ..answer_error import AnswerError
from ..exercise import Case, Function
from .attempt import Attempt
from .comparing import close, equal


def explain_outputs(asks: Function, attempt: Attempt) -> None:
    """Raise the AnswerError for the first difference: shapes before row sums before numbers."""
    outputs = list(zip(asks.outputs, attempt.given, attempt.right_answer, strict=True))
    for name, given, right in outputs:
        if given.shape != right.shape:
            raise _explain_shape(name, given, right, attempt.case)
    for name, given, _ in outputs:
        if name == "A":
            _check_row_sums(name, given)
    for name, given, right in outputs:
        if not equal((given,), (right,)):
            raise _explain_difference(name, given, right)


def _explain_shape(name: str, given: ndarray, right: ndarray, case: Case) -> AnswerError:
    if given.ndim == 2 and equal((given.T,), (right,)):
        return AnswerError("transposed", name=name)
    V = case.inputs.get("V", case.inputs.get("W_V"))
    if isinstance(V, Tensor) and given.shape[:-1] == right.shape[:-1] and right.shape[-1] == V.shape[-1]:
        return AnswerError("wrong_d_v", name=name, wanted=right.shape[-1], given=given.shape[-1])
    return AnswerError("shape", name=name, wanted=tuple(right.shape), given=tuple(given.shape))


def _check_row_sums(name: str, weights: ndarray) -> None:
    sums = weights.sum(-1)
    if absolute(sums - 1).max() > 1e-3:
        row = int(absolute(sums - 1).argmax())
        raise AnswerError("rows_do_not_sum_to_1", name=name, row=row + 1, total=float(sums[row]))


def _explain_difference(name: str, given: ndarray, right: ndarray) -> AnswerError:
    if given.ndim == 2 and given.shape[0] == given.shape[1] and equal((given.T,), (right,)):
        return AnswerError("transposed", name=name)
    index = tuple(int(k[0]) for k in (~close(given, right)).nonzero())
    place = f"第 {index[0] + 1} 行第 {index[1] + 1} 列" if len(index) == 2 else f"第 {index[0] + 1} 个数"
    return AnswerError(
        "different", name=name, place=place, wanted=float(right[index]), given=float(given[index])
    )
