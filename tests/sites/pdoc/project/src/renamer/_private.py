"""Not documented."""
