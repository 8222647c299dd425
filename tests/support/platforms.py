"""Markers for tests that need features of an operating system."""

from __future__ import annotations

import os

import pytest

needs_posix = pytest.mark.skipif(
    os.name == "nt", reason="needs shell scripts, process groups, or POSIX permissions"
)
