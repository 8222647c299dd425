"""The parts of action.sh that need Python: the words of its command, and the outputs of
the action.
"""

import os
import shlex
import sys

# What the commands call the site, or the newer one of two.
_SITES = ("site_dir", "deployed", "after", "site", "paths")


def split_command(command: str) -> list[str]:
    """Return the words of a command, split as in a shell.

    Raises:
        ValueError: The command is not usable. The message is the reason, with the fix.
    """
    try:
        words = shlex.split(command)
    except ValueError:
        raise ValueError(
            "a quotation mark or backslash has no counterpart. Fix: close the "
            "quotation mark, or put quotation marks of the other kind around it"
        ) from None
    if not words:
        raise ValueError("it is empty. Fix: write a command, such as check public")
    if any("\n" in word for word in words):
        raise ValueError(
            "an argument in quotation marks contains a line break. Fix: close the "
            "quotation mark on the same line"
        )
    return words


def find_outputs(words: list[str]) -> dict[str, str]:
    """Return the path of the sitemap of the site that a command names, and the numbers
    of its pages; nothing if there is none, for example on a branch.
    """
    # The user may have chosen another version of docs-sitemap, without these modules.
    import click

    from docs_sitemap.tools.printing import printable
    from docs_sitemap_cli.published.find_report import find_saved_reports, is_current
    from docs_sitemap_cli.published.folder import SiteFolder
    from docs_sitemap_cli.published.read_sitemaps import read_entries
    from docs_sitemap_cli.published.sitemap_sources import find_sitemaps
    from docs_sitemap_cli.root import root_command

    name, *arguments = words
    command = root_command.get_command(click.Context(root_command), name)
    if command is None:
        return {}
    context = command.make_context(name, arguments, resilient_parsing=True)
    site = next(filter(None, map(context.params.get, _SITES)), "")
    place = site if isinstance(site, str) else site[0]
    path = place
    report = None
    if os.path.isdir(place):
        saved = (one for one in find_saved_reports(place) if is_current(one, place))
        report = next(saved, None)
        sitemaps = find_sitemaps(SiteFolder(place), report)
        path = os.path.join(place, *sitemaps[:1])
    try:
        _, _, entries = read_entries(place, report)
    except click.UsageError:
        return {}
    dated = sum(entry.lastmod is not None for entry in entries.values())
    return {
        "sitemap": printable(path),
        "pages": str(len(entries)),
        "dated": str(dated),
    }


def main() -> None:
    """Print the words of the command, each with a NUL after it, or the outputs."""
    if len(sys.argv) == 1:
        try:
            words = split_command(os.environ["COMMAND"])
        except ValueError as error:
            sys.exit(f"Error: the input command: {error}")
        sys.stdout.write("".join(f"{word}\0" for word in words))
        return
    try:
        outputs = find_outputs(sys.argv[1:])
    except ImportError:
        return
    for name, value in outputs.items():
        sys.stdout.write(f"{name}={value}\n")


if __name__ == "__main__":
    main()
