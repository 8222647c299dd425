"""Find the newest commit of each file, and read and change branches.

This package contains all calls of git, and nothing else. The rest of the project uses only the
names in `__all__`.
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
from docs_sitemap.git.file_date import FileDate, Fragment, HistoryOptions, HistoryResult, Tracked
from docs_sitemap.git.history import History, find_invalid_option
from docs_sitemap.git.run import GitError, ending_on_signals, forward_git_commands
from docs_sitemap.git.shallow import full_history_advice

__all__ = [
    "FOLDER_MODE",
    "LINK_MODE",
    "Branch",
    "BranchChangedError",
    "BranchReader",
    "BuiltCommit",
    "CommitDates",
    "FileDate",
    "Fragment",
    "GitError",
    "History",
    "HistoryOptions",
    "HistoryResult",
    "PushRejectedError",
    "Relation",
    "Tracked",
    "TreeEntry",
    "ending_on_signals",
    "fetch_command",
    "find_invalid_option",
    "forward_git_commands",
    "full_history_advice",
    "has_commit",
    "read_from_ref",
]
