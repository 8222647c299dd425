"""Benchmarks of speed, memory, and accuracy: `make bench`."""
