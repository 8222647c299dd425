"""The steps of a build, which `docs_sitemap.build` runs one after the other."""
