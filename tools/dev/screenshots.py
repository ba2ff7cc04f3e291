"""The pictures in the READMEs: lesson 04 in a real JupyterLab with its sliders moved, and the heatmap of lesson 03."""

from __future__ import annotations

import shutil
from io import BytesIO

from PIL import Image
from support.browsers import open_browser
from support.jupyterlab import Notebook, running_lab
from support.project import ROOT

from course_utils import figures
from course_utils.example import running_trace

IMAGES = ROOT / "images"
LESSON = "04_scaling_and_saturation.ipynb"


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    save("lesson_04.png", lesson_04())
    trace = running_trace()
    save("heatmap.png", figures.weights_heatmap(trace.A, trace.tokens)._repr_png_()[0])
    save("story.png", figures.plane(trace, running_trace("我喜欢打电话"))._repr_png_()[0])


def save(name: str, png: bytes) -> None:
    """Store a picture with 64 colours, which is small and looks the same."""
    Image.open(BytesIO(png)).convert("RGB").quantize(64).save(IMAGES / name, optimize=True)
    print(f"{name}: {(IMAGES / name).stat().st_size / 1000:.0f} KB")


def lesson_04() -> bytes:
    """The saturation view at d_k = 512 without the divisor, as a student sees it."""
    with running_lab() as (address, folder), open_browser() as browser:
        shutil.copy(ROOT / "notebooks" / LESSON, folder)
        page = browser.new_page(viewport={"width": 1180, "height": 690})
        lesson = Notebook(page, address, LESSON)
        lesson.open()
        lesson.run_all()
        view = page.locator(".sa-saturation")
        view.scroll_into_view_if_needed()
        lesson.slider("dₖ").press("End")
        page.get_by_role("button", name="不缩放").click()
        page.locator(".sa-panel").evaluate("node => node.scrollIntoView({ block: 'center' })")
        page.mouse.move(5, 400)
        page.wait_for_timeout(1000)
        picture = page.screenshot()
        lesson.close()
    return picture


if __name__ == "__main__":
    main()
