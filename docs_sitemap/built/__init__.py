"""The built site: its pages, its files, its sitemaps, and robots.txt."""
