"""Git: repositories, the history of files, shallow clones, and remotes."""
