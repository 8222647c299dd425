"""Show the git commands of a build in the debug log of a generator."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from docs_sitemap.git.git_command import logger


class _Forward(logging.Handler):
    def __init__(self, log: Callable[[str], object]) -> None:
        super().__init__()
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        self._log(record.getMessage())


@contextmanager
def forward_git_commands(log: Callable[[str], object]) -> Iterator[None]:
    """Log the git commands that run in this context, with exit status and duration.

    Generators show only the messages of their own loggers.

    Args:
        log: Receives one printable line for each command.
    """
    handler = _Forward(log)
    level, propagate = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    # A handler of the root logger would show the commands in every build.
    logger.propagate = False
    try:
        yield
    finally:
        logger.propagate = propagate
        logger.setLevel(level)
        logger.removeHandler(handler)
