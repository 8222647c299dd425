"""The dates of pages of mkdocstrings: changes to what the pages show."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from support.mkdocs import MkDocsSite, build_days

DATA_CLASS = '''\
from dataclasses import dataclass

@dataclass
class Thing:
    """A thing."""

    size: int = 1

    kind: str = "a"
    """The kind."""
'''
ATTRS_CLASS = DATA_CLASS.replace("dataclasses", "attrs").replace("dataclass", "define")
BASE = '''\
from dataclasses import dataclass

@dataclass
class Base:
    """A base."""

    size: int = 1

    def go(self, far):
        """Go."""

    def stay(self):
        """Stay."""
'''
CHILD = '''\
from dataclasses import dataclass
from p.{}_base import Base

@dataclass
class Thing(Base):
    """A thing."""

    def go(self, far):
        pass
'''
FUNCTION = '''\
def load(path: str, which: str = "") -> str:
    """Load a file that
    exists.

    - It is read,
      and closed.

    Args:
        path: The file,
            which is read.

    Returns:
        The text.

    Examples:
        >>> load("a")
        1
    """
'''
INHERIT = "extensions: [inherited_docstrings.py]"
MERGE = "merge_init_into_class: true"


class Change(NamedTuple):
    """A change of a module or, if it has one, of the module of its base class.

    Attributes:
        module: The module.
        old: A text.
        new: What stands for it.
        options: An option of the block that documents the module.
    """

    module: str
    old: str
    new: str
    options: str = ""


CHANGES = {
    "field": Change(DATA_CLASS, "size: int = 1", "size: int = 2"),
    "field_with_a_docstring": Change(DATA_CLASS, '"a"', '"b"'),
    "new_docstring_of_a_field": Change(DATA_CLASS, "size: int = 1", 'size: int = 1\n    """S."""'),
    "merged_field": Change(DATA_CLASS, "size: int = 1", "size: int = 2", MERGE),
    "field_without_docstring": Change(
        DATA_CLASS, "size: int = 1", "size: int = 2", "show_if_no_docstring: true"
    ),
    "field_of_attrs": Change(ATTRS_CLASS, "size: int = 1", "size: int = 2"),
    "field_of_a_base_class": Change(CHILD, "size: int = 1", "size: int = 2"),
    "merged_field_of_a_base_class": Change(CHILD, "size: int = 1", "size: int = 2", MERGE),
    "parameter_of_a_base_class": Change(CHILD, "far", "near", INHERIT),
    "docstring_of_a_base_class": Change(CHILD, "Go.", "Walk.", INHERIT),
    "other_docstring_of_a_base_class": Change(CHILD, "Stay.", "Wait.", INHERIT),
    "inherited_docstring_of_a_method": Change(CHILD + "#", "far", "near", INHERIT),
    "wrapped_text": Change(FUNCTION, "that\n    exists", "that exists"),
    "wrapped_item": Change(FUNCTION, "read,\n      and", "read, and"),
    "marker": Change(FUNCTION, "- It", "* It"),
    "section": Change(FUNCTION, "Returns:\n        The", "Returns: The"),
    "parameter_in_text": Change(FUNCTION, "\n            which", "\n        which: which"),
    "code": Change(FUNCTION, '>>> load("a")\n        1', '>>> load("a") 1'),
}  # fmt: skip

# It stands for griffe-inherited-docstrings.
EXTENSION = """\
import griffe

class Inherited(griffe.Extension):
    def on_package(self, *, pkg, **kwargs):
        for module in pkg.modules.values():
            for class_ in module.classes.values():
                for member in class_.members.values():
                    for base in class_.mro():
                        if member.docstring is None and member.name in base.members:
                            member.docstring = base.members[member.name].docstring
"""


def test_pages_have_a_new_date_exactly_if_mkdocstrings_writes_them_differently(
    project: Path,
) -> None:
    pages = {"index.md": "# Home\n"}
    files = {"src/p/__init__.py": "", "inherited_docstrings.py": EXTENSION}
    changed = {}
    for name, change in CHANGES.items():
        pages[f"{name}.md"] = f"::: p.{name}\n    options: {{{change.options}}}\n"
        module = change.module.replace("{}", name)
        path = f"src/p/{name}.py"
        files[path] = module.rstrip("#")
        if module.startswith(CHILD[:30]) and "import Base" in module:
            files[f"src/p/{name}_base.py"] = BASE
            if not module.endswith("#"):
                path = f"src/p/{name}_base.py"
        assert change.old in files[path]
        changed[path] = files[path].replace(change.old, change.new)
    options = {"show_source": False, "filters": []}
    handlers = {"python": {"paths": ["src"], "options": options}}
    site = MkDocsSite.create(
        project, pages, plugins=[{"mkdocstrings": {"handlers": handlers}}]
    )
    site.repository.commit(files, day=2)
    build_days(site)
    before = {name: read_text(site, name) for name in CHANGES}
    site.repository.commit(changed, day=3)
    days = build_days(site)
    different = {name for name in CHANGES if read_text(site, name) != before[name]}
    assert {name for name in CHANGES if days[f"{name}/"] == 3} == different


def read_text(site: MkDocsSite, name: str) -> str:
    """Return the main part of a page, without its line breaks."""
    text = (site.site / name / "index.html").read_text()
    main, _, _ = text.partition("<footer")
    return " ".join(main.partition('role="main"')[2].split())
