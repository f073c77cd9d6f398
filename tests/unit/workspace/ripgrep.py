"""The ripgrep that tests compare with: that of the development requirements, else one on PATH."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

_BESIDE = Path(sys.executable).parent / "rg"
RIPGREP = str(_BESIDE) if _BESIDE.is_file() else shutil.which("rg")
WHY = "ripgrep is not installed; the development requirements have it"
