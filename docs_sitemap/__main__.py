"""`python -m docs_sitemap` is the command `docs-sitemap`."""

from docs_sitemap.cli import main

main()
