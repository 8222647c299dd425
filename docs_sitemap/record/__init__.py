"""The content record: a digest and a date of each page, from one build to the next."""
