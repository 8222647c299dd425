"""What a check came to: by path, and in all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from dataclasses import dataclass, field, replace

from docs_sitemap.check.findings import Finding, Severity


@dataclass(slots=True)
class Part:
    """What the check of one path came to.

    Attributes:
        path: the folder or file, as the user named it.
        findings: what is wrong, file by file.
        sitemaps: how many sitemaps and sitemap indexes were read.
        urls: how many URLs they list.
        pages: how many pages of the site were read.
        assumed: the URL that a folder of which nobody said so is taken to be published at.
        is_placed: whether its URL is known or assumed, as far as one is needed.
        apart: the folders in it that are not checked, for they have sitemaps of their own.
    """

    path: str
    findings: list[Finding] = field(default_factory=list)
    sitemaps: int = 0
    urls: int = 0
    pages: int = 0
    assumed: str | None = None
    is_placed: bool = True
    apart: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Result:
    """What the check of all paths came to.

    Attributes:
        parts: the same of each path.
        ignored: how many findings are left out of them.
    """

    parts: tuple[Part, ...]
    ignored: int = 0

    def without(self, codes: Container[str]) -> Result:
        """Return the same without the findings of some codes."""
        kept = tuple(
            replace(part, findings=[one for one in part.findings if one.code.name not in codes])
            for part in self.parts
        )
        left_out = sum(one.number for one in self.findings if one.code.name in codes)
        return Result(kept, self.ignored + left_out)

    def counts(self) -> Counter[Severity]:
        """Return how many findings there are, those that are not held, too."""
        counts: Counter[Severity] = Counter()
        for finding in self.findings:
            counts[finding.code.severity] += finding.number
        return counts

    @property
    def findings(self) -> list[Finding]:
        return [finding for part in self.parts for finding in part.findings]

    @property
    def sitemaps(self) -> int:
        return sum(part.sitemaps for part in self.parts)

    @property
    def urls(self) -> int:
        return sum(part.urls for part in self.parts)

    @property
    def pages(self) -> int:
        return sum(part.pages for part in self.parts)

    @property
    def assumed(self) -> dict[str, str]:
        """The base URLs that are assumed, by path."""
        return {part.path: part.assumed for part in self.parts if part.assumed is not None}
