"""Git: find the newest commit of each file, and read and change branches."""
