"""Matrices with their numbers say what they hold and refuse what is none."""

import re

import numpy as np
import pytest
import torch
from matplotlib.image import AxesImage
from support.gallery import BALL, TOKENS, contrast, pixels, real_size
from support.seen import cells, said

from course_utils import figures
from course_utils.attention import Trace
from course_utils.example import CHANNELS, CONTENTS, W_Q
from course_utils.sentence import FEATURES

NUMBER = re.compile(r"−?\d+(\.\d+)?")


def test_matrix_names_its_size_rows_and_columns():
    figure = figures.matrix(BALL.X, TOKENS, FEATURES)
    words = said(figure)
    assert {"X", "4×5", *TOKENS, *FEATURES} <= set(words)
    assert [text.get_text() for text, _ in cells(figure)] == [str(int(v)) for v in BALL.X.flatten()]


def test_numbers_are_whole_where_the_matrix_is_and_minus_is_a_minus():
    assert [t.get_text() for t, _ in cells(figures.matrix([[3.0, -2.0]]))] == ["3", "−2"]
    assert [t.get_text() for t, _ in cells(figures.matrix([[3.0, -2.346]]))] == ["3.00", "−2.35"]


def test_lists_arrays_and_tensors_that_need_gradients_are_the_same_picture():
    M = [[1.0, -2.5], [0.0, 3.0]]
    tensor = torch.tensor(M, requires_grad=True)
    assert pixels(figures.matrix(M)) == pixels(figures.matrix(np.array(M))) == pixels(figures.matrix(tensor))


def test_a_large_matrix_shows_colours_and_says_so():
    figure = figures.matrix(real_size().X, TOKENS)
    assert figure.findobj(AxesImage) and not cells(figure)
    assert any("不写数字" in text for text in said(figure))
    assert not any(NUMBER.fullmatch(text) for text in said(figure))


def test_product_computes_and_marks_the_shared_size():
    figure = figures.product(BALL.X, W_Q, rows=TOKENS, shared=FEATURES, columns=CHANNELS)
    numbers = [text.get_text() for text, _ in cells(figure)]
    assert numbers[-12:] == ["0", "1", "0", "4", "0", "2", "0", "0", "2", "0", "2", "0"]
    assert {"D = 5", "4×5", "5×3", "4×3"} <= set(said(figure))


def test_qkv_labels_channels_only_where_they_mean_something():
    assert set(CHANNELS) <= set(said(figures.qkv(BALL)))
    X, *W = torch.rand(4, 5), torch.rand(5, 3), torch.rand(5, 3), torch.rand(5, 2)
    other = set(said(figures.qkv(Trace.of(X, *W, tokens=TOKENS))))
    assert not other & {*CHANNELS, *CONTENTS}


def test_qkv_labels_columns_with_the_names_that_the_trace_has():
    X, W, V = torch.rand(2, 2), torch.rand(2, 3), torch.rand(2, 1)
    names = {"channels": ("甲", "乙", "丙"), "contents": ("丁",)}
    words = said(figures.qkv(Trace.of(X, W, W, V, tokens=("我", "打"), **names)))
    assert words.count("甲") == words.count("丙") == 2 and words.count("丁") == 1


def test_zeros_are_quieter_than_other_numbers():
    inks = {text.get_text(): text.get_color() for text, _ in cells(figures.matrix(BALL.X))}
    assert contrast(inks["0"], "white") < contrast(inks["1"], "white")


def test_long_names_and_labels_are_cut():
    words = said(figures.matrix([[1.0]], rows=["标" * 80], columns=["签" * 80], name="M" * 80))
    assert {"M" * 23 + "…", "标" * 23 + "…", "签" * 23 + "…"} <= set(words)


def test_labels_may_be_empty_and_numbers():
    assert {"1", "2", "3", "4"} <= set(said(figures.matrix(BALL.X, rows=[1, 2, 3, 4], columns=[""] * 5)))


def test_bfloat16_and_sparse_are_fine():
    M = torch.tensor([[1.5, 0.0]])
    same = pixels(figures.matrix(M))
    assert pixels(figures.matrix(M.bfloat16())) == pixels(figures.matrix(M.to_sparse())) == same


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: figures.matrix(BALL.X, rows=TOKENS[:3]), "X 有 4 行，却给了 3 个标签"),
        (lambda: figures.matrix(BALL.X, columns=TOKENS), "X 有 5 列，却给了 4 个标签"),
        (lambda: figures.matrix(BALL.X, rows="我喜欢打"), "应当是一组词"),
        (lambda: figures.matrix(torch.ones(2, 3, 4)), r"现在的形状是 \(2, 3, 4\)"),
        (lambda: figures.matrix(torch.ones(3)), r"现在的形状是 \(3,\)"),
        (lambda: figures.matrix([]), "非空"),
        (lambda: figures.matrix([[1.0, float("nan")]]), "NaN"),
        (lambda: figures.matrix([[1, 2], [3]]), "每行一样长"),
        (lambda: figures.matrix("我喜欢"), "应当是由数组成的矩阵"),
        (lambda: figures.product(BALL.X, BALL.K, ("X", "K", "?")), "X 的列数 5 必须等于 K 的行数 4"),
        (lambda: figures.product(BALL.X, W_Q, names=("X", "Q")), "三个名字"),
        (lambda: figures.product(BALL.X, W_Q, names="XWQ"), "三个名字"),
        (lambda: figures.matrix(BALL.X, rows=4), "行标签应当是一组词"),
        (lambda: figures.matrix([[1 + 2j]]), "X 里有复数"),
        (lambda: figures.matrix(torch.ones(2, 2, dtype=torch.complex64).conj()), "X 里有复数"),
        (lambda: figures.matrix([[10**400]]), "应当是由数组成的矩阵"),
        (lambda: figures.product(BALL.X, W_Q, names=None), "三个名字"),
        (lambda: figures.product(BALL.X, W_Q, names=(1, 2, 3)), "三个名字"),
    ],
)
def test_bad_input_is_answered_in_chinese(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()


@pytest.mark.parametrize("name", [None, 3])
def test_a_name_that_is_no_text_is_answered_in_chinese(name):
    with pytest.raises(TypeError, match="name 是矩阵的名字，应当是一个字符串"):
        figures.matrix(BALL.X, name=name)
