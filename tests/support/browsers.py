"""The machine's own Chromium, Chrome or Edge, for the tests and for the tools that look at pages."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "msedge",
)
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SIZE = {"width": 1280, "height": 720}


class NoBrowserError(RuntimeError):
    """None of BROWSERS is on this machine."""

    def __init__(self):
        super().__init__(f"没有找到浏览器（{', '.join(BROWSERS)}）。")


@contextmanager
def open_browser() -> Iterator:
    """A headless browser of Playwright's. Raises NoBrowserError where there is none."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        raise NoBrowserError
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()
