"""Files, messages, and what is saved from one build to the next."""
