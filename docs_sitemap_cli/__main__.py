"""Start the command: `docs-sitemap`, or `python -m docs_sitemap_cli`."""

import sys


def main() -> None:
    """Load the command and run it, until Ctrl-C at any time."""
    try:
        from .root import main as run

        run()
    except KeyboardInterrupt:
        # As click ends a command: the terminal has printed "^C".
        sys.exit("\nError: interrupted")


if __name__ == "__main__":
    main()
