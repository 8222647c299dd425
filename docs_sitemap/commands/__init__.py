"""The command `docs-sitemap`. A build imports nothing of it."""

from __future__ import annotations

import sys

# EX_SOFTWARE: https://man.freebsd.org/cgi/man.cgi?query=sysexits
EXIT_FAULT = 70
# The exit codes that shells report for a process that SIGINT or SIGPIPE ends.
EXIT_INTERRUPTED = 130
EXIT_CLOSED_PIPE = 141


def main() -> None:
    """Run the command with the arguments of the process, and end the process."""
    try:
        from docs_sitemap.commands.root import run
    except KeyboardInterrupt:
        print("Error: interrupted", file=sys.stderr)
        sys.exit(EXIT_INTERRUPTED)
    sys.exit(run())
