"""`docs-sitemap submit`, and why nothing can be sent. The exit code says whether it
helps to try again later.
"""

import click


class RefusedError(click.ClickException):
    """The dates, the key, or the request is not valid."""

    exit_code = 3


class TemporaryError(click.ClickException):
    """The deployment is not live yet, or a server does not answer."""

    exit_code = 4
