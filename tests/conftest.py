from __future__ import annotations

import functools
import gc
import itertools
import os
import re
import signal
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
from hypothesis import settings
from support.templates import share_compiled_templates, skip_hidden_templates

from docs_sitemap.sitemap import hosts
from docs_sitemap.steps.git_diagnostics import CI_SERVICES

# A test draws the same inputs until it is changed, so that all failures are due to the
# last change. `make fuzz` draws new and more ones. The machines that run this are of all
# speeds.
settings.register_profile("project", deadline=None, derandomize=True, max_examples=15)
settings.register_profile("fuzz", deadline=None, print_blob=True, max_examples=200)
settings.load_profile("project")

# git copies no examples of hooks into new repositories, looks for no work that can wait
# after each commit, does not wait for the disk, and leaves imported commits in one file.
# All four take longer than the commits of the tests.
_GIT_CONFIG = """\
[user]
name = A U Thor
email = author@example.org
[init]
templateDir =
[maintenance]
auto = false
[core]
fsync = none
[fastimport]
unpackLimit = 1
"""

_NUMBERS = itertools.count()
_PLACEHOLDER = hosts._PLACEHOLDER
_CACHES = ("XDG_CACHE_HOME", "WIN_PD_OVERRIDE_LOCAL_APPDATA")

# Variables that change what builds or commands do.
_CLEARED = (
    *CI_SERVICES,
    *("SOURCE_DATE_EPOCH", "CI", "DOCS_SITEMAP_CACHE_DIR", "MIKE_DOCS_VERSION"),
    *(
        "READTHEDOCS_CANONICAL_URL",
        "READTHEDOCS_VERSION_TYPE",
        "NO_COLOR",
        "FORCE_COLOR",
    ),
)


def pytest_configure() -> None:
    """Look for the entry points of installed packages once: every build of MkDocs and
    Sphinx reads the files of all packages. Handle signals: a background process of a
    shell ignores SIGINT, and one of `nohup` SIGHUP. So would the commands that tests
    start, but they start without the handlers of this process.
    """
    cached = functools.cache(metadata.entry_points)
    metadata.entry_points = cached  # type: ignore[assignment]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    hangup = getattr(signal, "SIGHUP", None)  # not on Windows
    if hangup is not None and signal.getsignal(hangup) is signal.SIG_IGN:
        signal.signal(hangup, lambda *_: None)


def pytest_collection_finish() -> None:
    """Let the garbage collector ignore all modules and tests, which stay until the end,
    and look for other objects less often: builds are short.

    Each build does the same for its own objects, and then undoes it. Here, this would
    keep the garbage of all builds until the end.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(500_000, 20, 100)
    for name in ("freeze", "unfreeze", "set_threshold"):
        setattr(gc, name, lambda *_: None)


@pytest.fixture(autouse=True, scope="session")
def _own_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """No test reads or writes the configuration of the person who runs it.

    Yields:
        A folder for the homes of the tests.
    """
    with pytest.MonkeyPatch.context() as patch:
        # Python's own variables change when processes write their output, for example.
        for name in [
            name for name in os.environ if name.startswith(("GIT_", "PYTHON"))
        ]:
            patch.delenv(name)
        homes = tmp_path_factory.mktemp("homes")
        config = homes / "gitconfig"
        config.write_text(_GIT_CONFIG)
        patch.setenv("GIT_CONFIG_GLOBAL", str(config))
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        for name in _CACHES:
            patch.setenv(name, str(homes / "cache"))
        if os.name == "nt":
            patch.setenv(
                "PYTHONUTF8", "1"
            )  # The encoding that helpers decode output with.
        for name in _CLEARED:
            patch.delenv(name, raising=False)
        # The sites of tests are published at addresses that examples use.
        patch.setattr(hosts, "_PLACEHOLDER", re.compile("(?!)"))
        share_compiled_templates(patch)
        skip_hidden_templates(patch)
        yield homes


@pytest.fixture(autouse=True)
def _own_folder(_own_environment: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test finds what another one has cached, or changes its git configuration.

    Returns:
        A folder for all files of a test.
    """
    # `tmp_path_factory.mktemp` would read the names of all earlier folders.
    home = _own_environment / str(next(_NUMBERS))
    home.mkdir()
    config = home / "gitconfig"
    config.write_text(_GIT_CONFIG)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    for name in _CACHES:
        monkeypatch.setenv(name, str(home / "cache"))
    return home


@pytest.fixture
def tmp_path(_own_folder: Path, request: pytest.FixtureRequest) -> Path:
    """An empty folder with the name of the test. The fixture of pytest, which this one
    replaces, reads the names of all earlier folders.
    """
    path = _own_folder / re.sub(r"\W", "_", request.node.name)[:30]
    path.mkdir()
    return path


@pytest.fixture
def placeholders(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Addresses that examples use are found."""
    monkeypatch.setattr(hosts, "_PLACEHOLDER", _PLACEHOLDER)
    hosts.check_origin.cache_clear()
    yield
    hosts.check_origin.cache_clear()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder for a project, in no repository."""
    return tmp_path / "project"
