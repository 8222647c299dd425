"""Objects of Python that pages show with mkdocstrings. Their modules are parsed, but
never imported.
"""
