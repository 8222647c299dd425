"""Dates that git knows: files in, the newest commit of each file out.

This package holds all the project's subprocess calls. The rest of the core knows only what
is exported here.
"""

from docs_sitemap.git.history import Answer, Commit, History, NoCommit, Settings, Unknown

__all__ = ["Answer", "Commit", "History", "NoCommit", "Settings", "Unknown"]
