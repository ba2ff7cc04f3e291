"""Words -> tokens -> X: the vocabulary of the running example, and any other sentence on the same path."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING

import torch
from torch import Tensor

if TYPE_CHECKING:
    from jaxtyping import Float

SENTENCE = "我喜欢打篮球"
FEATURES = ("人", "情感", "动作", "运动", "通讯")
# Hand-made so that every later matrix can be checked by hand; real word vectors are learned.
VOCABULARY = {
    "我": (1, 0, 0, 0, 0),
    "喜欢": (0, 2, 0, 0, 0),
    "打": (0, 0, 1, 1, 1),
    "篮球": (0, 0, 0, 2, 0),
    "电话": (0, 0, 0, 0, 2),
    "踢": (0, 0, 1, 2, 0),
    "足球": (0, 0, 0, 2, 0),
}
# A heatmap with a number in each cell stays readable up to this size.
MAX_TOKENS = 12
MAX_TOKEN_LENGTH = 12
# Far beyond any lesson, and still in the memory of any machine.
MAX_D = 65536

_SPACE = re.compile(r"\s")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, eq=False)
class Sentence:
    """A sentence as a matrix: L tokens, and X of shape (L, D) with one row for each."""

    tokens: tuple[str, ...]
    X: Float[Tensor, "L D"]

    @property
    def unknown(self) -> tuple[str, ...]:
        """The tokens outside the vocabulary; their vectors are random."""
        return tuple(token for token in self.tokens if token not in VOCABULARY)

    @property
    def labels(self) -> tuple[str, ...]:
        """The tokens as figures show them: a word outside the vocabulary carries a star."""
        return tuple(token + "*" if token in self.unknown else token for token in self.tokens)


def tokenize(text: str) -> tuple[str, ...]:
    """Split a sentence: at spaces or slashes when there are any, else into known words, longest first.

    Punctuation and symbols are dropped; full-width letters and signs count as their usual forms.
    Raises ValueError for text that is empty, has nothing but punctuation and symbols, holds an unknown word
    without separators, or is too long for a heatmap.
    """
    if not isinstance(text, str):
        raise TypeError(f"句子应当是一个字符串，现在是 {type(text).__name__}。")
    if not text.strip():
        raise ValueError(f"句子是空的。写几个词试试，例如：{SENTENCE}")
    plain = unicodedata.normalize("NFKC", text)
    pieces = _WORD.findall(plain)
    if not pieces:
        raise ValueError(f"「{_clip(text.strip())}」里只有标点和符号，没有词。写几个词试试，例如：{SENTENCE}")
    # A space before the first word or after the last one separates nothing; a slash is meant wherever it stands.
    middle = plain[plain.find(pieces[0]) : plain.rfind(pieces[-1])]
    if "/" in plain or _SPACE.search(middle):
        tokens = tuple(pieces)
    else:
        tokens = tuple(word for piece in pieces for word in _longest_match(piece))
    if len(tokens) > MAX_TOKENS:
        raise ValueError(f"这句话有 {len(tokens)} 个词元，热力图最多放 {MAX_TOKENS} 个。请缩短句子。")
    for token in tokens:
        if len(token) > MAX_TOKEN_LENGTH:
            raise ValueError(
                f"词「{_clip(token)}」有 {len(token)} 个字符，最多 {MAX_TOKEN_LENGTH} 个。请用空格或 / 把它分开。"
            )
    return tokens


def embed(token: str, D: int = len(FEATURES)) -> Float[Tensor, " D"]:
    """The vector of one token, shape (D,): hand-made at D=5 for known words, else random but always the same."""
    if not isinstance(token, str):
        raise TypeError(f"词元应当是一个字符串，现在是 {type(token).__name__}。")
    if isinstance(D, bool) or not isinstance(D, Integral) or D < 1:
        raise ValueError(f"D 是词向量的维数，应当是正整数，现在是 {D!r}。")
    if D > MAX_D:
        raise ValueError(f"D 是词向量的维数，最多 {MAX_D}，现在超出了。试试 D=512。")
    if D == len(FEATURES) and token in VOCABULARY:
        return torch.tensor(VOCABULARY[token], dtype=torch.float32)
    # Python's own hash() changes from process to process.
    seed = int.from_bytes(hashlib.sha256(token.encode(errors="surrogatepass")).digest()[:7], "big")
    return torch.randn(D, generator=torch.Generator().manual_seed(seed), dtype=torch.float32)


def read(text: str = SENTENCE, D: int = len(FEATURES)) -> Sentence:
    """Tokenize a sentence and stack its vectors into X, shape (L, D). Errors are those of tokenize and embed."""
    tokens = tokenize(text)
    return Sentence(tokens, torch.stack([embed(token, D) for token in tokens]))


def divide(text: str, words: Sequence[str]) -> str | None:
    """The text as some segmenter divided it, with slashes between the words; None unless the words spell the text.

    A word made of known words is divided further: segmenters take 打电话 for one word. The text may hold no blanks.
    """
    if not isinstance(text, str):
        raise TypeError(f"句子应当是一个字符串，现在是 {type(text).__name__}。")
    if not isinstance(words, (tuple, list)) or not all(isinstance(word, str) for word in words):
        raise TypeError(f"words 应当是一组词，例如 ('我', '喜欢')，现在是 {words!r:.60}。")
    pieces = _WORD.findall(unicodedata.normalize("NFKC", text))
    if "".join(pieces) != "".join(words):
        return None
    parts = [part for word in words for part in _known_parts(word)]
    # A single word needs a slash as well, to say that it is one.
    return "/".join(parts) if len(parts) > 1 else f"{parts[0]}/" if parts else None


def _known_parts(word: str) -> list[str]:
    try:
        return _longest_match(word)
    except ValueError:
        return [word]


def _longest_match(piece: str) -> list[str]:
    tokens = []
    start = 0
    while start < len(piece):
        word = max((w for w in VOCABULARY if piece.startswith(w, start)), key=len, default=None)
        if word is None:
            raise ValueError(
                f"从「{_clip(piece[start:])}」开始的词不在词表里（词表：{' '.join(VOCABULARY)}）。"
                "请用空格或 / 把词分开，例如：我 喜欢 打 羽毛球"
            )
        tokens.append(word)
        start += len(word)
    return tokens


def _clip(text: str) -> str:
    return text if len(text) <= MAX_TOKEN_LENGTH else text[:MAX_TOKEN_LENGTH] + "…"
