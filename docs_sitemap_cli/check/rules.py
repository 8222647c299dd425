"""All rules of `check`. Each is declared next to the function that checks it."""

from docs_sitemap.sitemap import hosts, reader, urls, validation
from docs_sitemap.sitemap.rules import Rule

from . import check_path, dates, folder_pages, pages, robots, sitemaps

_SUBJECTS = (
    *(reader, urls, hosts, validation),
    *(check_path, sitemaps, pages, folder_pages, dates, robots),
)


def _collect() -> tuple[Rule, ...]:
    rules: dict[Rule, None] = {}
    for module in _SUBJECTS:
        for value in vars(module).values():
            if isinstance(value, Rule):
                rules[value] = None
    return tuple(rules)


RULES = _collect()
