"""The command `docs-sitemap`. It needs more packages than a build: the extra `cli`."""

from __future__ import annotations

import sys
from importlib import import_module

_PACKAGES = ("click", "rich", "protego", "packaging")

# EX_SOFTWARE: https://man.freebsd.org/cgi/man.cgi?query=sysexits
EXIT_FAULT = 70
# The exit codes that shells report for a process that SIGINT or SIGPIPE ends.
EXIT_INTERRUPTED = 130
EXIT_CLOSED_PIPE = 141


def main() -> None:
    """Run the command with the arguments of the process, and end the process."""
    try:
        for package in _PACKAGES:
            import_module(package)
        from docs_sitemap.commands.root import run
    except ModuleNotFoundError as error:
        print(
            f"Error: docs-sitemap needs the package {error.name}, which is not installed. "
            "Fix: pip install 'docs-sitemap[cli]'",
            file=sys.stderr,
        )
        sys.exit(2)
    except KeyboardInterrupt:
        print("Error: interrupted", file=sys.stderr)
        sys.exit(EXIT_INTERRUPTED)
    sys.exit(run())
