"""The reference pages in the repository agree with the code."""

import subprocess
import sys
from pathlib import Path

GENERATOR = Path(__file__).parents[3] / "docs/generate_reference.py"


def test_reference_is_up_to_date() -> None:
    arguments = [sys.executable, str(GENERATOR), "--check"]
    process = subprocess.run(arguments, capture_output=True, encoding="utf-8", check=False)
    assert process.returncode == 0, process.stderr
