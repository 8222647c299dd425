"""A real browser, and a server for built sites."""

from __future__ import annotations

import functools
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

needs_browser = pytest.mark.skipif(
    shutil.which("chromedriver") is None, reason="needs Chromium and ChromeDriver"
)

_OPTIONS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
    # Nothing is loaded from the network.
    *(
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
    ),
    *("--disable-sync", "--disable-quic"),
)


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        pass


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Serve a folder, which may be filled later, and yield its URL with a slash at the
    end.
    """
    handler = functools.partial(_QuietHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class Browser:
    """Chromium without a window.

    Args:
        folder: The folder of its profile.
    """

    def __init__(self, folder: Path) -> None:
        from selenium import webdriver

        options = webdriver.ChromeOptions()
        for option in (*_OPTIONS, f"--user-data-dir={folder}"):
            options.add_argument(option)
        # Selenium would look for a driver on the network.
        service = webdriver.ChromeService(executable_path=shutil.which("chromedriver"))
        self._driver = webdriver.Chrome(options=options, service=service)

    def close(self) -> None:
        self._driver.quit()

    def open(self, url: str) -> None:
        """Load a page, and mark it until another page is loaded."""
        self._driver.get(url)
        self._driver.execute_script("window.isMarked = true")

    def resize(self, width: int, height: int) -> None:
        """Set the size of the page in pixels, which no window limits."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1}
        command = "Emulation.setDeviceMetricsOverride"
        self._driver.execute_cdp_cmd(command, {**size, "mobile": False})

    def evaluate(self, script: str) -> Any:
        """Run a script on the page, and return what it returns."""
        return self._driver.execute_script(script)

    def click(self, selector: str) -> None:
        """Wait for an element, and click it, even if it is not visible."""
        from selenium.webdriver.support.ui import WebDriverWait

        script = "return document.querySelector(arguments[0])"
        wait = WebDriverWait(self._driver, 10)
        element = wait.until(lambda driver: driver.execute_script(script, selector))
        self._driver.execute_script("arguments[0].click()", element)

    def wait_for(self, url: str) -> None:
        """Wait until the address is a URL."""
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self._driver, 10).until(
            lambda driver: driver.current_url == url,
            f"the address stays {self._driver.current_url}",
        )

    @property
    def is_same_page(self) -> bool:
        """Whether the browser has not loaded another page since `open`."""
        return bool(self._driver.execute_script("return window.isMarked === true"))
