"""Answers that take several steps of the chain, right or wrong. steps: mistakes.steps.Steps."""

from __future__ import annotations

from ...mistakes.steps import sizes


def project_all(steps, X, W_Q, W_K, W_V):
    return tuple(steps.project(X, W) for W in steps.choose(W_Q, W_K, W_V))


def dots(steps, Q, K):
    return steps.leave(steps.dot(Q, K), sizes(Q))


def scores(steps, Q, K):
    return steps.scale(steps.dot(Q, K), sizes(Q))


def weights(steps, Q, K):
    return steps.weigh(scores(steps, Q, K))


def attention(steps, Q, K, V, **others):
    M = steps.dot(Q, K)
    S = steps.scale(M, sizes(Q, d_v=V.shape[-1], **others))
    A = steps.weigh(S)
    return steps.fuse(A, V, K), steps.return_second(A, S, M)


def self_attention(steps, X, W_Q, W_K, W_V):
    return attention(steps, *project_all(steps, X, W_Q, W_K, W_V), D=X.shape[-1])
