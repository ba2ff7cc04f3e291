"""A student's layer class, turned into a function of X and the three weights, so that it's judged like any other."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from itertools import combinations

from torch import Tensor, nn
from torch.func import functional_call

from .answer_error import AnswerError

ROLES = {"W_Q": "查询", "W_K": "键", "W_V": "值"}


def as_function(layer_class: type) -> Callable:
    """(X, W_Q, W_K, W_V) -> what the layer returns when its weights are these. W: (D, d) as in the formulas."""

    def forward(X: Tensor, W_Q: Tensor, W_K: Tensor, W_V: Tensor) -> object:
        D, d_k, d_v = W_Q.shape[0], W_Q.shape[1], W_V.shape[1]
        if isinstance(layer_class, nn.Module):
            raise AnswerError("layer_called", name=type(layer_class).__name__)
        try:
            layer = layer_class(D, d_k, d_v)
        except AttributeError as error:
            if "before Module.__init__()" in str(error):
                raise AnswerError("no_init") from error
            raise
        except TypeError as error:
            # With no frame below ours, the call itself failed.
            if error.__traceback__.tb_next is None:
                raise AnswerError("wrong_parameters", parameters="d_model、d_k、d_v", error=error) from error
            raise
        if not isinstance(layer, nn.Module):
            raise AnswerError("not_a_layer", given=type(layer).__name__)
        if any(part is ... for part in vars(layer).values()):
            return ...
        _check_forward(layer)
        _check_that_none_is_shared(layer)
        weights = {}
        for name, W in (("W_Q", W_Q), ("W_K", W_K), ("W_V", W_V)):
            weights.update(_weight(layer, name, W))
        # A layer in float64 gets everything in float64.
        dtype = next(layer.parameters()).dtype
        return functional_call(layer, {name: W.to(dtype) for name, W in weights.items()}, (X.to(dtype),))

    return forward


def _check_forward(layer: nn.Module) -> None:
    if type(layer).forward is nn.Module.forward:
        raise AnswerError("no_forward")
    try:
        inspect.signature(layer.forward).bind("X")
    except TypeError as error:
        raise AnswerError("wrong_parameters", parameters="X", error=error) from error


def _check_that_none_is_shared(layer: nn.Module) -> None:
    for (one, its_role), (other, other_role) in combinations(ROLES.items(), 2):
        first, second = (getattr(layer, name, None) for name in (one, other))
        if first is not None and getattr(first, "weight", first) is getattr(second, "weight", second):
            raise AnswerError("shared_layer", one=one, other=other, roles=f"{its_role}和{other_role}")


def _weight(layer: nn.Module, name: str, W: Tensor) -> dict[str, Tensor]:
    part = getattr(layer, name, None)
    D, d = W.shape
    if isinstance(part, nn.Parameter) and part.shape == W.shape:
        return {name: W}
    if not isinstance(part, nn.Linear):
        raise AnswerError("no_layer", name=name)
    if part.bias is not None:
        raise AnswerError("bias", name=name)
    if part.weight.shape == (d, D):
        return {f"{name}.weight": W.mT}
    if part.weight.shape == (D, d):
        raise AnswerError("linear_reversed", name=name, D=D, wanted=d)
    if name == "W_V" and part.weight.shape[1] == D:
        raise AnswerError("wrong_d_v", name="self.W_V", wanted=d, given=part.weight.shape[0])
    raise AnswerError("layer_shape", name=name, D=D, wanted=d, given=tuple(part.weight.shape))
