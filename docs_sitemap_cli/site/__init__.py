"""What several commands need to know of a site: its files, its sitemaps, and its pages
online.
"""
