"""Find the templates of a project that only some of its pages use."""

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import jinja2
from jinja2.meta import find_referenced_templates

from docs_sitemap.tools.files import read_text_file


class PageTemplates:
    """Finds the templates that a page uses, and that not all pages use.

    Args:
        env: The environment of the templates.
        project: The folders of the project with templates, the first to search first.
        theme: The folders of the theme, which are searched later.
        common: The names of the templates that serve all pages.
    """

    def __init__(
        self,
        env: jinja2.Environment,
        project: Sequence[str],
        theme: Sequence[str],
        common: Iterable[str],
    ) -> None:
        self._env = env
        self._project = project
        self._theme = theme
        self._common = common

    def files_of(self, name: str) -> list[str]:
        """Return the paths of a template and of all others that it uses, if they are in
        the project.

        Raises:
            jinja2.TemplateSyntaxError: A template cannot be parsed.
            OSError: A template cannot be read.
        """
        found = self._collect([name], set(self._serving_all))
        return sorted(path for path in found if self._is_in_project(path))

    @cached_property
    def _serving_all(self) -> list[str]:
        return self._collect(self._common, set())

    def _collect(self, names: Iterable[str], known: set[str]) -> list[str]:
        """Return the files of some templates and of all that they use, but not those
        that are known.
        """
        found = []
        waiting = list(names)
        while waiting:
            for path in self._files(waiting.pop()):
                if path in known:
                    continue
                known.add(path)
                found.append(path)
                tree = self._env.parse(read_text_file(path))
                # The name of a template can be the value of a variable.
                waiting += filter(None, find_referenced_templates(tree))
        return found

    def _files(self, name: str) -> Iterator[str]:
        """Yield the file of a template and, because it can extend the one of the theme
        with the same name, that one. In Sphinx, `!` names the template of the theme.
        """
        for folders in (self._project, self._theme):
            for folder in folders:
                path = os.path.join(folder, name.removeprefix("!"))
                if os.path.isfile(path):
                    yield path
                    break

    def _is_in_project(self, path: str) -> bool:
        return any(path.startswith(os.path.join(one, "")) for one in self._project)
