"""Find the newest commit of each file.

This package contains all calls of git. The rest of the project uses only the names in `__all__`.
"""

from docs_sitemap._git.built_commit import BuiltCommit, CommitDates, Relation, read_from_ref
from docs_sitemap._git.ci_services import full_history_advice
from docs_sitemap._git.command_log import forward_git_commands
from docs_sitemap._git.document_text import DOCUMENT_SUFFIXES
from docs_sitemap._git.git_command import GitError
from docs_sitemap._git.history import History, find_invalid_option
from docs_sitemap._git.interface import (
    Commit,
    HistoryOptions,
    HistoryResult,
    NoCommit,
    ViewedFile,
)

__all__ = [
    "DOCUMENT_SUFFIXES",
    "BuiltCommit",
    "Commit",
    "CommitDates",
    "GitError",
    "History",
    "HistoryOptions",
    "HistoryResult",
    "NoCommit",
    "Relation",
    "ViewedFile",
    "find_invalid_option",
    "forward_git_commands",
    "full_history_advice",
    "read_from_ref",
]
