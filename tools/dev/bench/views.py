"""How fast the live views are, how long the package takes to import, and how much memory a view takes.

Slider to changed pixels is measured in one page for the saturation view and for the usual way, `interact` and a
matplotlib figure of the same three panels. One measurement: a key on the slider, then frames until the panel's
content has changed, then one more frame for its pixels.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

import nbformat
from support.browsers import SIZE, open_browser
from support.jupyterlab import Notebook, running_lab
from support.project import ROOT

BASELINE = "import torch, matplotlib.pyplot, ipywidgets"
MEMORY = "import psutil; print(psutil.Process().memory_info().rss)"
VIEW = "from course_utils import explorers\nview = explorers.Saturation()\nview"
USUAL = """
import matplotlib.pyplot as plt
from ipywidgets import FloatSlider, SelectionSlider, interact
from course_utils import attention, saturation
from course_utils.explorers.saturation import STOPS
Q, K = view._Q[0], view._K[0, :4]
bands = saturation.sweep(0.5, STOPS)

@interact(d_k=SelectionSlider(options=STOPS, value=64, description="usual d_k"), p=FloatSlider(0.5, min=0, max=1))
def draw(d_k, p):
    A = attention.softmax(attention.scores(Q[:, :d_k], K[:, :d_k], p))
    fig, (heat, rows, strip) = plt.subplots(1, 3, figsize=(11, 3.2))
    heat.imshow(A, vmin=0, vmax=1, cmap="Purples")
    for i in range(4):
        for j in range(4):
            heat.text(j, i, f"{A[i, j]:.3f}", ha="center", va="center")
    rows.barh(range(4), saturation.jacobian_norm(A), log=True)
    strip.fill_between(STOPS, bands.largest[0], bands.largest[2], alpha=0.3)
    strip.plot(STOPS, bands.largest[1])
    strip.axvline(d_k, color="red")
    strip.set_xscale("log")
    plt.show()
"""
# From the key to the second frame after the change; resolves with milliseconds.
MEASURE = """async ({ slider, content, key }) => {
    const handle = document.querySelector(slider);
    const read = () => document.querySelector(content)?.getAttribute("src")
        ?? document.querySelector(content)?.dataset.value;
    const before = read();
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    handle.focus();
    await frame();
    const start = performance.now();
    handle.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    while (read() === before || read() === undefined) {
        if (performance.now() - start > 10000) throw new Error("nothing changed");
        await new Promise((done) => { const c = new MessageChannel(); c.port1.onmessage = done; c.port2.postMessage(0); });
    }
    const changed = performance.now() - start;
    await frame();
    await new Promise((done) => setTimeout(done));
    return [changed, performance.now() - start];
}"""


def measure() -> None:
    print(f"import of course_utils on top of {BASELINE[7:]}: {import_time():.3f} s")
    with running_lab() as (address, folder), open_browser() as browser:
        page = browser.new_page(viewport=SIZE)
        notebook = open_notebook(page, address, folder, "view.ipynb", [VIEW, USUAL])
        start = time.perf_counter()
        page.evaluate("() => { jupyterapp.commands.execute('notebook:run-all-cells'); }")
        page.wait_for_selector(".sa-saturation td[data-value]")
        print(
            f"Run All to the first live view (imports of torch included): {time.perf_counter() - start:.1f} s"
        )
        page.wait_for_selector(".jp-OutputArea-output img", timeout=60_000)
        page.wait_for_timeout(1000)
        ours = moves(notebook, "[role=slider][aria-label=dₖ]", ".sa-saturation [data-name=std]", 60, 0.3)
        usual = moves(notebook, ".widget-interact [role=slider]", ".widget-interact img", 12, 1.0)
        report("live view", ours)
        report("interact + matplotlib", usual)
        for n, name in enumerate(("to changed content", "to painted frame")):
            ratio = statistics.median(row[n] for row in usual) / statistics.median(row[n] for row in ours)
            print(f"ratio, {name}: {ratio:.0f} times")
        bare = open_notebook(page, address, folder, "bare.ipynb", [BASELINE])
        bare.run_all()
        before = int(bare.ask(MEMORY))
        course = open_notebook(page, address, folder, "course.ipynb", [BASELINE, VIEW])
        course.run_all()
        after = int(course.ask(MEMORY))
        print(
            f"kernel memory: {before / 1e6:.0f} MB with {BASELINE[7:]}, {(after - before) / 1e6:+.0f} MB with a view"
        )


def import_time(runs: int = 5) -> float:
    code = (
        f"{BASELINE}, time; t = time.perf_counter(); from course_utils import figures, explorers, saturation"
    )
    code += "; print(time.perf_counter() - t)"
    times = [
        float(
            subprocess.run(
                [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
            ).stdout
        )
        for _ in range(runs)
    ]
    return statistics.median(times)


def open_notebook(page, address: str, folder: Path, name: str, cells: list[str]) -> Notebook:
    document = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    document.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(document, folder / name)
    notebook = Notebook(page, address, name)
    notebook.open()
    return notebook


def moves(notebook: Notebook, slider: str, content: str, count: int, pause: float) -> list[list[float]]:
    """Milliseconds to changed content and to its painted frame, for each of count moves there and back."""
    measured = []
    for n in range(count):
        request = {"slider": slider, "content": content, "key": "ArrowRight" if n % 6 < 3 else "ArrowLeft"}
        measured.append(notebook.page.evaluate(MEASURE, request))
        time.sleep(pause)
    return measured


def report(name: str, measured: list[list[float]]) -> None:
    changed, painted = zip(*measured, strict=True)
    print(
        f"{name}: median {statistics.median(changed):.1f} ms to changed content, "
        f"{statistics.median(painted):.1f} ms to painted frame ({len(measured)} moves)"
    )
