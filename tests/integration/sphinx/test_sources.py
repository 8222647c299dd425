"""Which files count as sources of a page, and for which pages."""

from __future__ import annotations

from pathlib import Path

from support.sphinx import SphinxSite, days, document


def test_the_configuration_of_docutils_is_not_a_source(project: Path) -> None:
    site = SphinxSite.create(project, {"index.rst": document("Home")})
    site.repository.commit({"docs/docutils.conf": "[parsers]\nsmart_quotes: no\n"}, day=4)
    assert days(site.build()) == {"index": 1}
    assert days(site.build()) == {"index": 1}, "also if nothing is read again"
