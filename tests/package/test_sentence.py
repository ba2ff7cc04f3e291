"""From words to X: known words by hand, any other word by separators, every wrong sentence answered in Chinese."""

import dataclasses
import os
import re
import subprocess
import sys

import numpy as np
import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st
from jaxtyping import TypeCheckError
from support import worked_example

from course_utils import sentence
from course_utils.sentence import (
    FEATURES,
    MAX_D,
    MAX_TOKEN_LENGTH,
    MAX_TOKENS,
    SENTENCE,
    VOCABULARY,
    divide,
    embed,
    read,
    tokenize,
)

CHINESE = re.compile("[\u4e00-\u9fff]")


# The vocabulary

# Columns 人, 情感, 动作, 运动, 通讯, typed in from the design.
BY_HAND = {
    "我": [1, 0, 0, 0, 0],
    "喜欢": [0, 2, 0, 0, 0],
    "打": [0, 0, 1, 1, 1],
    "篮球": [0, 0, 0, 2, 0],
    "电话": [0, 0, 0, 0, 2],
    "踢": [0, 0, 1, 2, 0],
    "足球": [0, 0, 0, 2, 0],
}


def test_vocabulary_is_the_designed_one():
    assert FEATURES == ("人", "情感", "动作", "运动", "通讯")
    assert VOCABULARY.keys() == BY_HAND.keys()
    for word, vector in BY_HAND.items():
        assert embed(word).tolist() == vector


def test_running_sentence():
    whole = read()
    assert SENTENCE == "我喜欢打篮球"
    assert whole.tokens == whole.labels == worked_example.TOKENS
    assert whole.unknown == ()
    assert torch.equal(whole.X, worked_example.X)
    assert whole.X.dtype == torch.float32


# Tokens


@pytest.mark.parametrize(
    "text",
    [
        "我喜欢打篮球",
        "  我喜欢打篮球\n",
        "我喜欢打篮球。",
        "我喜欢打篮球 。",
        "「我喜欢」，打篮球！！",
        "我喜欢\u200b打篮球🏀",
    ],
)
def test_known_words_need_no_separator(text):
    assert tokenize(text) == ("我", "喜欢", "打", "篮球")


@pytest.mark.parametrize(
    "text",
    [
        "我 爱 打 羽毛球",
        "我/爱/打/羽毛球",
        "我／爱／打／羽毛球",
        "我　爱　打　羽毛球",
        "我 / 爱 ／ 打　羽毛球",
        "我\t爱\t打\t羽毛球",
        "我\n爱\r\n打\n羽毛球",
        "我\xa0爱\u2003打\xa0羽毛球",
        "/我/爱/打/羽毛球/",
        "  我  爱  打  羽毛球  ",
        "我 爱，打 羽毛球 …",
        "“我 爱”打 羽毛球！",
    ],
)
def test_separators_admit_any_word(text):
    assert tokenize(text) == ("我", "爱", "打", "羽毛球")


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("我喜欢踢足球", ("我", "喜欢", "踢", "足球")),
        ("打打电话", ("打", "打", "电话")),
        ("我", ("我",)),
        ("我喜欢 打篮球", ("我喜欢", "打篮球")),
        ("猫/", ("猫",)),
        ("我 爱 羽毛球", ("我", "爱", "羽毛球")),
        ("I love NLP.", ("I", "love", "NLP")),
        ("ＧＰＴ４ 与 GPT4", ("GPT4", "与", "GPT4")),
        ("cafe\u0301 caf\u00e9", ("caf\u00e9", "caf\u00e9")),
        ("我 喜欢 ____", ("我", "喜欢")),
        ("<img src=x onerror=alert(1)>", ("img", "src", "x", "onerror", "alert", "1")),
        ("<b>我</b>", ("b", "我", "b")),
        ("$x$ \\alpha {我}", ("x", "alpha", "我")),
    ],
)
def test_tokens(text, tokens):
    assert tokenize(text) == tokens


def test_longest_word_wins(monkeypatch):
    monkeypatch.setitem(VOCABULARY, "打篮", (0, 0, 0, 0, 0))
    monkeypatch.setitem(VOCABULARY, "打篮球", (0, 0, 0, 0, 0))
    assert tokenize("我喜欢打篮球打") == ("我", "喜欢", "打篮球", "打")


# Vectors


def test_unknown_words_are_marked():
    mixed = read("我 喜欢 猫 和 猫")
    assert mixed.unknown == ("猫", "和", "猫")
    assert mixed.labels == ("我", "喜欢", "猫*", "和*", "猫*")
    assert mixed.tokens == ("我", "喜欢", "猫", "和", "猫")
    assert torch.equal(mixed.X[2], mixed.X[4])
    assert not torch.equal(mixed.X[2], mixed.X[3])


def test_same_word_same_vector_in_any_process_and_whatever_the_seed():
    script = "from course_utils.sentence import embed; print(embed('猫').tolist(), embed('我', 7).tolist())"
    torch.manual_seed(1)
    here = f"{embed('猫').tolist()} {embed('我', 7).tolist()}"
    torch.manual_seed(2)
    assert here == f"{embed('猫').tolist()} {embed('我', 7).tolist()}"
    environment = os.environ | {"PYTHONHASHSEED": "1", "PYTHONUTF8": "1"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
    assert done.stdout.strip() == here, done.stderr


def test_embedding_leaves_the_students_random_numbers_alone():
    torch.manual_seed(0)
    expected = torch.randn(3)
    torch.manual_seed(0)
    embed("猫", 512)
    assert torch.equal(torch.randn(3), expected)


def test_any_width_on_the_same_path():
    wide = read(D=512)
    assert wide.X.shape == (4, 512)
    assert wide.labels == worked_example.TOKENS
    # Standard normal: mean and spread within 5 standard errors of 2048 draws.
    assert abs(wide.X.mean()) < 5 / 2048**0.5
    assert abs(wide.X.std() - 1) < 5 / (2 * 2048) ** 0.5
    assert read(D=1).X.shape == (4, 1)
    assert read(D=np.int64(7)).X.shape == (4, 7)


def test_different_words_point_different_ways():
    words = [chr(code) for code in range(0x4E00, 0x4E00 + 200)]
    vectors = torch.stack([embed(word, 64) for word in words])
    cosines = torch.corrcoef(vectors) - torch.eye(200)
    assert cosines.abs().max() < 0.8


def test_sentence_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        read().tokens = ()


# Errors


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("", ValueError, "句子是空的"),
        ("　 \n", ValueError, "句子是空的"),
        ("。！？", ValueError, "「。！？」里只有标点和符号"),
        ("/ ／", ValueError, "里只有标点和符号"),
        ("_ __", ValueError, "里只有标点和符号"),
        ("🏀😀", ValueError, "「🏀😀」里只有标点和符号"),
        ("<>" * 99, ValueError, "「<><><><><><>…」里只有标点和符号"),
        (
            "我喜欢打羽毛球",
            ValueError,
            "从「羽毛球」开始的词不在词表里（词表：我 喜欢 打 篮球 电话 踢 足球）",
        ),
        ("hello", ValueError, "请用空格或 / 把词分开"),
        ("很" * 999, ValueError, "从「很很很很很很很很很很很很…」开始的词"),
        ("我" * 13, ValueError, "这句话有 13 个词元，热力图最多放 12 个"),
        ("a " * 500, ValueError, "这句话有 500 个词元，热力图最多放 12 个"),
        ("我 " + "很" * 13, ValueError, "词「很很很很很很很很很很很很…」有 13 个字符，最多 12 个"),
        (None, TypeError, "句子应当是一个字符串，现在是 NoneType"),
        (b"abc", TypeError, "现在是 bytes"),
        (["我", "喜欢"], TypeError, "现在是 list"),
    ],
)
def test_wrong_sentence(text, kind, message):
    with pytest.raises(kind) as caught:
        read(text)
    assert caught.type is kind
    assert message in str(caught.value)
    assert len(str(caught.value)) < 120


def test_the_limits_themselves_are_allowed():
    assert len(tokenize("我" * MAX_TOKENS)) == MAX_TOKENS == 12
    assert tokenize("很" * MAX_TOKEN_LENGTH + "/")[0] == "很" * 12


@pytest.mark.parametrize("D", [0, -1, 2.0, "5", None, True])
def test_wrong_width(D):
    with pytest.raises(ValueError, match="D 是词向量的维数，应当是正整数，现在是") as caught:
        read(D=D)
    assert repr(D) in str(caught.value)


@pytest.mark.parametrize("D", [MAX_D + 1, 10**12, 10**30, 10**400], ids=["1 more", "1e12", "1e30", "1e400"])
def test_too_wide(D):
    with pytest.raises(ValueError, match="D 是词向量的维数，最多 65536，现在"):
        read(D=D)


def test_half_a_character_has_a_vector_too():
    assert embed("\ud800").shape == (5,)


@pytest.mark.parametrize("token", [1, None, ["我"], b"a"])
def test_wrong_token(token):
    with pytest.raises(TypeError, match=f"词元应当是一个字符串，现在是 {type(token).__name__}"):
        embed(token)


# Letters of the vocabulary among the rest, so that both ways of splitting are reached.
TEXTS = st.one_of(
    st.text(max_size=60), st.text(alphabet=" /／　。，<>_$\u0301a篮球我喜欢打电话", max_size=20)
)


@given(text=TEXTS)
@example("我\xa0。")
@example("。\x85。")
@example("\ud800")
def test_any_text_gives_a_sentence_or_a_chinese_error(text):
    try:
        found = read(text)
    except ValueError as error:
        assert type(error) is ValueError
        assert CHINESE.search(str(error).replace(text, "")), error
        return
    assert 1 <= len(found.tokens) <= MAX_TOKENS
    assert found.X.shape == (len(found.tokens), len(FEATURES))
    assert torch.isfinite(found.X).all()
    assert [token.rstrip("*") for token in found.labels] == list(found.tokens)
    for token in found.tokens:
        assert 1 <= len(token) <= MAX_TOKEN_LENGTH
        assert token.isalnum(), "nothing that HTML, mathtext or a separator is made of"


@given(words=st.lists(st.sampled_from(sorted(BY_HAND)), min_size=1, max_size=12))
def test_known_words_come_back_with_and_without_separators(words):
    assert tokenize("".join(words)) == tokenize("/".join(words)) == tuple(words)
    assert read(" ".join(words)).unknown == ()
    assert read("".join(words)).X.tolist() == [BY_HAND[word] for word in words]


# Shapes in the annotations


@pytest.mark.parametrize("D", [1, 5, 512])
def test_shapes_are_those_annotated(check_shapes, D):
    check_shapes(sentence)
    assert sentence.embed("猫", D).shape == (D,)


def test_a_false_shape_is_caught(check_shapes, monkeypatch):
    monkeypatch.setitem(sentence.embed.__annotations__, "return", 'Float[Tensor, "D D"]')
    check_shapes(sentence)
    with pytest.raises(TypeCheckError):
        sentence.embed("猫")


@pytest.mark.parametrize(
    ("text", "words", "divided"),
    [
        ("今天天气真好", ["今天", "天气", "真好"], "今天/天气/真好"),
        ("我们去打电话！", ["我们", "去", "打电话"], "我们/去/打/电话"),
        ("喜欢打，打羽毛球", ["喜欢打", "打", "羽毛球"], "喜欢/打/打/羽毛球"),
        ("Ｈｉ", ["Hi"], "Hi/"),
    ],
)
def test_a_text_as_a_segmenter_divided_it(text, words, divided):
    assert divide(text, words) == divided
    assert tokenize(divided) == tuple(divided.strip("/").split("/"))


@pytest.mark.parametrize("words", [[], ["今天"], ["今天", "天气", "好"], ["<b>", "今天天气真好"]])
def test_words_that_do_not_spell_the_text_are_of_another_one(words):
    assert divide("今天天气真好", words) is None
