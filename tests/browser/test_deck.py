"""`jupyter nbconvert --to slides` gives a deck whose slides aren't overfull, with predictions that wait for their answer.

What the page asks for at its usual addresses is answered from npm packages; nothing else is answered.
"""

import mimetypes

import pytest
from nbconvert import SlidesExporter
from support.browsers import SIZE
from support.lessons import read_notebook

from tools.build.lessons import LESSONS

# The page keeps reveal.js among what its require has loaded.
REVEAL = "Object.entries(require.s.contexts._.defined).find(([name]) => name.endsWith('/dist/reveal.js'))[1]"
PAGE = "http://deck.invalid/lesson.html"
# Every slide laid out at once: what it holds, and how much of it there is room for.
LAY_OUT = """() => {
    const style = document.head.appendChild(document.createElement("style"));
    style.textContent = ".slides section { display: block !important; }";
    document.querySelectorAll(".slides section").forEach((slide) => (slide.hidden = false));
    return [...document.querySelectorAll(".slides section section")].map((slide) => ({
        start: slide.innerText.trim().slice(0, 40),
        height: slide.scrollHeight,
        width: slide.scrollWidth,
        cut: [...slide.querySelectorAll("pre")].some((code) => code.scrollWidth > code.clientWidth),
    }));
}"""


@pytest.fixture(scope="module")
def packages(npm):
    """Part of an address -> the folder that answers what stands after it, or the file."""
    return {
        "/reveal.js@4.0.2/": npm("reveal.js@4.0.2"),
        "/mathjax/2.7.7/": npm("mathjax@2.7.7"),
        "/require.min.js": npm("requirejs@2.3.8") / "require.js",
        "/jquery.min.js": npm("jquery@3.7.1") / "dist/jquery.min.js",
    }


@pytest.fixture
def deck(browser, packages, request):
    """A lesson's deck, open in the browser."""
    html = SlidesExporter().from_notebook_node(read_notebook(request.param))[0]
    page = browser.new_page(viewport=SIZE)

    def answer(route):
        address = route.request.url.split("?")[0]
        if address == PAGE:
            return route.fulfill(body=html, content_type="text/html; charset=utf-8")
        for part, place in packages.items():
            if part in address:
                file = place / address.split(part)[1] if part.endswith("/") else place
                kind = mimetypes.guess_type(file.name)[0] or "text/plain"
                return route.fulfill(body=file.read_bytes(), content_type=kind)
        return route.abort()

    page.route("**/*", answer)
    page.goto(PAGE)
    # Formulas are set while their slides are still hidden, as they are for a lecturer.
    page.wait_for_function("() => window.MathJax?.isReady && document.querySelector('.reveal.ready')")
    page.evaluate("() => new Promise((done) => MathJax.Hub.Queue(done))")
    yield page
    page.close()


@pytest.mark.parametrize("deck", LESSONS, ids=lambda lesson: lesson.stem, indirect=True)
def test_no_slide_is_overfull(deck):
    slides = deck.evaluate(LAY_OUT)
    size = deck.evaluate(f"() => {REVEAL}.getConfig()")
    assert (size["width"], size["height"]) == (960, 700)
    assert len(slides) > 10
    assert [s for s in slides if s["height"] > size["height"] or s["width"] > size["width"] or s["cut"]] == []
    # Slides of a line or two each would be no deck either.
    assert sum(s["height"] for s in slides) / len(slides) > 300


@pytest.mark.parametrize("deck", LESSONS[3:4], ids=lambda lesson: lesson.stem, indirect=True)
def test_a_class_sees_the_question_before_the_answer(deck):
    question = deck.locator("section section", has_text="反过来，“篮球”看“打”也得 4 吗")
    answer = question.locator(".fragment")
    indices = question.evaluate(f"slide => {REVEAL}.getIndices(slide)")
    deck.evaluate(f"({{ h, v }}) => {REVEAL}.slide(h, v)", indices)
    assert "QK_loop" in answer.text_content()
    assert "visible" not in answer.get_attribute("class")
    deck.keyboard.press("ArrowDown")
    assert "visible" in answer.get_attribute("class")
    notes = question.locator("aside.notes")
    assert "讲课提示（2 分钟）" in notes.text_content()
    deck.wait_for_timeout(500)
