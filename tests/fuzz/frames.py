"""A coverage-guided fuzzer for the server's reader of frames and messages: ``make fuzz``.

It ends at the first input that breaks a promise of :mod:`tests.fuzz.properties`, and writes that input to a file.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parents[2]))
with atheris.instrument_imports(include=["ade_runtime.server"]):
    from tests.fuzz.properties import check


def one_input(data: bytes) -> None:
    made = atheris.FuzzedDataProvider(data)
    cuts = [made.ConsumeIntInRange(0, 1 << 16) for _ in range(made.ConsumeIntInRange(0, 6))]
    check(made.ConsumeBytes(made.remaining_bytes()), cuts)


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
