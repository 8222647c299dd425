"""Requests to deployed sites, for `check` with a URL and `submit` only."""
