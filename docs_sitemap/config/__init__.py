"""Options, page settings, and languages: what users configure."""
