"""Generate from small specs, import the result, use it."""

from __future__ import annotations

import importlib
import itertools
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from ade_runtime.wire import WireModel
from codegen import ir
from codegen.emitters import models
from codegen.finish import Emitter, finish
from codegen.modelgen.classes import input_class, output_class
from codegen.naming import module_name

_NUMBERS = itertools.count()


def contents(specs: ir.Specs, *emitters: Emitter) -> dict[str, str]:
    """The finished files of some emitters by path."""
    files = finish([(emit, list(emit(specs))) for emit in emitters], specs)
    return {str(file.path): file.content for file in files}


class Package:
    """Generated files under a package of their own, so that they never meet the project's."""

    def __init__(self, folder: Path, files: Mapping[str, str]) -> None:
        self.name = f"ade_made_{next(_NUMBERS)}"
        self.folder = folder / self.name
        for path, content in files.items():
            target = folder / path.replace("ade_generated", self.name, 1)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.replace("ade_generated.", f"{self.name}.").encode())
        (self.folder / "__init__.py").touch()
        sys.path.insert(0, str(folder))
        try:
            importlib.invalidate_caches()
            names = [path for path in files if path.endswith(".py")]
            self.modules = {path: self._load(path) for path in names}
        finally:
            sys.path.remove(str(folder))

    def _load(self, path: str) -> ModuleType:
        name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        return importlib.import_module(name.replace("ade_generated", self.name, 1))

    def __getitem__(self, path: str) -> ModuleType:
        return self.modules[f"ade_generated/{path}"]

    def model(self, module: str, name: str) -> type[WireModel]:
        found: Any = getattr(self[f"models/{module}.py"], name)
        assert issubclass(found, WireModel)
        return found

    def input(self, action: ir.Action) -> type[WireModel]:
        return self.model(module_name(action.domain), input_class(action))

    def output(self, action: ir.Action) -> type[WireModel]:
        return self.model(*output_class(action))


def package(folder: Path, specs: ir.Specs, *emitters: Emitter) -> Package:
    return Package(folder, contents(specs, *(emitters or (models.emit,))))
