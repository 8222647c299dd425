"""Figures, and the tables that show them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median


@dataclass(frozen=True)
class Checked:
    """The files whose date is not the right one, and those that have none but should."""

    wrong: list[str]
    missing: list[str]


@dataclass
class Row:
    """What is known of one contestant; the lists hold one figure of each run."""

    checked: Checked | None
    gits: int
    seconds: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    peaks: list[float] = field(default_factory=list)

    def add(self, seconds: float, cpu: float, peak: float) -> None:
        self.seconds.append(seconds)
        self.cpu.append(cpu)
        self.peaks.append(peak)


@dataclass
class Result:
    """All figures of one repository."""

    title: str
    pages: int
    methods: dict[str, Row] = field(default_factory=dict)
    builds: dict[str, dict[str, Row]] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)


def methods_table(result: Result, ours: str) -> str:
    """The ways to find the dates, without a build."""
    head = ["dates alone", "seconds", "processor time", "times this project", *_TAIL]
    base = result.methods.get(ours)
    lines = []
    for name, row in result.methods.items():
        line = [name, f"{median(row.seconds):.3f}", f"{median(row.cpu):.3f}"]
        times = _times(median(row.seconds), median(base.seconds)) if base else ""
        lines.append([*line, times, *_tail(row)])
    return _table(head, lines)


def builds_table(result: Result, tool: str, plain: str) -> str:
    """Whole builds; what the dates cost is the median of the differences to the plain build."""
    rows = result.builds[tool]
    head = [f"{tool}: dates by", "seconds", "over plain", "of plain"]
    head += ["processor time", "over plain", "of plain", *_TAIL]
    lines = []
    for name, row in rows.items():
        line = [name]
        for values, base in ((row.seconds, rows[plain].seconds), (row.cpu, rows[plain].cpu)):
            over = _over(values, base)
            share = ["", ""] if name == plain else [f"{over:+.2f}", f"{over / median(base):+.1%}"]
            line += [f"{median(values):.2f}", *share]
        lines.append([*line, *_tail(row)])
    return _table(head, lines)


def bar(result: Result, plain: str, ours: str) -> Iterator[str]:
    """What this project's dates alone cost of a plain build, and the peers' in terms of it."""
    base = result.methods.get(ours)
    for tool, rows in result.builds.items() if base else ():
        if base is None or plain not in rows:
            continue
        none = rows[plain]
        share = median(base.seconds) / median(none.seconds)
        cpu_share = median(base.cpu) / median(none.cpu)
        said = [
            f"{tool}: this project's dates alone are {share:.2%} of a plain build "
            f"({cpu_share:.2%} of its processor time)"
        ]
        for name, row in rows.items():
            if row.checked is not None and not name.startswith("this project"):
                times = _times(_over(row.seconds, none.seconds), median(base.seconds))
                cpu_times = _times(_over(row.cpu, none.cpu), median(base.cpu))
                said.append(f"those of {name} cost {times} times as much ({cpu_times})")
        yield "; ".join(said)


_TAIL = ("git processes", "peak memory, MB", "wrong", "missing")


def _tail(row: Row) -> list[str]:
    checked = row.checked
    wrong = ["", ""] if checked is None else [f"{len(checked.wrong)}", f"{len(checked.missing)}"]
    return [f"{row.gits}", f"{max(row.peaks):.0f}", *wrong]


def _over(values: Sequence[float], plain: Sequence[float]) -> float:
    """In pairs of one round each: what disturbs the machine for longer disturbs both."""
    return median(a - b for a, b in zip(values, plain, strict=True))


def _times(seconds: float, base: float) -> str:
    return f"{seconds / base:.1f}" if base > 0 else ""


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(line[n]) for line in [head, *rows]) for n in range(len(head))]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    lines = []
    for line in [head, rule, *rows]:
        cells = [line[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, ""])
