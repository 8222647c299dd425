"""Compose the sitemaps of deployed versions and sites."""

from docs_sitemap.commands.index.compose import (
    ComposeError,
    Composition,
    IndexedVersion,
    IndexMessage,
    IndexOptions,
    MessageKind,
    compose_sitemaps,
)
from docs_sitemap.commands.index.deployed_tree import DeployedBranch, DeployedFolder, DeployedTree
from docs_sitemap.commands.index.publish import commit_to_branch, write_to_folder

__all__ = [
    "ComposeError",
    "Composition",
    "DeployedBranch",
    "DeployedFolder",
    "DeployedTree",
    "IndexMessage",
    "IndexOptions",
    "IndexedVersion",
    "MessageKind",
    "commit_to_branch",
    "compose_sitemaps",
    "write_to_folder",
]
