"""Run the command `docs-sitemap` with `python -m docs_sitemap`."""

from docs_sitemap.commands.root import main

main()
