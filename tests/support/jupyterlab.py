"""A real JupyterLab of its own, and a notebook open in it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

from tools.jupyterlab_settings import SETTINGS

from .project import ROOT

ARTIFACTS = ROOT / "artifacts"
# Playwright waits for ever for a promise of the page's own.
IN_TIME = """
window.inTime = (promise) => Promise.race([
    promise,
    new Promise((_, fail) => setTimeout(() => fail(new Error("no answer in 120 s")), 120_000)),
]);
"""
# Asked of the notebook itself: in the page an error is marked as anything else on stderr.
ERRORS = """() => [...jupyterapp.shell.currentWidget.content.model.cells]
    .flatMap((cell) => cell.outputs?.toJSON() ?? [])
    .filter((output) => output.output_type === "error")
    .map(({ ename, evalue, traceback }) => [ename, evalue, ...traceback].join("\\n"))"""


@contextmanager
def running_lab(folder: Path | None = None):
    """A JupyterLab on a free port, with the course's settings: its address and the folder it shows, by default a new one."""
    with tempfile.TemporaryDirectory() as temporary, socket.socket() as free:
        base = Path(temporary)
        folder = folder or base / "notebooks"
        folder.mkdir(exist_ok=True)
        settings = base / "app" / "overrides.d" / "course.json"
        settings.parent.mkdir(parents=True)
        shutil.copy(SETTINGS, settings)
        environment = os.environ | {
            "PYTHONPATH": str(ROOT),
            "JUPYTERLAB_SETTINGS_DIR": str(base / "settings"),
            "JUPYTERLAB_WORKSPACES_DIR": str(base / "workspaces"),
            "JUPYTER_CONFIG_DIR": str(base / "config"),
            "JUPYTER_RUNTIME_DIR": str(base / "runtime"),
            "IPYTHONDIR": str(base / "ipython"),
        }
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        command = [
            *(sys.executable, "-m", "jupyter", "lab", "--no-browser", "--allow-root"),
            *("--ip=127.0.0.1", f"--port={port}", "--ServerApp.port_retries=0"),
            *("--IdentityProvider.token=", "--ServerApp.password=", "--ServerApp.disable_check_xsrf=True"),
            "--LabApp.expose_app_in_browser=True",
            *(f"--ServerApp.root_dir={folder}", f"--LabApp.app_settings_dir={base / 'app'}"),
        ]
        log = base / "lab.log"
        with log.open("w") as written:
            server = subprocess.Popen(command, env=environment, stdout=written, stderr=subprocess.STDOUT)
            address = f"http://127.0.0.1:{port}"
            try:
                _wait_for(f"{address}/api/status", server, log)
                yield address, folder
            finally:
                server.terminate()
                server.wait(30)


def _wait_for(url: str, server: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and server.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=2).close()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"JupyterLab didn't start:\n{log.read_text(encoding='utf-8')}")


class Notebook:
    """A notebook open in the browser: its page, the errors it wrote to the console, the frames it sent."""

    def __init__(self, page, address: str, name: str):
        self.page, self.address, self.name = page, address, name
        self.errors: list[str] = []
        self.sent: list = []
        # A busy machine may take its time; only what never comes is a failure.
        page.set_default_timeout(120_000)
        page.add_init_script(IN_TIME)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda m: m.type == "error" and self.errors.append(f"{m.text} {m.location}"))
        page.on("websocket", self._listen)

    def _listen(self, socket) -> None:
        if "/channels" in socket.url:
            socket.on("framesent", lambda frame: self.sent.append(frame))

    def open(self, mode: str = "doc") -> None:
        # Without reset, JupyterLab opens the notebooks of earlier tests too.
        self.page.goto(f"{self.address}/{mode}/tree/{self.name}?reset")
        self.page.wait_for_selector(".jp-Notebook .jp-Cell")
        self.page.wait_for_function(
            "() => jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'"
        )

    def command(self, name: str, **arguments):
        return self.page.evaluate(
            "([name, args]) => inTime(jupyterapp.commands.execute(name, args).then(() => null))",
            [name, arguments],
        )

    def run_all(self) -> None:
        """Runs every cell; fails when one of them ends in an error, with what it says. After an error JupyterLab runs no more."""
        done = self.page.evaluate("() => inTime(jupyterapp.commands.execute('notebook:run-all-cells'))")
        assert done, self.page.evaluate(ERRORS)

    def ask(self, code: str) -> str:
        """What a person would get who ran this line in the notebook's kernel now, as text."""
        return self.page.evaluate(
            """async (code) => {
                const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
                const future = kernel.requestExecute({ code, store_history: false });
                let text = "";
                future.onIOPub = ({ content }) => (text += content.text ?? content.traceback?.join("\\n") ?? "");
                await inTime(future.done);
                return text;
            }""",
            code,
        )

    def values(self, name: str) -> list[float]:
        """The full-precision numbers that a view shows under a name, in document order."""
        return self.page.locator(f"[data-name='{name}']").evaluate_all(
            "nodes => nodes.map(node => Number(node.dataset.value))"
        )

    def slider(self, name: str):
        return self.page.get_by_role("slider", name=name, exact=True)

    def drag(self, slider, moves: int = 40) -> None:
        """Drags a slider's handle to both ends of its track and lets the button down; release() lets it go."""
        track = slider.locator("xpath=ancestor::*[contains(@class, 'noUi-target')]").bounding_box()
        handle = slider.bounding_box()
        y = handle["y"] + handle["height"] / 2
        self.page.mouse.move(handle["x"] + handle["width"] / 2, y)
        self.page.mouse.down()
        for n in range(1, moves + 1):
            share = abs(1 - 2 * n / moves)
            self.page.mouse.move(track["x"] + share * track["width"], y)

    def release(self) -> None:
        self.page.mouse.up()
        self.settle()

    def settle(self) -> None:
        """Waits until the held-back messages have gone out and the kernel has taken them."""
        self.page.wait_for_timeout(400)
        self.ask("")

    def close(self) -> None:
        self.page.evaluate("() => inTime(jupyterapp.shell.currentWidget.sessionContext.shutdown())")
        self.page.close()

    def screenshot(self, name: str) -> None:
        ARTIFACTS.mkdir(exist_ok=True)
        self.page.screenshot(path=ARTIFACTS / f"{name}.png")
