"""Run the command `docs-sitemap` with `python -m docs_sitemap`."""

from .commands.root import main

main()
