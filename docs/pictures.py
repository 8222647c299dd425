"""Write the pictures of the documentation: `python docs/pictures.py`.

The terminal pictures show the output of `docs-sitemap` for two small example sites.
"""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table
from rich.terminal_theme import TerminalTheme
from rich.text import Text

sys.path.insert(0, str(Path(__file__).parent))

from sample import make_faulty_site, make_site, run_command

OUTPUT = Path(__file__).parent / "pictures"

_WIDTH = 100
_THEME = TerminalTheme(
    (255, 255, 255),
    (36, 41, 47),
    [
        *((36, 41, 47), (179, 29, 40), (17, 99, 41), (125, 78, 0)),
        *((9, 80, 174), (130, 80, 223), (27, 124, 131), (87, 96, 106)),
    ],
)

# The lines of a sitemap entry, and the origin of each value.
_ENTRY = (
    ("<url>", ""),
    ("  <loc>https://example.org/docs/guide/first%20steps/</loc>", "the canonical URL, encoded"),
    ("  <lastmod>2026-05-31T08:30:00+00:00</lastmod>", "the last commit to its source files"),
    ("  <changefreq>monthly</changefreq>", "a rule in the configuration"),
    ("  <priority>0.8</priority>", "the front matter of the page"),
    ("</url>", ""),
)


def main() -> None:
    """Write all pictures."""
    OUTPUT.mkdir(exist_ok=True)
    with TemporaryDirectory() as first, TemporaryDirectory() as second:
        make_faulty_site(Path(first))
        make_site(Path(second))
        _write_terminal("check", ["check", "site"], Path(first))
        pages = ["guide/setup.md", "news.md"]
        _write_terminal(
            "explain", ["explain", "--report", "report.json", "site", *pages], Path(second)
        )
    _write_entry()


def _write_terminal(name: str, arguments: list[str], project: Path) -> None:
    output = run_command(arguments, project, FORCE_COLOR="1", TERM="xterm-256color")
    shown = " ".join(word for word in arguments if word not in ("--report", "report.json"))
    console = _console()
    console.print(Text(f"$ docs-sitemap {shown}\n", style="bold"))
    console.print(Text.from_ansi(output.rstrip()))
    _save(console, name, "docs-sitemap")


def _write_entry() -> None:
    table = Table.grid(padding=(0, 2))
    for line, meaning in _ENTRY:
        xml = Syntax(line, "xml", theme="ansi_light", background_color="default")
        table.add_row(xml, Text(f"◀ {meaning}" if meaning else "", style="cyan"))
    console = _console()
    console.print(table)
    _save(console, "entry", "sitemap.xml")


def _console() -> Console:
    return Console(
        record=True,
        width=_WIDTH,
        file=io.StringIO(),
        force_terminal=True,
        color_system="standard",
        legacy_windows=False,
    )


def _save(console: Console, name: str, title: str) -> None:
    svg = console.export_svg(title=title, theme=_THEME, unique_id=f"docs-sitemap-{name}")
    # The pictures must not load fonts from the network. Readers have a monospaced font.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    lines = (line.rstrip() for line in svg.splitlines())
    (OUTPUT / f"{name}.svg").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
