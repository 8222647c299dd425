"""How the sources of pages are found in the site of any generator."""
