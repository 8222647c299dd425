"""Measure functions in separate processes, in turn, and print the results as a table.

A benchmark is a function that prepares everything and returns the function to measure.
Processor seconds include child processes, such as git.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

Case = tuple[str | int | Path, ...]
"""The function to measure, as `module:name`, and its arguments."""


@dataclass(frozen=True)
class Measurement:
    """What one call needed and returned.

    Attributes:
        processor: Processor seconds.
        elapsed: Elapsed seconds.
        peak: The peak memory of the process in MiB.
        result: The result of the function.
    """

    processor: float
    elapsed: float
    peak: float
    result: Any


def measure(case: Case) -> Measurement:
    """Measure one call in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.measure", *map(str, case)]
    # Users load compiled modules.
    env = {
        name: os.environ[name]
        for name in os.environ
        if name != "PYTHONDONTWRITEBYTECODE"
    }
    output = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, env=env
    ).stdout
    return Measurement(**json.loads(output.splitlines()[-1]))


def compare(
    title: str,
    cases: Mapping[str, Case],
    runs: int,
    columns: Mapping[str, Callable[[list[Measurement]], str]] | None = None,
) -> list[dict[str, Measurement]]:
    """Measure all cases in turn, print the medians of all runs, and return each run.

    Ratios are medians of the ratios to the first case of the same run: whatever slows
    the machine
    down affects both.

    Args:
        title: The title of the table.
        cases: The cases by name.
        runs: How often to measure each case.
        columns: More columns: the text of a cell from the measurements of a case.
    """
    rounds = [
        {name: measure(case) for name, case in cases.items()} for _ in range(runs)
    ]
    first = next(iter(cases))
    header = [
        "",
        "processor seconds",
        "ratio",
        "seconds",
        "memory, MiB",
        *(columns or {}),
    ]
    rows = []
    for name in cases:
        measurements = [round_[name] for round_ in rounds]
        ratio = median(
            round_[name].processor / round_[first].processor for round_ in rounds
        )
        rows.append(
            [
                name,
                f"{median(m.processor for m in measurements):.3f}",
                f"{ratio:.3g}",
                f"{median(m.elapsed for m in measurements):.2f}",
                f"{max(m.peak for m in measurements):.0f}",
                *(column(measurements) for column in (columns or {}).values()),
            ]
        )
    print(f"\n{title} ({runs} runs)\n")
    for row in [header, ["---", *["--:"] * (len(header) - 1)], *rows]:
        print(f"| {' | '.join(row)} |", flush=True)
    return rounds


def processor_seconds() -> float:
    """Return the processor time of this process and its finished children."""
    usages = [
        resource.getrusage(who)
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    ]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def main(function: str, arguments: Sequence[str]) -> None:
    """Measure one call in this process, and print the measurement as JSON."""
    module, name = function.split(":")
    measured = getattr(import_module(f"benchmarks.{module}"), name)(*arguments)
    start, processor = time.perf_counter(), processor_seconds()
    result = measured()
    elapsed, processor = time.perf_counter() - start, processor_seconds() - processor
    unit = 2**20 if sys.platform == "darwin" else 2**10
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    print(
        json.dumps(
            {"processor": processor, "elapsed": elapsed, "peak": peak, "result": result}
        )
    )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
