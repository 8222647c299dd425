"""`docs-sitemap compare`: which URLs appear, disappear, or change from one sitemap to
another.
"""
