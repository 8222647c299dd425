from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from docs_sitemap._git.ci_services import CI_SERVICES

# The machines that run this are of all speeds; what is random in CI is found again by its seed.
settings.register_profile("project", deadline=None, print_blob=True)
settings.load_profile("project")


@pytest.fixture(autouse=True)
def _own_git_configuration(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No test reads or writes the configuration of the person who runs it."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    config = tmp_path_factory.mktemp("home") / "gitconfig"
    config.write_text("[user]\nname = A U Thor\nemail = author@example.org\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for name in ("XDG_CACHE_HOME", "WIN_PD_OVERRIDE_LOCAL_APPDATA"):
        monkeypatch.setenv(name, str(config.parent / "cache"))
    if os.name == "nt":
        monkeypatch.setenv("PYTHONUTF8", "1")  # The encoding that helpers decode output with.
    ci_variables = [service.variable for service in CI_SERVICES]
    for name in (
        *ci_variables,
        "SOURCE_DATE_EPOCH",
        "CI",
        "DOCS_SITEMAP_CACHE_DIR",
        "READTHEDOCS_CANONICAL_URL",
        "READTHEDOCS_VERSION_TYPE",
        "MIKE_DOCS_VERSION",
        "NO_COLOR",
        "FORCE_COLOR",
    ):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder for a project, in no repository."""
    return tmp_path / "project"
