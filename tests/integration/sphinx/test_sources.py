"""Which files count as sources of a page, and for which pages."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from sphinx.ext.apidoc import main as apidoc
from support.command import run
from support.sphinx import SphinxSite, days, document

from sphinx_sitemap_ext.sources.definitions import find_definitions


def test_the_configuration_of_docutils_is_not_a_source(project: Path) -> None:
    site = SphinxSite.create(project, {"index.rst": document("Home")})
    site.repository.commit(
        {"docs/docutils.conf": "[parsers]\nsmart_quotes: no\n"}, day=4
    )
    assert days(site.build()) == {"index": 1}
    assert days(site.build()) == {"index": 1}, "also if nothing is read again"


def test_a_release_is_not_a_change_of_the_pages_that_name_it(project: Path) -> None:
    page = document("Home") + "\nVersion |version|, |release|.\n"
    site = SphinxSite.create(
        project, {"index.rst": page}, version="1.0", release="1.0.1"
    )
    site.configure(version="2.0", release="2.0.1")
    site.repository.commit({}, day=4)
    assert days(site.build()) == {"index": 1}


CATALOG = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"

"""


def catalog(**translations: str) -> str:
    """Return a `.po` file."""
    return CATALOG + "".join(
        f'msgid "{message}"\nmsgstr "{text}"\n\n'
        for message, text in translations.items()
    )


@pytest.mark.parametrize("compact", [True, False])
def test_a_translation_is_a_source(project: Path, compact: bool) -> None:
    site = SphinxSite.create(
        project,
        {"index.rst": document("Home", toctree=("a/b",)), "a/b.rst": document("Page")},
        language="de",
        locale_dirs=["locale"],
        gettext_compact=compact,
    )
    site.repository.commit({".gitignore": "/out/\n*.mo\n"}, day=2)
    messages = "docs/locale/de/LC_MESSAGES"
    site.repository.commit({f"{messages}/index.po": catalog(Home="Heim")}, day=5)
    name = "a" if compact else "a/b"
    site.repository.commit({f"{messages}/{name}.po": catalog(Page="Seite")}, day=6)
    for _ in range(2):  # Sphinx records the compiled catalog from the second build on.
        assert days(site.build()) == {"index": 5, "a/b": 6}


def test_a_catalog_is_a_source_of_the_documents_that_it_translates(
    project: Path,
) -> None:
    names = ("title", "caption", "alt", "entry", "nothing", "same", "fuzzy", "obsolete")
    pages = {
        "index.rst": document("Home", toctree=tuple(f"guide/{name}" for name in names)),
        "guide/caption.rst": document("Caption")
        + "\n.. toctree::\n   :caption: Contents\n\n   title\n",
        "guide/alt.rst": document("Alt") + "\n.. figure:: a.png\n   :alt: Picture\n",
        "guide/a.png": "The HTML builders do not read images.",
        "guide/entry.rst": document("Entries") + "\n.. index:: Entry\n",
    }
    for name in names:
        pages.setdefault(f"guide/{name}.rst", document(name.title()))
    site = SphinxSite.create(
        project,
        pages,
        language="de",
        locale_dirs=["locale"],
        gettext_compact=True,
        gettext_additional_targets=["index"],
    )
    text = catalog(
        Title="Titel",
        Contents="Inhalt",
        Picture="Bild",
        Entry="Eintrag",
        Nothing="",
        Same="Same",
    )
    text += '#, fuzzy\nmsgid "Fuzzy"\nmsgstr "Vage"\n\n#~ msgid "Obsolete"\n#~ msgstr "Alt"\n'
    path = "docs/locale/de/LC_MESSAGES/guide.po"
    site.repository.commit({".gitignore": "/out/\n*.mo\n", path: text}, day=5)
    expected: dict[str, int | None] = {"index": 1}
    expected |= {f"guide/{name}": 5 for name in ("title", "caption", "alt")}
    expected |= {
        f"guide/{name}": 1 for name in ("entry", "nothing", "same", "fuzzy", "obsolete")
    }
    assert days(site.build()) == expected
    assert days(site.build()) == expected, "also if nothing is read again"
    site.run("html", "-W", "-E", "-j", "2")
    assert days(site.read()) == expected, "also if other processes read the documents"


def test_a_message_that_is_translated_between_builds(project: Path) -> None:
    site = SphinxSite.create(
        project, {"index.rst": document("Home")}, language="de", locale_dirs=["locale"]
    )
    path = "docs/locale/de/LC_MESSAGES/index.po"
    site.repository.commit(
        {".gitignore": "/out/\n*.mo\n", path: catalog(Home="")}, day=5
    )
    site.log()
    assert days(site.read()) == {"index": 1}
    site.repository.commit({path: catalog(Home="Heim")}, day=6)
    site.log()
    assert days(site.read()) == {"index": 6}


def test_stubs_of_any_template_have_the_date_of_their_module(project: Path) -> None:
    template = """\
.. A comment.

.. _{{ fullname }}:

{{ underline }}
{{ objname }}
{{ underline }}

Prose from the template.

.. automodule:: {{ fullname }}

Functions
---------

.. autosummary::
   :toctree:

   f
"""
    pages = {
        "index.rst": document("Home")
        + "\n.. autosummary::\n   :toctree: api\n\n   module\n",
        "_templates/autosummary/module.rst": template,
        "../src/module.py": '"""Documented."""\n\ndef f():\n    """Documented."""\n',
    }
    site = SphinxSite.create(
        project,
        pages,
        extensions=["sphinx.ext.autodoc", "sphinx.ext.autosummary"],
        templates_path=["_templates"],
    )
    site.import_from("src")
    site.repository.commit({".gitignore": "/out/\n/docs/api/\n__pycache__/\n"}, day=2)
    new = 'def g():\n    """New."""\n'
    site.repository.commit({"src/module.py": pages["../src/module.py"] + new}, day=6)
    hidden = f"{new}HIDDEN = 1\n"
    site.repository.commit({"src/module.py": pages["../src/module.py"] + hidden}, day=7)
    # The template of a module lists its members. The other two show only a part.
    expected = {"index": 1, "api/module": 6, "api/module.f": 1}
    assert days(site.build()) == expected
    assert days(site.build()) == expected
    site.run("html", "-E", "-j", "2")
    assert days(site.read()) == expected


def test_documents_of_sphinx_apidoc_have_the_dates_of_their_modules(
    project: Path,
) -> None:
    files = {
        "../src/package/__init__.py": '"""Package."""\n',
        "../src/package/module.py": '"""Module."""\n',
        "../src/package/part/__init__.py": '"""Part."""\n',
    }
    site = SphinxSite.create(
        project,
        {"index.rst": document("Home", toctree=("api/modules", "api/prose")), **files},
        extensions=["sphinx.ext.autodoc"],
    )
    site.import_from("src")
    site.repository.commit({".gitignore": "/out/\n/docs/api/\n__pycache__/\n"}, day=2)
    site.repository.commit({"src/package/module.py": '"""New module."""\n'}, day=4)
    site.repository.commit({"src/package/part/__init__.py": '"""New part."""\n'}, day=5)
    assert (
        apidoc(["-q", "-o", str(project / "docs/api"), str(project / "src/package")])
        == 0
    )
    prose = (
        document("Prose")
        + "\nWritten by hand.\n\n.. automodule:: package\n   :no-index:\n"
    )
    site.repository.write({"docs/api/prose.rst": prose})
    assert days(site.build()) == {
        "index": 1,
        "api/modules": None,
        "api/package": 4,
        "api/package.part": 5,
        "api/prose": None,
    }


def test_pages_of_sphinx_gallery_have_the_date_of_their_script(project: Path) -> None:
    gallery = {"examples_dirs": "../examples", "gallery_dirs": "auto/gallery"}
    without_matplotlib = {"image_scrapers": (), "reset_modules": ()}
    script = '"""\nTitle\n=====\n\nText.\n"""\nprint(1)\n'
    site = SphinxSite.create(
        project,
        {
            "index.rst": document("Home", toctree=("auto/gallery/index",)),
            "../examples/README.rst": document("Examples"),
            "../examples/a.py": script,
            "../examples/part/README.rst": document("Part"),
            "../examples/part/b.py": script,
        },
        extensions=["sphinx_gallery.gen_gallery"],
        sphinx_gallery_conf=gallery | without_matplotlib,
    )
    site.repository.commit(
        {".gitignore": "/out/\n/docs/auto/\n/docs/sg_*.rst\n"}, day=2
    )
    site.repository.commit({"examples/a.py": script + "print(2)\n"}, day=4)
    site.repository.commit({"examples/part/b.py": script + "print(2)\n"}, day=5)
    for _ in range(2):
        site.log()
        assert days(site.read()) == {
            "index": 1,
            "auto/gallery/index": None,
            "auto/gallery/a": 4,
            "auto/gallery/part/index": None,
            "auto/gallery/part/b": 5,
        }


@pytest.mark.parametrize("keep_files", [True, False])
def test_pages_of_autoapi_have_the_dates_of_what_they_show(
    project: Path, keep_files: bool
) -> None:
    files = {
        "../src/package/__init__.py": '"""Package."""\nfrom package.core import Thing\n',
        "../src/package/core.py": '"""Core."""\nclass Thing:\n    """A thing."""\n',
        "../src/package/plain.py": '"""Plain."""\n',
        "../src/package/part/__init__.py": '"""Part."""\n',
        "../src/package/part/late.py": '''"""Late."""
def function():
    """A function."""

class Class:
    """A class."""

    value: int = 1
    """A value."""
''',
    }
    site = SphinxSite.create(
        project,
        {"index.rst": document("Home", toctree=("autoapi/index",)), **files},
        extensions=["autoapi.extension"],
        autoapi_dirs=["../src/package"],
        autoapi_keep_files=keep_files,
    )
    # A module that the configuration imports does not count for all pages of its
    # package.
    site.import_from("src")
    site.extend_configuration("import package\n")
    init = files["../src/package/__init__.py"].replace("Package", "The package")
    site.repository.commit({"src/package/__init__.py": init}, day=3)
    site.repository.commit({".gitignore": "/out/\n/docs/autoapi/\n"}, day=2)
    site.repository.commit(
        {"src/package/core.py": files["../src/package/core.py"] + "NEW = 1\n"}, day=4
    )
    for _ in range(2):
        site.log()
        assert days(site.read()) == {
            "index": 1,
            "autoapi/index": 1,
            "autoapi/package/index": 3,
            "autoapi/package/core/index": 4,
            "autoapi/package/plain/index": 1,
            "autoapi/package/part/index": 1,
            "autoapi/package/part/late/index": 1,
        }
    changed = files["../src/package/core.py"].replace("A thing", "The thing")
    site.repository.commit({"src/package/core.py": changed}, day=5)
    site.log()
    imported = days(site.read())
    assert (
        imported["autoapi/package/index"],
        imported["autoapi/package/plain/index"],
    ) == (5, 1)


def test_pages_of_autodoc2_have_the_dates_of_their_modules(project: Path) -> None:
    files = {
        "../src/package/__init__.py": '"""Package."""\n',
        "../src/package/core.py": "class Thing:\n    pass\n",
    }
    site = SphinxSite.create(
        project,
        {"index.rst": document("Home", toctree=("apidocs/index",)), **files},
        extensions=["autodoc2"],
        autodoc2_packages=["../src/package"],
    )
    site.repository.commit({".gitignore": "/out/\n/docs/apidocs/\n"}, day=2)
    site.repository.commit(
        {"src/package/core.py": files["../src/package/core.py"] + "NEW = 1\n"}, day=4
    )
    for _ in range(2):
        site.log()
        assert days(site.read()) == {
            "index": 1,
            "apidocs/index": 1,
            "apidocs/package/package": 1,
            "apidocs/package/package.core": 4,
        }


def test_tables_of_autosummary_have_the_dates_of_the_objects_in_them(
    project: Path,
) -> None:
    names = (
        "module",
        "function",
        "klass",
        "method",
        "value",
        "prop",
        "decorated",
        "constructor",
    )
    files = {
        "../src/module.py": '"""Module."""\n',
        "../src/function.py": 'def f():\n    """Function."""\n',
        "../src/klass.py": 'class C:\n    """Class."""\n',
        "../src/method.py": (
            'class Base:\n    def inherited(self):\n        """Method."""\n'
        ),
        "../src/value.py": "#: Value.\nVALUE = 1\n",
        "../src/prop.py": (
            'class Base:\n    @property\n    def p(self):\n        """Property."""\n'
        ),
        "../src/decorated.py": (
            'from decorator import log\n\n@log\ndef f():\n    """Function."""\n'
        ),
        "../src/decorator.py": (
            "import functools\n\ndef log(function):\n    @functools.wraps(function)\n  "
            "  def wrapper(*args):\n        return function(*args)\n    return "
            "wrapper\n"
        ),
        "../src/constructor.py": "class Base:\n    def __init__(self, a):\n        pass\n",
        "../src/public.py": (
            "from constructor import Base as WithArgument\nfrom decorated import f as "
            "decorated\nfrom function import f\nfrom klass import C\nfrom method "
            "import Base\nfrom prop import Base as WithProperty\n\nclass "
            "Method(Base):\n    pass\n\nclass Property(WithProperty):\n    "
            "pass\n\nclass New(WithArgument):\n    pass\n"
        ),
    }
    shown = {
        "module": "module",
        "function": "public.f",
        "klass": "public.C",
        "method": "public.Method.inherited",
        "value": "value.VALUE",
        "prop": "public.Property.p",
        "decorated": "public.decorated",
        "constructor": "public.New",
    }
    pages = {
        f"{name}.rst": document(name.title())
        + f"\n.. autosummary::\n\n   {shown[name]}\n"
        for name in names
    }
    site = SphinxSite.create(
        project,
        {"index.rst": document("Home", toctree=names), **pages, **files},
        extensions=["sphinx.ext.autodoc", "sphinx.ext.autosummary"],
    )
    site.import_from("src")
    site.repository.commit({}, day=2)
    changes = {
        "value": ("VALUE = 1", "VALUE = 2"),
        "constructor": ("(self, a)", "(self, b)"),
        "module": ("Module.", "New."),
        "klass": ("Class.", "New."),
        "method": ("Method.", "New."),
        "prop": ("Property.", "New."),
    }
    expected: dict[str, int | None] = {"index": 1}
    for day, name in enumerate(names, start=3):
        path = f"src/{name}.py"
        files[f"../{path}"] = files[f"../{path}"].replace(
            *changes.get(name, ("Function.", "New."))
        )
        site.repository.commit({path: files[f"../{path}"]}, day=day)
        expected[name] = day
    others = {
        f"src/{name}.py": files[f"../src/{name}.py"] + "NEW = 1\n" for name in names
    }
    site.repository.commit(others, day=20)
    assert days(site.build()) == expected
    assert days(site.build()) == expected, "also if nothing is read again"
    site.run("html", "-W", "-E", "-j", "2")
    assert days(site.read()) == expected, "also if other processes read the documents"


def test_a_module_that_another_directive_shows_counts(project: Path) -> None:
    directive = """
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

class Settings(SphinxDirective):
    def run(self):
        path = self.env.relfn2path("../src/pkg/settings.py")[1]
        self.env.note_dependency(path)
        return [nodes.paragraph(text=open(path).read())]

def setup(app):
    app.add_directive("settings", Settings)
"""
    page = document("Home") + "\n.. settings::\n\n.. autofunction:: pkg.load\n"
    site = SphinxSite.create(
        project,
        {
            "index.rst": page,
            "shown_settings.py": directive,
            "../src/pkg/__init__.py": 'def load():\n    """Load."""\n',
            "../src/pkg/settings.py": "NAME = 1\n",
        },
        extensions=["sphinx.ext.autodoc", "shown_settings"],
    )
    site.import_from("src")
    site.repository.commit({"src/pkg/settings.py": "NAME = 2\n"}, day=4)
    site.log()
    assert days(site.read()) == {"index": 4}


def test_modules_that_raise_exceptions_have_no_files(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Lazy(ModuleType):
        def __getattr__(self, name: str) -> object:
            raise ImportError(name)

    lazy = Lazy("lazy")
    del lazy.__dict__["__name__"]
    monkeypatch.setitem(sys.modules, "lazy", lazy)
    assert find_definitions("lazy") == find_definitions("lazy.value") == set()


COMMAND = '''\
import argparse
import click

def parser():
    return argparse.ArgumentParser(description="A parser.")

@click.command()
def main():
    """Say hello."""
    print("hello")
'''


@pytest.mark.parametrize(
    ("extension", "directive", "text"),
    [
        (
            "sphinxcontrib.programoutput",
            "command-output",
            "python ../src/command.py\n   :cwd: .",
        ),
        ("sphinx_click", "click", "command:main\n   :prog: hello"),
        ("sphinxarg.ext", "argparse", "\n   :ref: command.parser\n   :prog: hello"),
        ("matplotlib.sphinxext.plot_directive", "plot", "../src/command.py"),
    ],
)
def test_directives_that_run_code(
    project: Path, extension: str, directive: str, text: str
) -> None:
    pytest.importorskip(extension)
    pytest.importorskip("click")
    site = SphinxSite.create(
        project,
        {
            "index.rst": document("Home", toctree=("guide/run",)),
            "guide/run.rst": document("Run") + f"\n.. {directive}:: {text}\n",
            "../src/command.py": COMMAND,
        },
        extensions=[extension],
    )
    site.import_from("src")
    site.repository.commit({"src/command.py": COMMAND.replace("hello", "new")}, day=4)
    log = site.log(verbosity=1)
    assert days(site.read()) == {"index": 1, "guide/run": 4}
    assert log.status.count(f"{directive} ran code") == 1
    explain = [
        sys.executable,
        "-m",
        "docs_sitemap_cli",
        "explain",
        "out/html",
        "guide/run.rst",
    ]
    assert f"{directive} ran code" in run(explain, cwd=project)
    assert days(site.build()) == {"index": 1, "guide/run": 4}, (
        "also if nothing is read again"
    )


DIRECTIVE = '''\
from docutils import nodes
from docutils.parsers.rst import Directive

class Show(Directive):
    required_arguments = 1
    has_content = True

    def run(self):
        return [nodes.paragraph(text="shown")]

class Other:
    """Extensions can register anything that docutils can run."""

    required_arguments, optional_arguments, final_argument_whitespace = 1, 0, False
    option_spec, has_content = None, False

    def __init__(self, *arguments):
        pass

    def run(self):
        return [nodes.paragraph(text="other")]
'''


@pytest.mark.parametrize("is_module", [True, False])
def test_directives_of_the_project_run_its_code(project: Path, is_module: bool) -> None:
    site = SphinxSite.create(
        project,
        {
            "index.rst": document("Home", toctree=("a", "b")) + "\n.. note:: Text.\n",
            "a.rst": document("A") + "\n.. show:: /data/a.json\n\n   b.rst\n",
            "b.rst": document("B") + "\n.. show:: nothing/..\n\n.. other:: b\n",
            "own.py": DIRECTIVE,
            "data/a.json": "{}",
        },
    )
    site.extend_configuration(
        "from own import Other, Show\n" if is_module else DIRECTIVE
    )
    site.extend_configuration(
        "def setup(app):\n"
        "    app.add_directive('show', Show)\n    app.add_directive('other', Other)\n"
    )
    site.repository.commit({"docs/data/a.json": "[]"}, day=4)
    in_parallel: dict[str, Any] = {"parallel": 2, "freshenv": True}
    for arguments in ({}, in_parallel):
        log = site.log(verbosity=1, **arguments)
        assert days(site.read()) == {"index": 1, "a": 4, "b": 1}
        assert log.status.count("show ran code") == 2
    named = {"sitemap_dependencies": {"**": ["own.py"]}}
    assert "ran code" not in site.log(verbosity=1, overrides=named).status


UNUSUAL_DIRECTIVES = '''
from docutils import nodes
from docutils.core import publish_string
from docutils.parsers.rst import Directive, directives

class Show(Directive):
    optional_arguments = 1

    def run(self):
        return [nodes.paragraph(text="shown")]

class ShowMore(Show):
    """It names its own class."""

    def run(self):
        return super(self.__class__, self).run()

# Sphinx does not register it again for a second build in this process.
directives.register_directive("show-once", Show)

def show_other_text(app, *_):
    for settings in ({}, {"env": app.env}):
        publish_string(".. show-once:: index.rst", settings_overrides=settings)

def setup(app):
    app.add_directive("show-more", ShowMore)
    app.connect("html-page-context", show_other_text)
'''


def test_directives_in_unusual_places_work(project: Path) -> None:
    site = SphinxSite.create(
        project,
        {
            "index.rst": document("Home", toctree=("a",)),
            "a.rst": document("A")
            + "\n.. show-more:: loop/x\n\n.. show-once:: b.txt\n",
            "b.txt": "",
            "unusual_directives.py": UNUSUAL_DIRECTIVES,
        },
        extensions=["unusual_directives"],
    )
    (project / "docs" / "loop").symlink_to("loop")
    site.repository.commit({"docs/b.txt": "changed"}, day=4)
    for _ in range(2):
        log = site.log(verbosity=1, freshenv=True)
        assert "show-more and show-once" in log.status
        assert days(site.read()) == {"index": 1, "a": 4}


DOXYGEN_INDEX = """<?xml version="1.0"?>
<doxygenindex version="1.9.8"><compound refid="structA" kind="struct"><name>A</name></compound>
<compound refid="structB" kind="struct"><name>B</name></compound></doxygenindex>
"""
DOXYGEN_STRUCT = """<?xml version="1.0"?>
<doxygen version="1.9.8"><compounddef id="struct{0}" kind="struct" language="C++" prot="public">
<compoundname>{0}</compoundname><briefdescription><para>Text.</para></briefdescription>
<detaileddescription></detaileddescription>
<location file="include/{0}.h" line="2" column="1" bodyfile="src/{0}.cpp" bodystart="2"/>
</compounddef></doxygen>
"""


def test_pages_of_breathe_have_the_dates_of_the_documented_files(project: Path) -> None:
    pytest.importorskip("breathe")
    files = {f"{folder}/{name}": "" for name in "AB" for folder in ("include", "src")}
    files = {f"{path}.{'h' if 'include' in path else 'cpp'}": "1" for path in files}
    site = SphinxSite.create(
        project,
        {
            "index.rst": document("Home", toctree=("a", "b")),
            "a.rst": document("A") + "\n.. doxygenstruct:: A\n",
            "b.rst": document("B") + "\n.. doxygenstruct:: B\n",
            **{f"../{path}": text for path, text in files.items()},
        },
        extensions=["breathe"],
        breathe_projects={"project": "xml"},
        breathe_default_project="project",
    )
    site.repository.commit({".gitignore": "/out/\n/docs/xml/\n"}, day=2)
    site.repository.write({"docs/xml/index.xml": DOXYGEN_INDEX})
    site.repository.write(
        {f"docs/xml/struct{name}.xml": DOXYGEN_STRUCT.format(name) for name in "AB"}
    )
    site.repository.commit({"include/A.h": "2", "src/B.cpp": "2"}, day=4)
    for _ in range(2):
        assert days(site.build()) == {"index": 1, "a": 4, "b": 1}


NAMING_DIRECTIVES = """
from docutils import nodes
from docutils.parsers.rst import Directive, directives

class Show(Directive):
    optional_arguments = 1
    option_spec = {"file": directives.unchanged, "link": directives.unchanged}

    def run(self):
        if self.arguments:  # the path is relative to the document
            env = self.state.document.settings.env
            env.note_dependency(self.arguments[0])
        return [nodes.paragraph(text="shown")]

def setup(app):
    app.add_directive("show-file", Show)
"""


@pytest.mark.parametrize(
    ("text", "day"),
    [
        (" schema.json", 4),
        (" schema.json#/definitions/a", 4),
        ("\n   :file: guide/schema.json", 4),
        ("\n   :file: schema.json and more", 1),
        ("\n   :link: ../index.rst", 1),
    ],
)
def test_files_that_directives_of_extensions_name(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, day: int
) -> None:
    library = tmp_path / "site-packages"
    library.mkdir()
    name = f"naming_directives_{day}_{len(text)}"  # Python keeps imported modules.
    (library / f"{name}.py").write_text(NAMING_DIRECTIVES)
    monkeypatch.syspath_prepend(str(library))
    page = document("Page") + f"\n.. show-file::{text}\n"
    site = SphinxSite.create(
        project,
        {
            "index.rst": document("Home", toctree=("guide/page",)),
            "guide/page.rst": page,
            "guide/schema.json": "1",
        },
        extensions=[name],
    )
    site.repository.commit({"docs/guide/schema.json": "2"}, day=4)
    site.repository.commit(
        {"docs/index.rst": document("New", toctree=("guide/page",))}, day=5
    )
    if "#" in text:  # The recorded dependency is no file.
        monkeypatch.setattr(
            "sphinx.environment.BuildEnvironment.note_dependency", print
        )
    assert days(site.build()) == {"index": 5, "guide/page": day}


GROUP = """
import click
from commands.other import run

@click.group()
def main():
    "Do it."

main.add_command(run)
"""
SUBCOMMAND = """
import click

@click.command()
def run():
    "Run."
"""


def test_subcommands_of_sphinx_click_in_other_modules(project: Path) -> None:
    pytest.importorskip("sphinx_click")
    site = SphinxSite.create(
        project,
        {
            "index.rst": document("Home")
            + "\n.. click:: commands:main\n   :prog: do\n",
            "../commands/__init__.py": GROUP,
            "../commands/other.py": SUBCOMMAND,
        },
        extensions=["sphinx_click"],
    )
    site.import_from(".")
    site.repository.commit(
        {"commands/other.py": SUBCOMMAND.replace("Run", "Start")}, day=4
    )
    assert days(site.build()) == {"index": 4}


def test_pages_of_single_objects_that_a_package_imports(project: Path) -> None:
    """The option is `autoapi_own_page_level`."""
    module = 'class Thing:\n    """Thing."""\n\n    def go(self):\n        """Go."""\n'
    site = SphinxSite.create(
        project,
        {
            "index.rst": document("Home", toctree=("autoapi/index",)),
            "../src/package/__init__.py": (
                "from package.core import Thing\nfrom package.load import load\n"
            ),
            "../src/package/core.py": module,
            "../src/package/load.py": 'def load():\n    """Load."""\n',
        },
        extensions=["autoapi.extension"],
        autoapi_dirs=["../src/package"],
        autoapi_own_page_level="method",
    )
    site.repository.commit({".gitignore": "/out/\n/docs/autoapi/\n"}, day=2)
    changed = module.replace("Go", "Walk")
    site.repository.commit({"src/package/core.py": changed}, day=3)
    load = 'def load():\n    """Read."""\n'
    site.repository.commit({"src/package/load.py": load}, day=4)
    site.log()
    dates = days(site.read())
    assert dates["autoapi/package/Thing.go"] == 3
    assert dates["autoapi/package/load"] == dates["autoapi/package/load/load"] == 4


def test_unexpected_records_of_extensions(project: Path) -> None:
    site = SphinxSite.create(
        project, {"index.rst": document("Home", toctree=("a",)), "a.rst": "A"}
    )
    site.extend_configuration(
        "class Other:\n    docname_of = None\n\ndef setup(app):\n    "
        "app.connect('build-finished', lambda app, _: "
        "vars(app.env).update(autodoc2_db=1))\n    "
        "app.add_config_value('autodoc2_output_dir', 'a', '')\n"
    )
    site.repository.commit({"docs/a/b.rst": document("B")}, day=3)
    site.repository.commit({"part.txt": "Part."}, day=2)
    log = site.log()
    assert days(site.read())["a/b"] is None
    assert "a/b.rst has no lastmod" in log.status
    assert "AttributeError" in log.status
    site.log(overrides={"sitemap_dependencies": {"a/b": ["../part.txt"]}})
    assert days(site.read())["a/b"] == 3
