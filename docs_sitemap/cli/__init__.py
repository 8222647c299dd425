"""The command `docs-sitemap`. It needs more libraries than a build: the extra `cli`."""

from __future__ import annotations

import sys

_EXTRA = ("click", "rich", "protego")

# As shells have it for a process that SIGINT, or SIGPIPE, ends.
INTERRUPTED = 130
CLOSED = 141


def main() -> None:
    """Run the command with the arguments of the process, and end it."""
    try:
        from docs_sitemap.cli.command import run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _EXTRA:
            raise
        print(
            f"Error: {error.name} is not installed; the command needs it: "
            "pip install 'docs-sitemap[cli]'",
            file=sys.stderr,
        )
        sys.exit(2)
    except KeyboardInterrupt:
        print("Error: interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)
    sys.exit(run())
