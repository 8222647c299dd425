"""A published site as commands see it: its files and pages, its sitemaps, its address,
and requests to its server.
"""
