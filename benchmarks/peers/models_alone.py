"""datamodel-code-generator alone, on the bundle that ``make gen`` gives it.

``python -m benchmarks.peers.models_alone --bundle ROOT FILE`` writes the bundle of the specs at ROOT; with
``FILE`` alone it generates from it, which is the part that is measured.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def write_bundle(root: Path, file: Path) -> None:
    from codegen.load import load_specs
    from codegen.modelgen.bundle import bundle
    from codegen.modelgen.classes import all_classes

    specs = load_specs(root)
    file.write_text(json.dumps(bundle(list(all_classes(specs)), specs.types).document))


def generate(file: Path) -> None:
    from codegen.modelgen.generator import begin

    if "class " not in begin(json.loads(file.read_text()))():
        raise SystemExit("nothing was generated")


if __name__ == "__main__":
    if sys.argv[1] == "--bundle":
        write_bundle(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        generate(Path(sys.argv[1]))
