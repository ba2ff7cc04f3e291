"""Every figure of the course on the running example, by name, and how tests look at figures."""

import io

import torch
from matplotlib.colors import to_rgb

from course_utils import figures
from course_utils.attention import Trace, scores, softmax
from course_utils.example import CHANNELS, CONTENTS, W_Q, W_V, running_trace
from course_utils.sentence import FEATURES, SENTENCE, VOCABULARY, read

BALL, PHONE = running_trace(), running_trace("我喜欢打电话")
TOKENS = BALL.tokens
WORDS = tuple(VOCABULARY)
ONE_HOT = torch.tensor([[float(word == token) for word in WORDS] for token in TOKENS])
EMBEDDING = torch.tensor([VOCABULARY[word] for word in WORDS], dtype=torch.float32)
ASKING = ("I", "like", "to", "play", "basket", "ball")
LENGTHS = (4, 16, 64, 256, 1024)
SECONDS = {"逐词元循环": (2e-4, 8e-4, 4e-3, 2e-2, 0.11), "矩阵形式": (2e-5, 2.5e-5, 4e-5, 3e-4, 5e-3)}


def real_size() -> Trace:
    """D = 512, d_k = 64 on the running sentence, always the same numbers."""
    torch.manual_seed(0)
    sentence = read(SENTENCE, 512)
    W = [torch.randn(512, 64) / 512**0.5 for _ in range(3)]
    return Trace.of(sentence.X, *W, tokens=sentence.labels)


def long_sentence() -> Trace:
    """Twelve tokens, long and short, Chinese and Latin, one with dollar signs: the most that a heatmap takes."""
    words = "我 喜欢 打 basketball* 电话 踢 足球 羽毛球* 我 们* 一二三四五六七* $x_1$*"
    torch.manual_seed(0)
    X, *W = (torch.randn(*shape) for shape in ((12, 5), (5, 3), (5, 3), (5, 2)))
    return Trace.of(X, *W, tokens=tuple(words.split()))


def other_sentence() -> tuple[torch.Tensor, torch.Tensor]:
    """Q, (6, 3), of ASKING, and the K of the running sentence, which they look at."""
    torch.manual_seed(0)
    return torch.randn(6, 3), BALL.K


GALLERY = {
    "matrix": lambda: figures.matrix(BALL.X, TOKENS, FEATURES),
    "matrix_bare": lambda: figures.matrix([[1.5, -2.25], [0, 3]], name="M"),
    "matrix_512": lambda: figures.matrix(real_size().X, TOKENS),
    "product": lambda: figures.product(BALL.X, W_Q, rows=TOKENS, shared=FEATURES, columns=CHANNELS),
    "product_v": lambda: figures.product(BALL.X, W_V, ("X", "W_V", "V"), TOKENS, FEATURES, CONTENTS),
    "product_scores": lambda: figures.product(BALL.Q, BALL.K.T, ("Q", "Kᵀ", "QKᵀ"), TOKENS, CHANNELS, TOKENS),
    "product_fusion": lambda: figures.product(BALL.A, BALL.V, ("A", "V", "B"), TOKENS, TOKENS, CONTENTS),
    "product_one_hot": lambda: figures.product(ONE_HOT, EMBEDDING, ("H", "E", "X"), TOKENS, WORDS, FEATURES),
    "product_one_row": lambda: figures.product(
        BALL.X[2:3], W_Q, ("x_打", "W_Q", "q_打"), TOKENS[2:3], FEATURES, CHANNELS
    ),
    "qkv": lambda: figures.qkv(BALL),
    "qkv_512": lambda: figures.qkv(real_size()),
    "scores_heatmap": lambda: figures.scores_heatmap(BALL.S, TOKENS),
    "scores_heatmap_12": lambda: figures.scores_heatmap(long_sentence().S, long_sentence().tokens),
    "weights_heatmap": lambda: figures.weights_heatmap(BALL.A, TOKENS),
    "weights_heatmap_12": lambda: figures.weights_heatmap(long_sentence().A, long_sentence().tokens),
    "weights_heatmap_6x4": lambda: figures.weights_heatmap(
        softmax(scores(*other_sentence())), ASKING, keys=TOKENS
    ),
    "softmax_axes": lambda: figures.softmax_axes(BALL.S, TOKENS),
    "softmax_axes_12": lambda: figures.softmax_axes(long_sentence().S, long_sentence().tokens),
    "softmax_axes_6x4": lambda: figures.softmax_axes(scores(*other_sentence()), ASKING, TOKENS),
    "divisors_12": lambda: figures.divisors(long_sentence().Q, long_sentence().K, long_sentence().tokens),
    "divisors": lambda: figures.divisors(BALL.Q, BALL.K, TOKENS),
    "divisors_6x4": lambda: figures.divisors(*other_sentence(), ASKING, TOKENS),
    "fusion": lambda: figures.fusion(BALL, 2),
    "fusion_phone": lambda: figures.fusion(PHONE, 2),
    "fusion_12": lambda: figures.fusion(long_sentence(), 3),
    "one_token": lambda: figures.one_token(BALL, 2),
    "plane": lambda: figures.plane(BALL),
    "plane_two": lambda: figures.plane(BALL, PHONE),
    "plane_12": lambda: figures.plane(long_sentence()),
    "flow": lambda: figures.flow(BALL),
    "flow_512": lambda: figures.flow(real_size()),
    "timing": lambda: figures.timing(LENGTHS, SECONDS),
}
# Those of the running example, which a lecturer projects.
MAIN = [name for name in GALLERY if not name.endswith(("_12", "_512", "_bare", "_6x4"))]
ONE_OF_EACH = [
    name for name in MAIN if not name.startswith("product_") and name not in ("fusion_phone", "plane")
]


def pixels(figure) -> bytes:
    """The figure drawn at its own size."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="rgba")
    return buffer.getvalue()


def contrast(a, b) -> float:
    """Contrast ratio of two colours after WCAG 2.1, written out once more on purpose."""

    def luminance(colour):
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted([luminance(a), luminance(b)])
    return (light + 0.05) / (dark + 0.05)
