"""Git: the history of files, shallow clones, and branches."""
