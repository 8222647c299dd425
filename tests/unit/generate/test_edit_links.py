"""Links to files at hosting services."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.repository import Repository

from docs_sitemap_cli.generate.sources.edit_links import LinkedFile, LinkReader
from docs_sitemap_cli.project_files import ProjectFiles

HOSTS = (
    "github.com",
    "gitlab.com",
    "bitbucket.org",
    "codeberg.org",
    "git.sr.ht",
    "git.example.org",
)
FILE = "docs/Über uns.md"
ENCODED = "docs/%C3%9Cber%20uns.md"


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> LinkReader:
    repository = Repository.create(tmp_path_factory.mktemp("project"))
    repository.commit(
        {FILE: "", "docs/a.md": "", "item/docs/b.md": "", "main/docs/c.md": ""}, day=1
    )
    repository.git("branch", "feature/docs")
    repository.git("tag", "release/2024/1")
    for host in HOSTS:
        group = "~user" if host == "git.sr.ht" else "group/subgroup"
        repository.git("remote", "add", host, f"https://{host}/{group}/Project.git")
    return LinkReader(ProjectFiles.read(str(repository.path)))


@pytest.mark.parametrize(
    "remote",
    [
        "https://github.com/group/project.git",
        "https://github.com/group/project",
        "https://github.com/group/project/",
        "https://user:secret@github.com/group/project.git",
        "https://www.github.com/Group/Project.git",
        "git@github.com:group/project.git",
        "github.com:group/project.git",
        "ssh://git@github.com/group/project.git",
        "ssh://git@github.com:22/group/project.git",
        "git://github.com/group/project.git",
        "git+ssh://git@GitHub.com/group/project.git",
    ],
)
def test_remotes(tmp_path: Path, remote: str) -> None:
    repository = Repository.create(tmp_path)
    repository.git("remote", "add", "upstream", remote)
    assert ProjectFiles.read(str(tmp_path)).repositories == {"github.com/group/project"}


@pytest.mark.parametrize(
    "remote", ["/srv/project.git", "../project", "file:///srv/project", "x"]
)
def test_remotes_without_a_host(tmp_path: Path, remote: str) -> None:
    repository = Repository.create(tmp_path)
    repository.git("remote", "add", "origin", remote)
    reader = LinkReader(ProjectFiles.read(str(tmp_path)))
    assert reader.find_file(f"{remote}/edit/main/a.md") is None


def linked_path(reader: LinkReader, url: str) -> str | None:
    linked = reader.find_file(url)
    return None if linked is None else linked.path


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/group/subgroup/project/edit/main/{}",
        "https://github.com/group/subgroup/project/blob/main/{}#L10-L20",
        "https://github.com/group/subgroup/project/blob/main/{}?plain=1",
        "https://github.com/Group/Subgroup/Project/tree/0123456789abcdef/{}",
        "https://www.github.com/group/subgroup/project/raw/main/{}",
        "https://github.com/group/subgroup/project/blame/v1.0/{}",
        "https://github.com/group/subgroup/project/blob/refs/heads/main/{}",
        "https://gitlab.com/group/subgroup/project/-/edit/main/{}",
        "https://gitlab.com/group/subgroup/project/-/blob/main/{}",
        "https://gitlab.com/group/subgroup/project/blob/main/{}",
        "https://bitbucket.org/group/subgroup/project/src/main/{}?mode=edit",
        "https://codeberg.org/group/subgroup/project/_edit/main/{}",
        "https://codeberg.org/group/subgroup/project/src/branch/main/{}",
        "https://codeberg.org/group/subgroup/project/src/commit/0123456789/{}",
        "https://codeberg.org/group/subgroup/project/raw/tag/v1.0/{}",
        "https://git.sr.ht/~user/project/tree/main/item/{}",
        "https://git.sr.ht/~user/project/blob/main/{}",
        "https://git.example.org/group/subgroup/project/edit/main/{}",
        "https://git.example.org:8443/group/subgroup/project/-/edit/main/{}",
        "https://github.com/group/subgroup/project/edit/feature/docs/{}",
        "https://codeberg.org/group/subgroup/project/src/tag/release/2024/1/{}",
        " https://github.com/group/subgroup/project/edit/main/{}\n",
        "https://github.com/group/subgroup/project/edit/main/website/../{}",
        "https://github.com/group/subgroup/project/edit/main/./x/%2E%2E/./{}",
    ],
)
def test_links_to_files(reader: LinkReader, url: str) -> None:
    assert linked_path(reader, url.format("docs/a.md")) == "docs/a.md"
    decomposed = "docs/U\u0308ber uns.md"
    for path in (FILE, ENCODED, ENCODED.lower(), decomposed):
        assert linked_path(reader, url.format(path)) == FILE


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/other/project/edit/main/docs/a.md",
        "https://github.com/group/subgroup/edit/main/docs/a.md",
        "https://github.com/group/subgroup/project-2/edit/main/docs/a.md",
        "https://github.com.example.org/group/subgroup/project/edit/main/docs/a.md",
        "https://example.org/github.com/group/subgroup/project/edit/main/docs/a.md",
        "https://example.org/?github.com/group/subgroup/project/edit/main/docs/a.md",
        "https://github.com/group/subgroup/project/issues/new?path=edit/main/docs/a.md",
        "https://github.com/group/subgroup/project/commits/main/docs/a.md",
        "https://github.com/group/subgroup/project/new/main/docs/a.md",
        "https://github.com/group/subgroup/project/edit/main/docs",
        "https://github.com/group/subgroup/project/edit/main/docs/missing.md",
        "https://github.com/group/subgroup/project/edit/main/../../docs/a.md",
        "https://github.com/group/subgroup/project/edit/main/docs/../../../../etc/a.md",
        "https://github.com/group/subgroup/project/edit/docs/a.md/main",
        "/group/subgroup/project/edit/main/docs/a.md",
        "mailto:a@github.com/group/subgroup/project/edit/main/docs/a.md",
        "https://[github.com/group/subgroup/project/edit/main/docs/a.md",
        "file:///etc/passwd",
        "file:docs/a.md",
    ],
)
def test_other_links(reader: LinkReader, url: str) -> None:
    assert reader.find_file(url) is None


def test_files_of_other_branches(tmp_path: Path) -> None:
    repository = Repository.create(tmp_path)
    repository.git("remote", "add", "origin", "https://github.com/group/project")
    repository.commit({"docs/a.md": "a", "docs/old.md": "old"}, day=1)
    repository.git("branch", "release/1")
    repository.git("rm", "--quiet", "docs/old.md")
    repository.commit({"docs/b.md": "b"}, day=2)
    reader = LinkReader(ProjectFiles.read(str(tmp_path)))
    url = "https://github.com/group/project/edit/{}"
    assert reader.find_file(url.format("main/docs/b.md")) == LinkedFile(
        "docs/b.md", "main"
    )
    old = LinkedFile("docs/old.md", "release/1")
    assert reader.find_file(url.format("release/1/docs/old.md")) == old
    for path in (
        "main/docs/old.md",
        "release/2/docs/old.md",
        "release/1/",
        "release/1",
        "main/",
    ):
        assert reader.find_file(url.format(path)) is None
