"""What it takes to load the plugin, the extension, and the command."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable


def load(*modules: str) -> Callable[[], None]:
    """Import modules."""

    def measured() -> None:
        for module in modules:
            importlib.import_module(module)

    return measured


def version() -> Callable[[], None]:
    """Run `docs-sitemap --version`."""
    command = [sys.executable, "-m", "docs_sitemap_cli", "--version"]

    def measured() -> None:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    return measured
