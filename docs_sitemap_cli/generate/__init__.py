"""Sites of any generator: their pages, and the source files that each page was made
from.

Rules name a page by the path of its HTML file below the site, and a source by its path
below the top level of the repository.
"""
