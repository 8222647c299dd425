"""The built site: heads, generated pages, robots.txt, and the dates in pages."""
