"""From nothing to submitted, on an origin that behaves like GitHub Pages. The guide
shows the same steps.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from urllib.request import urlopen

import pytest
from support.cli import Done, invoke
from support.mkdocs import MkDocsSite
from support.origin import IndexNow, serve

THEME = '{% extends "base.html" %}'


def read(url: str) -> str:
    with urlopen(url) as answer:  # noqa: S310
        return str(answer.read().decode())


def test_from_nothing_to_submitted(tmp_path: Path) -> None:
    live = tmp_path / "live"
    with serve(live, "/docs/") as origin:
        base = f"{origin.url}docs/"
        endpoint = IndexNow(read)
        origin.replies["/indexnow"] = endpoint
        theme = {"name": "mkdocs", "custom_dir": "theme"}
        site = MkDocsSite.create(
            tmp_path / "project", {"index.md": "# Home"}, site_url=base, theme=theme
        )

        def submit(*options: str) -> Done:
            endpoint.urls.clear()
            line = ["submit", f"{base}sitemap.xml", "--site", "site", *options]
            line += ["--key-file", "docs/indexnow.txt"]
            line += ["--endpoint", f"{origin.url}indexnow", "--send"]
            return invoke(*line, cwd=site.path)

        def build_and_deploy() -> None:
            site.run("build")
            shutil.rmtree(live, ignore_errors=True)
            shutil.copytree(site.site, live)

        def sent() -> list[str]:
            return sorted(url.removeprefix(base) for url in endpoint.urls)

        key = invoke("submit", "--new-key", "docs/indexnow.txt", cwd=site.path)
        assert key.code == 0
        site.repository.commit(
            {
                "theme/main.html": THEME,
                "docs/faq.md": "# FAQ",
                "docs/a/use.md": "# Use",
            },
            day=2,
        )
        # The site has a local address, about which a build warns.
        site.run("build")
        # Nothing is deployed yet.
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("docs_sitemap_cli.submit.submission._PATIENCE", 0.0)
            done = submit("--since", "2024-01-01")
        assert done.code == 4
        assert "HTTP 404" in done.err
        build_and_deploy()
        assert submit("--since", "2024-01-01").code == 0
        assert sent() == ["", "a/use/", "faq/"]
        check = invoke("check", base)
        assert check.code == 0

        # One page and the theme change.
        theme_2 = f"{THEME}{{% block footer %}}New{{% endblock %}}"
        changes = {"docs/faq.md": "# FAQ\n\nA new answer.", "theme/main.html": theme_2}
        site.repository.commit(changes, day=3)
        build_and_deploy()
        assert submit("--since", "HEAD~1").code == 0
        assert sent() == ["faq/"]

        # A page moves, and another one is removed. The moved page keeps its date.
        shutil.copy(live / "sitemap.xml", site.path / "previous.xml")
        site.repository.git("mv", "docs/a/use.md", "docs/a/usage.md")
        site.repository.git("rm", "--quiet", "docs/faq.md")
        site.repository.commit({}, day=4)
        build_and_deploy()
        done = submit("--since", "HEAD~1")
        assert "Fix: use --previous" in done.out
        assert sent() == []
        done = submit("--previous", "previous.xml")
        assert done.code == 0, done
        assert "--previous" not in done.out
        assert sent() == ["a/usage/", "a/use/", "faq/"]

        # Nothing changes.
        assert submit("--since", "HEAD").code == 0
        assert sent() == []
