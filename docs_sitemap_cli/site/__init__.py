"""What several commands need: the files of a site, its sitemaps, its address, its
branch, and requests to its server.
"""
