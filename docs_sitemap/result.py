"""The result of a build, and how the log describes it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .config.options import OPTION_NAMES, OptionNames
from .diagnostics import Described, Diagnostic
from .entry import Entry
from .tools.printing import count, printable


@dataclass(frozen=True, slots=True)
class BuildResult:
    """The result of a build. Each page is either in `listed` or in `excluded`.

    Attributes:
        listed: The pages in the sitemap, in its order.
        excluded: The other pages, sorted by name.
        files: The absolute paths of the files of the sitemap, `filename` first. Empty
            if no sitemap was written.
        diagnostics: The warnings and notices, in the order of the steps of the build.
        names: How the texts name options.
    """

    listed: tuple[Entry, ...] = ()
    excluded: tuple[Entry, ...] = ()
    files: tuple[Path, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    names: OptionNames = OPTION_NAMES

    @property
    def summary(self) -> str:
        """One line for the log: the numbers of listed, dated, and excluded pages."""
        if not self.files:
            return "no sitemap was written"
        undated = []
        for entry in self.listed:
            if entry.url.lastmod is None:
                undated.append(entry.lastmod.status)
        reasons = [entry.reason for entry in self.excluded if entry.reason]
        text = f"{self.files[0].name}: {count(len(self.listed), 'URL')}"
        text += f", {len(self.listed) - len(undated):,} with lastmod"
        if undated:
            causes = describe_causes(undated, self.names)
            text += f", {len(undated):,} without lastmod{causes}"
        text += f", {count(len(self.excluded), 'page')} left out"
        return text + describe_causes(reasons, self.names)

    @property
    def details(self) -> Iterator[str]:
        """A line for each page: its date, or why it is excluded."""
        for entry in self.listed:
            date = entry.url.lastmod or "no date"
            line = f"{entry.loc} ({entry.page.name}): {date}: {entry.lastmod}"
            if entry.ran_code:
                line += f"; {describe_code(entry.ran_code, self.names)}"
            yield printable(line)
        for entry in self.excluded:
            line = f"excluded: {entry.page.name}: "
            if entry.reason is not None:
                line += self.names.describe(entry.reason)
            if entry.detail:
                line += f" ({entry.detail})"
            yield printable(line)


def describe_code(ran_code: Sequence[str], names: OptionNames) -> str:
    """Return what to do about the files that the code of a page read."""
    return (
        f"{' and '.join(ran_code)} ran code for this page: if the code read other "
        f"files, name them in {names['dependencies']}"
    )


def describe_causes(causes: Sequence[Described], names: OptionNames) -> str:
    """Return what the causes mean, the most common first, with the number of pages of
    each.
    """
    counts = Counter(map(names.describe, causes))
    if not counts:
        return ""
    texts = [f"{number:,}: {meaning}" for meaning, number in counts.most_common()]
    return f" ({'; '.join(texts if len(texts) > 1 else counts)})"
