"""Where caches and saved reports are: in the cache folder of the user or, in CI, in the
project.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from platformdirs import user_cache_path

from .files import StrPath, create_file, find_top

_VARIABLE = "DOCS_SITEMAP_CACHE_DIR"


def find_cache_folder() -> Path | None:
    """Return the folder for what a later build can use; `None` if there is none.

    The environment variable `DOCS_SITEMAP_CACHE_DIR` names the folder. If it is empty,
    nothing is cached. In CI, where the next build has another machine, nothing is
    cached by default, because nothing should be written outside the project.
    """
    named = os.environ.get(_VARIABLE)
    if named == "" or _is_in_project():
        return None
    if named is not None:
        return Path(os.path.abspath(os.path.expanduser(named)))
    path = user_cache_path("docs-sitemap")
    if not path.is_absolute():  # The user may have no home folder.
        return None
    return path


def report_path(out_dir: StrPath, project: StrPath) -> Path | None:
    """Return where to save the report of a build; `None` if there is no folder for it.

    Args:
        out_dir: The folder of the site.
        project: The folder of the project or one below, for builds in CI.
    """
    folder = find_cache_folder()
    if _is_in_project():
        folder = _make_project_folder(project)
    if folder is None:
        return None
    return _report_in(folder, out_dir)


def find_report_paths(out_dir: StrPath) -> Iterator[Path]:
    """Yield where a build may have saved its report, in CI or not."""
    folder = find_cache_folder()
    if folder is not None:
        yield _report_in(folder, out_dir)
    if _VARIABLE not in os.environ:
        for inside in (os.path.dirname(os.path.abspath(out_dir)), os.getcwd()):
            yield _report_in(_project_folder(inside), out_dir)


def may_be_report_of(path: Path, project: StrPath) -> bool:
    """Return whether a build of a project may have saved a report. One in a repository
    may have been committed, and name a project in any other folder.

    Args:
        path: The path of the report, from `find_report_paths`.
        project: The folder of the project that the report names.
    """
    return path.parent.parent in (find_cache_folder(), _project_folder(project))


def _is_in_project() -> bool:
    """Return whether reports are saved in the project: in CI, unless a variable names
    another folder.
    """
    if _VARIABLE in os.environ:
        return False
    value = os.environ.get("CI", "").strip().lower()
    return value not in ("", "0", "false", "no", "off")


def _report_in(folder: Path, out_dir: StrPath) -> Path:
    key = sha256(os.fsencode(os.path.realpath(out_dir))).hexdigest()[:32]
    return folder / "reports" / f"{key}.json"


def _project_folder(inside: StrPath) -> Path:
    """Return the folder for reports at the top level of the repository that contains
    another folder: the report must be found from the folders of the project and of the
    site.
    """
    folder = os.path.realpath(inside)
    return Path(find_top(folder) or folder, ".cache/docs-sitemap")


def _make_project_folder(project: StrPath) -> Path | None:
    """Create a folder that git ignores; return `None` if that is not possible."""
    folder = _project_folder(project)
    # A link in the repository could lead out of the project.
    reports = os.path.join(folder, "reports")
    if os.path.realpath(reports) != reports:
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            create_file(folder / ".gitignore", b"*\n")
    except OSError:
        return None
    return folder
