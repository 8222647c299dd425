"""Sites of any generator: their pages, and the source files that each page was made
from.
"""
