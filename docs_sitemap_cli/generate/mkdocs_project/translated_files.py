"""The files of each language that mkdocs-static-i18n builds:
<https://ultrabug.github.io/mkdocs-static-i18n/getting-started/quick-start/>.
"""

import posixpath
from collections.abc import Iterator, Mapping
from typing import Any

from docs_sitemap.config.typed_values import as_list, as_mapping, as_text


class TranslatedFiles:
    """Knows which Markdown files are in the language of a page.

    Args:
        options: The options of the plugin; `None` if the project does not use it.
    """

    def __init__(self, options: Mapping[str, Any] | None) -> None:
        options = options or {}
        self._has_folders = options.get("docs_structure") == "folder"
        self._default = ""
        self._others: set[str] = set()
        for item in as_list(options.get("languages")):
            language = as_mapping(item)
            locale = as_text(language.get("locale"))
            if not locale:
                continue
            if language.get("default"):
                self._default = locale
            elif language.get("build") is not False:
                self._others.add(locale)

    def split_page(self, page: str) -> tuple[str, str]:
        """Return the language of a page, and its path below the folder of this
        language.
        """
        locale, slash, below = page.partition("/")
        if slash and locale in self._others:
            return locale, below
        return self._default, page

    def spell(self, path: str, locale: str) -> Iterator[str]:
        """Yield the paths that a file without suffix can have in a language.

        Args:
            path: The path that the page has below the folder of the language.
            locale: The language.
        """
        if locale and self._has_folders:
            yield posixpath.join(locale, path)
        elif locale:
            yield f"{path}.{locale}"
        if locale == self._default:
            yield path

    def fallback(self, locale: str) -> str | None:
        """Return the language in which a page is shown that has no file in its own;
        `None` if there is no other.
        """
        return None if locale == self._default else self._default

    def is_translated(self, page: str, document: str) -> bool:
        """Return whether a page shows a file in its own language.

        Args:
            page: The path of the HTML file below the site.
            document: The path of the Markdown file below `docs_dir`.
        """
        locale, _ = self.split_page(page)
        if locale == self._default:
            return True
        if self._has_folders:
            return document.startswith(f"{locale}/")
        return posixpath.splitext(document)[0].endswith(f".{locale}")
