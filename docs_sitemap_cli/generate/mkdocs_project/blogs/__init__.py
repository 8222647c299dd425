"""Blogs of Material: their posts, and lists of posts."""
