"""Run the command `docs-sitemap` with `python -m docs_sitemap_cli`."""

from .root import main

main()
