"""Wrong answer -> the message it must give. None passes, none is blamed for the wrong thing."""

from dataclasses import replace

import pytest
import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812

from course_utils.exercises import mistakes as m
from course_utils.exercises.catalogue import EXERCISES, find
from course_utils.exercises.exercise import Function
from course_utils.exercises.judge import expected, judge, wrong_steps

# Many tiny products in many threads: torch's own threads would only wait for each other.
torch.set_num_threads(1)

# The student's answer as an expression -> the name of the mistake.
FUNCTIONS = [
    ("1.1", "lambda onehot, E: E @ onehot", "embedding_first"),
    ("1.1", "lambda onehot, E: onehot @ E.T", "embedding_transposed"),
    ("1.1", "lambda onehot, E: E.T @ onehot.T", "tokens_as_columns"),
    ("1.1", "lambda onehot, E: torch.stack([row @ E for row in onehot]).sum(dim=0)", "summed_tokens"),
    ("1.1", "lambda onehot, E: onehot[0] @ E", "one_row"),
    ("1.1", "lambda onehot, E: onehot[:1] @ E", "one_row"),
    ("1.1", "lambda onehot, E: E[:4]", "hard_coded"),
    ("1.2", "lambda tokens, vocabulary: torch.tensor([vocabulary[t] for t in tokens]).float().T", "tokens_as_columns"),
    ("1.2", "lambda tokens, vocabulary: sum(torch.tensor(vocabulary[t]).float() for t in tokens)", "summed_tokens"),
    ("1.2", "lambda tokens, vocabulary: torch.tensor(list(vocabulary.values())).float()", "whole_vocabulary"),
    ("1.2", "lambda tokens, vocabulary: torch.tensor([vocabulary[t] for t in sorted(tokens)]).float()", "sorted_tokens"),
    ("1.2", "lambda tokens, vocabulary: torch.tensor([vocabulary[t] for t in dict.fromkeys(tokens)]).float()", "unique_tokens"),
    ("1.2", "lambda tokens, vocabulary: torch.tensor(vocabulary[tokens[-1]]).float()", "one_row"),
    ("1.2", "lambda tokens, vocabulary: torch.tensor([vocabulary[t] for t in tokens])", "dtype"),
    ("1.2", "lambda tokens, vocabulary: [vocabulary[t] for t in tokens]", "list"),
    ("1.2", "lambda tokens, vocabulary: vocabulary.clear()", "none"),
    ("2.1", "lambda X, W_Q: W_Q @ X", "weights_first"),
    ("2.1", "lambda X, W_Q: (X @ W_Q).T", "tokens_as_columns"),
    ("2.1", "lambda X, W_Q: X[1] @ W_Q", "one_row"),
    ("2.1", "lambda X, W_Q: X.mul_(2) @ W_Q / 2", "changed_input"),
    ("2.1", "lambda X, W_Q: (X @ W_Q).int()", "dtype"),
    ("2.2", "lambda X, weight: X @ weight", "weight_not_transposed"),
    ("2.2", "lambda X, weight: weight @ X.T", "tokens_as_columns"),
    ("2.2", "lambda X, weight: weight.T @ X", "weights_first"),
    ("2.2", "lambda X, weight: X[0] @ weight.T", "one_row"),
    ("2.3", "lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_V, X @ W_K)", "v_and_k_mixed"),
    ("2.3", "lambda X, W_Q, W_K, W_V: (X @ W_K, X @ W_Q, X @ W_V)", "q_and_k_swapped"),
    ("2.3", "lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_Q, X @ W_V)", "one_weight_for_q_and_k"),
    ("2.3", "lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_K, X @ W_K)", "k_used_for_v"),
    ("2.3", "lambda X, W_Q, W_K, W_V: (W_Q @ X, W_K @ X, W_V @ X)", "weights_first"),
    ("2.3", "lambda X, W_Q, W_K, W_V: (X[0] @ W_Q, X[0] @ W_K, X[0] @ W_V)", "one_row"),
    ("2.3", "lambda X, W_Q, W_K, W_V: (X @ W_V, X @ W_K, X @ W_Q)", "outputs_swapped"),
    ("2.3", "lambda X, W_Q, W_K, W_V: X @ W_Q", "count"),
    ("2.3", "lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_K)", "count"),
    ("3.1", "lambda Q, K: Q @ K", "k_not_transposed"),
    ("3.1", "lambda Q, K: torch.mm(Q, K)", "k_not_transposed"),
    ("3.1", "lambda Q, K: Q.T @ K", "q_transposed_instead"),
    ("3.1", "lambda Q, K: K @ Q.T", "q_and_k_swapped"),
    ("3.1", "lambda Q, K: (Q @ K.T).T", "q_and_k_swapped"),
    ("3.1", "lambda Q, K: Q @ Q.T", "q_with_q"),
    ("3.1", "lambda Q, K: K @ K.T", "k_with_k"),
    ("3.1", "lambda Q, K: Q @ K.T / 3 ** 0.5 if len(Q) == 4 else Q @ K.T / K.shape[1] ** 0.5", "scaled_too_early"),
    ("3.1", "lambda Q, K: Q[2] @ K.T", "one_row"),
    ("3.1", "lambda Q, K: torch.einsum('icd,jc->ij', Q, K)", "error"),
    ("3.1", "lambda Q, K: Q * K", "shape"),
    ("3.1", "lambda Q, K: torch.tensor([[Q[i] @ K[j] for j in range(4)] for i in range(4)])", "hard_coded"),
    ("3.2", "lambda S: S", "no_softmax"),
    ("3.2", "lambda S: torch.softmax(S, dim=0)", "softmax_over_columns"),
    ("3.2", "lambda S: F.softmax(S.T, dim=-1).T", "softmax_over_columns"),
    ("3.2", "lambda S: torch.exp(S) / torch.exp(S).sum()", "softmax_over_everything"),
    ("3.2", "lambda S: torch.exp(S) / torch.exp(S).sum(dim=0)", "softmax_over_columns"),
    ("3.2", "lambda S: F.softmax(F.softmax(S, -1), -1)", "softmax_twice"),
    ("3.2", "lambda S: torch.exp(S)", "not_normalised"),
    ("3.2", "lambda S: S / S.sum(dim=1, keepdim=True)", "divided_without_exp"),
    ("3.2", "lambda S: torch.sigmoid(S)", "rows_do_not_sum_to_1"),
    ("3.2", "lambda S: torch.exp(S) / torch.exp(S).sum(dim=1)", "no_keepdim"),
    ("3.2", "lambda S: (lambda e: e / e.sum(-1))(torch.exp(S - S.max()))", "no_keepdim"),
    ("3.2", "lambda S: (lambda e: e / e.sum(-1))(torch.exp(S - S.max(-1, keepdim=True).values))", "no_keepdim"),
    ("3.2", "lambda S: (lambda e: e / e.sum(-1, keepdim=True))(torch.exp(S - S.max(-1).values))", "no_keepdim"),
    ("3.2", "lambda S: (lambda e: e / e.sum(-1))(torch.exp(S - S.max(-1).values))", "no_keepdim"),
    ("3.2", "lambda S: torch.softmax(S.T, dim=-1)", "scores_transposed"),
    ("3.2", "lambda S: torch.softmax(S.long(), -1)", "integer_error"),
    ("3.2", "lambda S: torch.exp(S) if S.max() > 99 else torch.softmax(S, -1)", "overflow"),
    ("3.2", "lambda S: torch.softmax(S.clamp(max=9), -1)", "different"),
    ("3.2", "lambda S: S @ torch.ones(2, 2) if S.max() > 99 else torch.softmax(S, -1)", "shape_error"),
    ("3.2", "lambda S: torch.exp(S) / torch.exp(S).sum(dim=1, keepdim=True)", "overflow"),
    ("3.2", "lambda S: torch.softmax(S[0], dim=-1)", "one_row"),
    ("3.2", "lambda S: torch.exp(S) / 0", "nan"),
    ("3.2", "lambda S: torch.softmax(S.sub_(1), dim=-1)", "changed_input"),
    ("3.2", "lambda S: torch.softmax(S, dim=-1).numpy()", "numpy"),
    ("3.2", "lambda S: torch.softmax(S, dim=-1).half()", "dtype"),
    ("4.1", "lambda Q, K: Q @ K.T", "no_divisor"),
    ("4.1", "lambda Q, K: Q @ K.T / Q.shape[1]", "divided_by_d_k"),
    ("4.1", "lambda Q, K: Q @ K.T * Q.shape[1] ** 0.5", "multiplied"),
    ("4.1", "lambda Q, K: Q @ K.T / len(Q) ** 0.5", "root_of_L"),
    ("4.1", "lambda Q, K: Q @ K / Q.shape[1] ** 0.5", "k_not_transposed"),
    ("4.1", "lambda Q, K: K @ Q.T / Q.shape[1] ** 0.5", "q_and_k_swapped"),
    ("4.1", "lambda Q, K: Q @ Q.T / Q.shape[1] ** 0.5", "q_with_q"),
    ("4.1", "lambda Q, K: K @ K.T / Q.shape[1] ** 0.5", "k_with_k"),
    ("4.1", "lambda Q, K: Q.T @ K / Q.shape[1] ** 0.5", "q_transposed_instead"),
    ("4.1", "lambda Q, K: Q @ K.T / 3 ** 0.5", "hard_coded"),
    ("4.1", "lambda Q, K: Q[0] @ K.T / Q.shape[1] ** 0.5", "one_row"),
    ("4.1", "lambda Q, K: Q.div_(Q.shape[1] ** 0.5) @ K.T", "changed_input"),
    ("4.1", "lambda Q, K: K @ Q.T", "q_and_k_swapped"),
    ("4.1", "lambda Q, K: Q @ Q.T / Q.shape[1]", "q_with_q"),
    ("4.1", "lambda Q, K: Q @ K.T / Q.shape[-1] ** 1/2", "power_before_division"),
    ("4.1", "lambda Q, K: Q @ K.T / (Q.shape[-1] ** 1/2)", "power_before_division"),
    ("4.1", "lambda Q, K: Q @ K.T * Q.shape[-1] ** -1/2", "power_before_division"),
    ("4.1", "lambda Q, K: Q @ K / Q.shape[-1] ** 1/2", "k_not_transposed"),
    ("4.2", "lambda Q, K: torch.softmax(Q @ K.T, dim=-1)", "no_divisor"),
    ("4.2", "lambda Q, K: torch.softmax(Q @ K.T / Q.shape[1], dim=-1)", "divided_by_d_k"),
    ("4.2", "lambda Q, K: torch.softmax(Q @ K.T * Q.shape[1] ** 0.5, dim=-1)", "multiplied"),
    ("4.2", "lambda Q, K: torch.softmax(Q @ K.T / Q.shape[0] ** 0.5, dim=-1)", "root_of_L"),
    ("4.2", "lambda Q, K: torch.softmax(Q @ K.T / Q.shape[1] ** 0.5, dim=0)", "softmax_over_columns"),
    ("4.2", "lambda Q, K: torch.softmax((Q @ K.T / Q.shape[1] ** 0.5).flatten(), 0).view(len(Q), -1)", "softmax_over_everything"),
    ("4.2", "lambda Q, K: Q @ K.T / Q.shape[1] ** 0.5", "no_softmax"),
    ("4.2", "lambda Q, K: torch.softmax(torch.softmax(Q @ K.T / Q.shape[1] ** 0.5, -1), -1)", "softmax_twice"),
    ("4.2", "lambda Q, K: torch.exp(Q @ K.T / Q.shape[1] ** 0.5)", "not_normalised"),
    ("4.2", "lambda Q, K: torch.softmax(K @ Q.T / Q.shape[1] ** 0.5, -1)", "q_and_k_swapped"),
    ("4.2", "lambda Q, K: torch.softmax(Q @ K / Q.shape[1] ** 0.5, -1)", "k_not_transposed"),
    ("4.2", "lambda Q, K: torch.softmax(Q @ Q.T / Q.shape[1] ** 0.5, -1)", "q_with_q"),
    ("4.2", "lambda Q, K: (lambda E: E / E.sum(-1, keepdim=True))(torch.exp(Q @ K.T / Q.shape[1] ** 0.5))", "overflow"),
    ("4.2", "lambda Q, K: torch.softmax(Q @ K.T, dim=0)", "no_divisor"),
    ("4.2", "lambda Q, K: torch.softmax(K @ Q.T / Q.shape[1], dim=-1)", "q_and_k_swapped"),
    ("4.2", "lambda Q, K: Q @ K.T", "no_divisor"),
    ("4.2", "lambda Q, K: torch.softmax(Q[0] @ K.T / Q.shape[1] ** 0.5, -1)", "one_row"),
    ("4.3", "lambda a: -torch.outer(a, a)", "outer_only"),
    ("4.3", "lambda a: torch.diag(a)", "diagonal_only"),
    ("4.3", "lambda a: torch.diag(a - a ** 2)", "off_diagonal_forgotten"),
    ("4.3", "lambda a: torch.outer(a, a) - torch.diag(a)", "wrong_sign"),
    ("4.3", "lambda a: torch.diag(a) + torch.outer(a, a)", "sum_instead_of_difference"),
    ("4.3", "lambda a: torch.diag(a) - a @ a", "dot_instead_of_outer"),
    ("4.3", "lambda a: a * (1 - a)", "shape"),
    ("5.1", "lambda A, V, i: A[:, i] @ V", "column_of_A"),
    ("5.1", "lambda A, V, i: sum(A[j, i] * V[j] for j in range(len(V)))", "column_of_A"),
    ("5.1", "lambda A, V, i: V[i]", "own_value_only"),
    ("5.1", "lambda A, V, i: A[i, i] * V[i]", "own_term_only"),
    ("5.1", "lambda A, V, i: V.mean(dim=0)", "unweighted_mean"),
    ("5.1", "lambda A, V, i: V.sum(dim=0)", "unweighted_sum"),
    ("5.1", "lambda A, V, i: sum(A[i, j] * V[j] for j in range(len(V))) / len(V)", "averaged_again"),
    ("5.1", "lambda A, V, i: A @ V", "all_tokens_at_once"),
    ("5.1", "lambda A, V, i: A[2] @ V", "hard_coded"),
    ("5.1", "lambda A, V, i: A[i] * V", "shape_error"),
    ("5.1", "lambda A, V, i: A[i:i + 1] @ V", "shape"),
    ("5.2", "lambda A, V: A.T @ V", "A_transposed"),
    ("5.2", "lambda A, V: V @ A", "values_first"),
    ("5.2", "lambda A, V: V", "value_ignored"),
    ("5.2", "lambda A, V: V.mean(0).expand(len(A), -1)", "unweighted_mean"),
    ("5.2", "lambda A, V: A[1] @ V", "one_row"),
    ("5.2", "lambda A, V: V.T @ A.T", "transposed"),
    ("5.2", "lambda A, V: A @ V[:, :1]", "wrong_d_v"),
    ("5.2", "lambda A, V: (A @ V).unsqueeze(0)", "shape"),
    ("5.3", "lambda S, V: torch.softmax(S @ V, dim=-1)", "v_before_softmax"),
    ("5.3", "lambda S, V: S @ V", "no_softmax"),
    ("5.3", "lambda S, V: torch.softmax(S, 0) @ V", "softmax_over_columns"),
    ("5.3", "lambda S, V: torch.softmax(S.flatten(), 0).view_as(S) @ V", "softmax_over_everything"),
    ("5.3", "lambda S, V: torch.softmax(torch.softmax(S, 1), 1) @ V", "softmax_twice"),
    ("5.3", "lambda S, V: torch.exp(S) @ V", "not_normalised"),
    ("5.3", "lambda S, V: (torch.exp(S) / torch.exp(S).sum(1, keepdim=True)) @ V", "overflow"),
    ("5.3", "lambda S, V: torch.softmax(S, -1).T @ V", "A_transposed"),
    ("5.3", "lambda S, V: S.T @ V", "no_softmax"),
    ("5.3", "lambda S, V: torch.softmax(S, -1)[0] @ V", "one_row"),
    ("6.1", "lambda Q, K, V: after(Q @ K.mT, V)", "no_divisor"),
    ("6.1", "lambda Q, K, V: after(Q @ K.mT / Q.shape[-1], V)", "divided_by_d_k"),
    ("6.1", "lambda Q, K, V: after(Q @ K.mT * Q.shape[-1] ** 0.5, V)", "multiplied"),
    ("6.1", "lambda Q, K, V: after(Q @ K.mT / Q.shape[-2] ** 0.5, V)", "root_of_L"),
    ("6.1", "lambda Q, K, V: after(Q @ K.mT / V.shape[-1] ** 0.5, V)", "root_of_d_v"),
    ("6.1", "lambda Q, K, V: after(scaled(Q, K), K)", "k_used_for_v"),
    ("6.1", "lambda Q, K, V: after(scaled(K, Q), V)", "q_and_k_swapped"),
    ("6.1", "lambda Q, K, V: after(scaled(Q, Q), V)", "q_with_q"),
    ("6.1", "lambda Q, K, V: after(scaled(K, K), V)", "k_with_k"),
    ("6.1", "lambda Q, K, V: after(Q @ K / Q.shape[-1] ** 0.5, V)", "k_not_transposed"),
    ("6.1", "lambda Q, K, V: after(scaled(Q, K), V, dim=-2)", "softmax_over_columns"),
    ("6.1", "lambda Q, K, V: after(scaled(Q, K), V, dim=0)", "softmax_over_columns"),
    ("6.1", "lambda Q, K, V: after(scaled(Q, K), V, dim=1)", "batch_softmax_axis"),
    ("6.1", "lambda Q, K, V: after(Q @ K.T / Q.shape[-1] ** 0.5, V)", "batch_transposed"),
    ("6.1", "lambda Q, K, V: after(Q @ K.transpose(0, 1) / Q.shape[-1] ** 0.5, V)", "batch_transposed"),
    ("6.1", "lambda Q, K, V: after(Q @ K.mT / Q.shape[1] ** 0.5, V)", "batch_d_k"),
    ("6.1", "lambda Q, K, V: after(Q @ K.mT / Q.size(1) ** 0.5, V, dim=1)", "batch_d_k"),
    ("6.1", "lambda Q, K, V: after(torch.einsum('ic,jc->ij', Q, K) / Q.shape[-1] ** 0.5, V)", "batch_error"),
    ("6.1", "lambda Q, K, V: (lambda B, A: (B.sum(0), A))(*after(scaled(Q, K), V)) if Q.ndim > 2 else after(scaled(Q, K), V)", "batch"),
    ("6.1", "lambda Q, K, V: (after(scaled(Q, K), V)[0], scaled(Q, K))", "scores_returned"),
    ("6.1", "lambda Q, K, V: (after(scaled(Q, K), V)[0], Q @ K.mT)", "dots_returned"),
    ("6.1", "lambda Q, K, V: (after(scaled(Q, K), V, 0)[0], Q @ K.mT)", "softmax_over_columns"),
    ("6.1", "lambda Q, K, V: (lambda A: (A @ V, A))(scaled(Q, K))", "no_softmax"),
    ("6.1", "lambda Q, K, V: (lambda A: (A @ V, A))(torch.exp(scaled(Q, K)))", "not_normalised"),
    ("6.1", "lambda Q, K, V: after(torch.softmax(scaled(Q, K), -1), V)", "softmax_twice"),
    ("6.1", "lambda Q, K, V: (lambda A: (A @ V, A))(torch.softmax(scaled(Q, K).flatten(), 0).view(len(Q), -1))", "softmax_over_everything"),
    ("6.1", "lambda Q, K, V: (torch.softmax(scaled(Q, K) @ V, -1), scaled(Q, K))", "v_before_softmax"),
    ("6.1", "lambda Q, K, V: (lambda A: (A.mT @ V, A))(torch.softmax(scaled(Q, K), -1))", "A_transposed"),
    ("6.1", "lambda Q, K, V: (lambda A: (A @ V, A))((lambda E: E / E.sum(-1, keepdim=True))(scaled(Q, K).exp()))", "overflow"),
    ("6.1", "lambda Q, K, V: (lambda A: (A @ V, A))(torch.sigmoid(scaled(Q, K)))", "rows_do_not_sum_to_1"),
    ("6.1", "lambda Q, K, V: after(scaled(Q, K), V)[::-1]", "outputs_swapped"),
    ("6.1", "lambda Q, K, V: after(scaled(Q, K), V)[0]", "count"),
    ("6.1", "lambda Q, K, V: tuple(M[0] for M in after(scaled(Q, K), V))", "one_row"),
    ("6.1", "lambda Q, K, V: (lambda B, A: (B[..., :-1], A))(*after(scaled(Q, K), V))", "wrong_d_v"),
    ("6.1", "lambda Q, K, V: after(scaled(Q, K.detach()), V)", "detached"),
    ("6.1", "lambda Q, K, V: tuple(torch.tensor(M.tolist()) for M in after(scaled(Q, K), V))", "detached"),
    ("6.1", "lambda Q, K, V: torch.no_grad()(after)(scaled(Q, K), V)", "detached"),
    ("6.1", "lambda Q, K, V: after(scaled(Q.numpy(), K), V)", "error"),
    ("6.1", "lambda Q, K, V: after(Q.data.div_(Q.shape[-1] ** 0.5) @ K.mT, V)", "changed_input"),
    ("6.1", "lambda Q, K, V: after(Q @ K.mT, V, dim=-2)", "no_divisor"),
    ("6.1", "lambda Q, K, V: after(K @ Q.mT, V)", "q_and_k_swapped"),
]  # fmt: skip


def scaled(Q, K):
    return Q @ K.mT / Q.shape[-1] ** 0.5


def after(S, V, dim=-1):
    A = torch.softmax(S, dim=dim)
    return A @ V, A


@pytest.mark.parametrize(("id", "code", "name"), FUNCTIONS)
def test_the_mistake_is_named(id, code, name):
    verdict = judge(find(id), eval(code))
    assert (verdict.passed, verdict.name) == (False, name), verdict.message


# 6.2: what to change in a correct layer -> the name of the mistake.
LAYER = """
class MySelfAttention(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, X):
        Q = self.W_Q(X)
        K = self.W_K(X)
        V = self.W_V(X)
        S = Q @ K.mT / Q.shape[-1] ** 0.5
        A = torch.softmax(S, dim=-1)
        B = A @ V
        return B, A
"""
LAYERS = [
    ("Q.shape[-1] ** 0.5", "1", "no_divisor"),
    ("Q.shape[-1] ** 0.5", "Q.shape[-1]", "divided_by_d_k"),
    ("/ Q.shape[-1]", "* Q.shape[-1]", "multiplied"),
    ("Q.shape[-1] ** 0.5", "X.shape[-1] ** 0.5", "root_of_D"),
    ("Q.shape[-1] ** 0.5", "X.shape[-2] ** 0.5", "root_of_L"),
    ("Q.shape[-1] ** 0.5", "V.shape[-1] ** 0.5", "root_of_d_v"),
    ("dim=-1", "dim=-2", "softmax_over_columns"),
    ("torch.softmax(S, dim=-1)", "S", "no_softmax"),
    ("torch.softmax(S, dim=-1)", "torch.softmax(torch.softmax(S, -1), -1)", "softmax_twice"),
    ("torch.softmax(S, dim=-1)", "torch.exp(S)", "not_normalised"),
    ("torch.softmax(S, dim=-1)", "S.exp() / S.exp().sum(-1, keepdim=True)", "overflow"),
    ("torch.softmax(S, dim=-1)", "S.flatten().softmax(0).reshape(S.shape)", "softmax_over_everything"),
    ("K.mT", "K", "k_not_transposed"),
    ("K.mT", "K.T", "batch_transposed"),
    ("Q.shape[-1]", "Q.shape[1]", "batch_d_k"),
    ("return B, A", "return B, S", "scores_returned"),
    ("def forward", "def forwrad", "no_forward"),
    ("def forward(self, X)", "def forward(self)", "wrong_parameters"),
    ("self.W_K = nn.Linear(d_model, d_k, bias=False)", "self.W_K = self.W_Q", "shared_layer"),
    ("        self.W_V = ", "        self.W_K.weight = self.W_Q.weight\n        self.W_V = ", "shared_layer"),
    ("Q @ K.mT", "K @ Q.mT", "q_and_k_swapped"),
    ("Q @ K.mT", "Q @ Q.mT", "q_with_q"),
    ("K = self.W_K(X)", "K = self.W_Q(X)", "q_with_q"),
    ("A @ V", "A.mT @ V", "A_transposed"),
    ("A @ V", "A @ K", "k_used_for_v"),
    ("V = self.W_V(X)", "V = self.W_K(X)", "k_used_for_v"),
    ("K = self.W_K(X)\n        V = self.W_V(X)", "K = self.W_V(X)\n        V = self.W_K(X)", "v_and_k_mixed"),
    ("self.W_Q(X)", "X @ self.W_Q.weight", "weight_not_transposed"),
    ("d_v, bias", "d_k, bias", "wrong_d_v"),
    ("nn.Linear(d_model, d_v", "nn.Linear(d_v, d_model", "linear_reversed"),
    ("nn.Linear(d_model, d_v", "nn.Linear(d_k, d_v", "layer_shape"),
    ("d_v, bias=False", "d_v", "bias"),
    ("self.W_V", "self.value", "no_layer"),
    ("super().__init__()", "pass", "no_init"),
    ("d_model, d_k, d_v):", "d_model, d_k):", "wrong_parameters"),
    ("self.W_Q(X)", "self.W_Q(X).detach()", "detached"),
    ("self.W_V(X)", "X @ self.W_V.weight.data.T", "detached"),
    ("Q = self.W_Q(X)", "X -= 0.5; Q = self.W_Q(X + 0.5)", "different"),
    ("return B, A", "X *= 2\n        return B, A", "changed_input"),
    ("return B, A", "return A, B", "outputs_swapped"),
    ("return B, A", "return B", "count"),
    ("return B, A", "return B[0], A[0]", "one_row"),
    ("return B, A", "B, A", "none"),
]


@pytest.mark.parametrize(("right", "wrong", "name"), LAYERS)
def test_the_mistake_in_a_layer_is_named(right, wrong, name):
    assert right in LAYER
    verdict = judge(find("6.2"), layer(LAYER.replace(right, wrong)))
    assert (verdict.passed, verdict.name) == (False, name), verdict.message


def layer(code):
    scope = {"torch": torch, "nn": nn, "F": F}
    exec(code, scope)
    return scope["MySelfAttention"]


def test_query_and_key_that_share_a_layer_are_both_named():
    verdict = judge(
        find("6.2"),
        layer(LAYER.replace("self.W_K = nn.Linear(d_model, d_k, bias=False)", "self.W_K = self.W_Q")),
    )
    assert "self.W_Q 和 self.W_K" in verdict.message and "查询和键" in verdict.message


def test_the_transpose_is_the_one_that_the_lesson_teaches():
    for id, wrong, right in (
        ("3.1", "Q @ K", "K.T"),
        ("4.1", "Q @ K", "K.T"),
        ("6.1", "after(Q @ K, V)", "K.mT"),
    ):
        answer = eval(f"lambda Q, K{', V' * (id == '6.1')}: {wrong}")
        assert judge(find(id), answer).message.endswith(f"写成 {right}。"), id


VALUES = [
    ("1.3", (512, 6), "行和列反了"),
    ("1.3", torch.Size([6, 6]), "得分表的形状"),
    ("1.3", 6 * 512, "问的是形状"),
    ("1.3", (6, 511), "每一行有几个数"),
    ("1.3", "(6, 512)", "要的是两个数"),
    ("1.3", (True, 512), "要的是两个数"),
    ("2.4", 7, "再相加"),
    ("2.4", "81920", "不要加引号"),
    ("2.4", 512 * 64 * 3, "d_v = 32"),
    ("2.4", 512 * 64, "还有 W_K 和 W_V"),
    ("2.4", 512 * 64 * 2 + 512 * 32 + 160, "没有偏置"),
    ("3.3", " 喜欢 ", "你读的是“我”那一列"),
    ("3.3", "篮球", "横着读"),
    ("4.4", torch.tensor(256.0), "256 是方差"),
    ("4.4", 1, "每一项"),
    ("4.4", True, "要的是一个数"),
    ("4.4", 17, "再开平方"),
    ("6.3", 2, "行和列都变长了"),
    ("6.3", 8, "三次方"),
    ("6.3", 5, "原来的几倍"),
    ("6.3", "4", "要的是一个数"),
    ("3.3", 2, "要的是一个字符串"),
    ("3.3", ["打"], "要的是一个字符串"),
    ("3.3", "“喜欢”", "你读的是“我”那一列"),
    ("3.3", "电话", "横着读“我”那一行"),
]


@pytest.mark.parametrize(("id", "value", "part"), VALUES)
def test_a_wrong_value_gets_its_own_reason(id, value, part):
    verdict = judge(find(id), value)
    assert verdict.passed is False and part in verdict.message


# Pairs that are another known pair by algebra: (Q Qᵀ) with W_K for W_V leaves W_V out altogether, and
# where B is made without weights, scores returned are scores without softmax.
SAME_BY_ALGEBRA = {
    ("v_and_k_mixed", "q_with_q"): "k_used_for_v",
    ("value_ignored", "scores_returned"): "no_softmax",
    ("unweighted_mean", "scores_returned"): "no_softmax",
}
WRITTEN = [exercise for exercise in EXERCISES if isinstance(exercise.asks, Function)]


@pytest.mark.parametrize("exercise", WRITTEN, ids=lambda exercise: exercise.id)
def test_of_two_mistakes_the_more_basic_is_named(exercise):
    """Every mistake of the exercise and every pair; one that the other hides altogether can't be named."""
    asks = replace(exercise.asks, adapt=lambda function: function)
    for made, steps in wrong_steps(asks.mistakes):
        verdict = judge(
            replace(exercise, asks=asks), lambda *inputs, steps=steps: asks.answer(steps, *inputs)
        )
        names = tuple(mistake.name for mistake in made)
        wanted = SAME_BY_ALGEBRA.get(names, names[0])
        if len(made) > 1 and hides(asks, made[1], steps):
            wanted = names[1]
        assert (verdict.passed, verdict.name) == (False, wanted), names


def hides(asks, mistake, steps):
    """Does this mistake alone give the same as the pair's steps, in every case?"""
    ((_, alone),) = wrong_steps((mistake,))
    return all(
        outcome(asks, case, alone) == outcome(asks, case, steps)
        for case in asks.cases
        if case.kind == "plain"
    )


def outcome(asks, case, steps):
    try:
        return [
            [round(number, 3) for number in part.flatten().tolist()] for part in expected(asks, case, steps)
        ]
    except RuntimeError as error:
        return str(error)


@pytest.mark.parametrize("exercise", WRITTEN, ids=lambda exercise: exercise.id)
def test_every_mistake_changes_the_answer_a_lot_on_some_input(exercise):
    asks = exercise.asks
    for made, steps in wrong_steps(asks.mistakes):
        if len(made) == 1:
            assert any(distance(asks, case, steps) > 0.05 for case in asks.cases if case.kind == "plain"), (
                made[0].name
            )


def distance(asks, case, steps):
    right = expected(asks, case)
    try:
        wrong = expected(asks, case, steps)
    except RuntimeError:
        return float("inf")
    return max(
        float((a - b).abs().max()) if a.shape == b.shape else float("inf")
        for a, b in zip(right, wrong, strict=True)
    )


def test_inputs_have_sizes_that_all_differ_and_rows_that_are_not_saturated():
    case_sizes = []
    for case in find("6.2").asks.cases:
        if case.kind == "large":
            continue
        X, W_Q, _, W_V = case.inputs.values()
        case_sizes.append((*X.shape, W_Q.shape[1], W_V.shape[1]))
        assert len(set(case_sizes[-1])) == len(case_sizes[-1])
        _, A = expected(find("6.2").asks, case)
        assert float(A.max(dim=-1).values.max()) < 0.9
        S = torch.log(A)
        assert float((S - S.mT).abs().max()) > 0.3
    assert len(set(case_sizes)) == len(case_sizes) == 4


def test_every_described_mistake_belongs_to_an_exercise_and_is_in_a_table():
    described = [
        mistake
        for value in vars(m).values()
        for mistake in (value if isinstance(value, tuple) else (value,))
        if isinstance(mistake, m.Mistake)
    ]
    used = [
        mistake
        for exercise in WRITTEN
        for mistake in (*exercise.asks.mistakes, *exercise.asks.batch_mistakes)
    ]
    assert [mistake.name for mistake in described if mistake not in used] == []
    tested = {name for _, _, name in FUNCTIONS + LAYERS}
    assert {mistake.name for mistake in described} <= tested
    for exercise in WRITTEN:
        if exercise.id != "6.2":
            own = {name for id, _, name in FUNCTIONS if id == exercise.id}
            missing = {mistake.name for mistake in exercise.asks.mistakes} - own
            assert missing <= INHERITED.get(exercise.id, set()), (exercise.id, missing)


# Shown in the table of the exercise where the step is practised; the sweep over all pairs covers them here.
INHERITED = {
    "2.3": {"tokens_as_columns"},
    "4.2": {
        "q_transposed_instead",
        "k_with_k",
        "divided_without_exp",
        "power_before_division",
        "no_keepdim",
    },
    "5.3": {"divided_without_exp", "no_keepdim", "values_first", "value_ignored", "unweighted_mean"},
    "6.1": {
        "q_transposed_instead",
        "divided_without_exp",
        "power_before_division",
        "no_keepdim",
        "values_first",
        "value_ignored",
        "unweighted_mean",
    },
}
