"""Find the newest commit of each file, and read and change branches.

This package contains all calls of git. The rest of the project uses only the names in `__all__`.
"""

from docs_sitemap._git.branch import (
    FOLDER_MODE,
    LINK_MODE,
    Branch,
    BranchChangedError,
    BranchReader,
    TreeEntry,
    fetch_command,
)
from docs_sitemap._git.built_commit import (
    BuiltCommit,
    CommitDates,
    Relation,
    has_commit,
    read_from_ref,
)
from docs_sitemap._git.ci_services import full_history_advice
from docs_sitemap._git.command_log import forward_git_commands
from docs_sitemap._git.document_text import DOCUMENT_SUFFIXES
from docs_sitemap._git.git_command import GitError, ending_on_signals
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
