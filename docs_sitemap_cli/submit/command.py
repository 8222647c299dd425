"""`docs-sitemap submit`."""

import secrets
from contextlib import closing
from typing import Any

import click

from docs_sitemap.tools.files import create_file
from docs_sitemap_cli.arguments import FILE, FOLDER, OUTPUT, PLACE, URL
from docs_sitemap_cli.console import print_line, shell_word
from docs_sitemap_cli.published.http_answers import ContentError, FetchError
from docs_sitemap_cli.site_options import open_client

from . import RefusedError, TemporaryError
from .indexnow import DEFAULT_ENDPOINT
from .submission import Submission


def _write_key(ctx: click.Context, param: click.Parameter, path: str | None) -> None:
    """Write a new key, and end the command."""
    if path is None:
        return
    try:
        create_file(path, secrets.token_hex(16).encode())
    except OSError as error:
        message = f"{path}: {error.strerror}. Fix: choose another name, or use its key"
        raise click.BadParameter(message) from None
    print_line(
        f"wrote a new key to {shell_word(path)}. Publish this file next to the "
        "sitemap and pass it to --key-file. It is not a secret."
    )
    ctx.exit()


@click.command(
    epilog="""\b
Examples:
  docs-sitemap submit --new-key docs/indexnow.txt
  docs-sitemap submit https://example.org/docs/sitemap.xml --previous old.xml \\
    --site site --key-file docs/indexnow.txt --send
  docs-sitemap submit https://example.org/docs/sitemap.xml --since HEAD~3

\b
Exit codes:
  0  everything was sent, would be sent, or there is nothing to send
  1  some pages are left out: they are not live, or search engines may not index them
  2  invalid arguments
  3  refused: the dates, the key, or the request is not valid
  4  temporary: the deployment is not live yet, or a server is busy; try again""",
)
@click.argument("sitemap", metavar="SITEMAP_URL", type=URL)
@click.option(
    "--since",
    metavar="COMMIT|DATE",
    help="Select pages that changed after this commit, such as the last one you "
    "deployed, or after a date such as 2026-05-31. Moved and removed pages need "
    "--previous.",
)
@click.option(
    "--previous",
    metavar="WHERE",
    type=PLACE,
    help="Select pages that are new, changed, moved, or gone since this sitemap: a "
    "file, the folder of a site, or a URL.",
)
@click.option(
    "--site",
    metavar="DIR",
    type=FOLDER,
    help="The built site. Wait until its sitemap is live.",
)
@click.option(
    "--key-file",
    metavar="FILE",
    type=FILE,
    help="The file with the IndexNow key. The site must publish it.",
)
@click.option(
    "--key-location",
    metavar="URL",
    type=URL,
    help="The URL of the key file. By default, it is next to the sitemap.",
)
@click.option(
    "--new-key",
    metavar="FILE",
    type=OUTPUT,
    is_eager=True,
    expose_value=False,
    callback=_write_key,
    help="Write a new key to FILE and exit.",
)
@click.option(
    "--endpoint",
    metavar="URL",
    default=DEFAULT_ENDPOINT,
    show_default=True,
    type=URL,
    help="The search engine to tell. The default passes URLs on to the others.",
)
@click.option("--send", is_flag=True, help="Tell IndexNow. Otherwise, nothing is sent.")
@click.option(
    "--after",
    metavar="URL",
    help="Skip the pages up to this one. A run that stops early prints it.",
)
@click.option(
    "--allow-same-dates",
    is_flag=True,
    help="Also submit pages if most pages of the site have the same date.",
)
@click.pass_context
def submit(ctx: click.Context, /, **values: Any) -> None:
    """Tell search engines which pages changed, with IndexNow.

    SITEMAP_URL is the live sitemap. Its dates show which pages changed. Before anything
    is sent, the key file and each of these pages are requested. Pages that are not live
    or that search engines may not index are left out.
    """
    if (values["since"] is None) == (values["previous"] is None):
        raise click.UsageError(
            "pass exactly one of --since and --previous: what was deployed before"
        )
    if values["send"] and values["key_file"] is None:
        raise click.UsageError("--send needs --key-file. Fix: make one with --new-key.")
    named = ("sitemap", "previous", "key_location", "endpoint")
    urls = [values[name] for name in named if values[name] is not None]
    with closing(open_client(urls)) as client:
        try:
            code = Submission(client, **values).run()
        except ContentError as error:
            raise RefusedError(str(error)) from None
        except FetchError as error:
            raise TemporaryError(f"{error}. Fix: {error.fix}") from None
    ctx.exit(code)
