"""Wrong answers of lesson 06."""

import torch


def scaled(Q, K):
    return Q @ K.mT / Q.shape[-1] ** 0.5


def after(S, V, dim=-1):
    A = torch.softmax(S, dim=dim)
    return A @ V, A


FUNCTIONS = [
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
    ("6.1", "lambda Q, K, V: (lambda A: (A @ V, A))(torch.ones(len(Q), len(K)) / len(K))", "uniform_weights"),
    ("6.1", "lambda Q, K, V: (lambda A: (A @ V, A))(torch.eye(len(K)))", "weights_ignore_inputs"),
    ("6.1", "lambda Q, K, V: after(V @ V.mT, V)", "weights_ignore_inputs"),
    ("6.1", "lambda Q, K, V: (torch.manual_seed(0), after(torch.randn(len(Q), len(K)), V))[1]", "weights_ignore_inputs"),
    ("6.1", "lambda Q, K, V: (lambda S: (lambda A: (A @ V, A))(S / S.sum(-1, keepdim=True)))(scaled(Q, K))", "divided_without_exp"),
    ("6.1", "lambda Q, K, V: (lambda S: (lambda A: (A @ V, A))(S / S.sum(-1, keepdim=True)))(scaled(Q, K).abs())", "not_exponential"),
    ("6.1", "lambda Q, K, V: (lambda S: (lambda A: (A @ V, A))(S / S.sum(-1, keepdim=True)))(scaled(Q, K).relu())", "not_exponential"),
    ("6.1", "lambda Q, K, V: after(Q @ Q.mT / 3 ** .5, V)", "q_with_q"),
    ("6.1", "lambda Q, K, V: after(K @ Q.mT, V)", "q_and_k_swapped"),
]  # fmt: skip

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
    ("torch.softmax(S, dim=-1)", "S.abs() / S.abs().sum(-1, keepdim=True)", "not_exponential"),
    ("torch.softmax(S, dim=-1)", "torch.ones_like(S) / S.shape[-1]", "uniform_weights"),
    ("torch.softmax(S, dim=-1)", "torch.eye(S.shape[-1])", "weights_ignore_inputs"),
    ("S = Q @ K.mT", "S = X @ X.mT", "weights_ignore_inputs"),
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

VALUES = [
    ("6.3", 2, "行和列都变长了"),
    ("6.3", 8, "三次方"),
    ("6.3", 5, "原来的几倍"),
    ("6.3", "4", "要的是一个数"),
]
