"""Find the newest commit of each file, and read and change branches.

This package contains all calls of git. The rest of the project uses only the names in `__all__`.
"""

from docs_sitemap.git.branch import (
    FOLDER_MODE,
    LINK_MODE,
    Branch,
    BranchChangedError,
    BranchReader,
    PushRejectedError,
    TreeEntry,
    fetch_command,
)
from docs_sitemap.git.built_commit import (
    BuiltCommit,
    CommitDates,
    Relation,
    has_commit,
    read_from_ref,
)
from docs_sitemap.git.ci_services import full_history_advice
from docs_sitemap.git.command_log import forward_git_commands
from docs_sitemap.git.git_command import GitError, ending_on_signals
from docs_sitemap.git.history import History, find_invalid_option
from docs_sitemap.git.interface import (
    Commit,
    HistoryOptions,
    HistoryResult,
    NoCommit,
    ViewedFile,
)
from docs_sitemap.shown.prose import DOCUMENT_SUFFIXES

__all__ = [
    "DOCUMENT_SUFFIXES",
    "FOLDER_MODE",
    "LINK_MODE",
    "Branch",
    "BranchChangedError",
    "BranchReader",
    "BuiltCommit",
    "Commit",
    "CommitDates",
    "GitError",
    "History",
    "HistoryOptions",
    "HistoryResult",
    "NoCommit",
    "PushRejectedError",
    "Relation",
    "TreeEntry",
    "ViewedFile",
    "ending_on_signals",
    "fetch_command",
    "find_invalid_option",
    "forward_git_commands",
    "full_history_advice",
    "has_commit",
    "read_from_ref",
]
