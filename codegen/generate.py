"""One run of the generator: load the specs, ask every emitter, format, compare, and write what differs.

``gen`` does nothing where neither specs nor generator nor output changed since the manifest was written.
``check`` takes no such short cut: it makes everything again, in memory.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from codegen import cache, memo
from codegen.manifest import Manifest, exclusive, read_manifest, remove_leftovers
from codegen.modelgen import generator
from codegen.plan import (
    ALLOWED,
    Plan,
    PlannedFile,
    apply,
    check_allowed,
    compare,
    difference,
    digest,
    manifest_of,
    read,
)
from codegen.sound import Sound, sound

if TYPE_CHECKING:
    from codegen import ir

CODE = Path(__file__).parent
READER = CODE.parent / "ade_runtime" / "strict_yaml"
TOOLS = ("datamodel-code-generator", "Jinja2", "PyYAML", "ruff")


def gen(root: Path, load: Callable[[], ir.Specs] | None = None, *, anyway: bool = False) -> int:
    """Write what differs. Returns 0, or 1 where a hand-edited file was refused; then nothing is written.

    ``load`` gives the specs in another way than reading them all; ``anyway`` looks closer even where nothing seems to differ.
    """
    tools = memo.of(tools_digest, CODE, tools_digest)
    with exclusive(root):
        for folder in ALLOWED:
            remove_leftovers(root / folder)
        before = read_manifest(root)
        inputs = inputs_digest(root, tools)
        if not anyway and before.inputs == inputs and _untouched(root, before):
            return 0
        earlier = cache.Earlier(root, before) if before.tools == tools else None
        with nullcontext() if earlier or load else generator.ahead(), memo.using(memo.Store()):
            specs = read_specs(root, before.sound if earlier else None) if load is None else load()
            files, keys = build(specs, earlier)
            right = found_sound(specs)
        plan = compare(root, files, before)
        if plan.edited:
            _refuse(root, plan, files)
            return 1
        apply(root, files, plan, before, manifest_of(files, keys, inputs, tools, right))
    _tell(plan)
    return 0


def check(root: Path) -> int:
    """Compare without writing.

    Returns 0 when everything is current and nothing breaks callers unannounced, else 1 after showing every difference.
    """
    tools = tools_digest()
    with exclusive(root):
        before = read_manifest(root)
        with generator.ahead(), memo.using(memo.Store()):
            specs = read_specs(root)
            files, keys = build(specs, None)
            right = found_sound(specs)
        plan = compare(root, files, before)
        wanted = manifest_of(files, keys, inputs_digest(root, tools), tools, right)
        stale_manifest = wanted.document() != before.document()
    _tell_unknown(plan)
    broken = breaks(root, specs)
    sys.stdout.write(broken)
    if plan.is_clean and not stale_manifest:
        _say(f"ade_generated is current: {plan.unchanged} files")
        return int(bool(broken))
    _show(root, plan, files)
    if plan.is_clean:
        _say("ade_generated/MANIFEST.json is not what the specs and the generator call for")
    _say("Run `make gen` and commit what it writes; put hand edits into their source instead.")
    return 1


def read_specs(root: Path, known: Sound | None = None) -> ir.Specs:
    """The specs; of what is ``known`` to be right it is not asked again whether it is. Raises SpecErrors."""
    from codegen.load import load_specs

    return load_specs(root, known)


def found_sound(specs: ir.Specs) -> Sound:
    """What of specs that could be loaded a later run need not look at again."""
    from codegen.load import schemas_digest

    return sound(specs, schemas_digest())


def breaks(root: Path, specs: ir.Specs) -> str:
    """What breaks callers since the last release and was not announced, in lines; empty where nothing does."""
    from codegen.compat.command import told
    from codegen.compat.released import judge

    verdict = judge(root, specs)
    return "" if verdict is None else told(verdict)


def build(specs: ir.Specs, earlier: cache.Earlier | None) -> tuple[list[PlannedFile], dict[str, str]]:
    """Every file, finished, and the digest of what each was made from."""
    from codegen.emitters import EMITTERS, models
    from codegen.finish import finish

    with memo.using(memo.Store()), cache.using(earlier):
        models.begin(specs)  # takes longest, and is waited for when all else is done
        others = [emit for emit in EMITTERS if emit is not models.emit]
        raw: list[PlannedFile] = []
        files: list[PlannedFile] = []
        for emitters in (others, [models.emit]):
            made = [(emit, list(emit(specs))) for emit in emitters]
            raw += [file for _, emitted in made for file in emitted]
            check_allowed(raw)
            files += finish(made, specs)
    keys = {str(file.path): file.key_digest for file in raw}
    return sorted(files, key=lambda file: str(file.path)), keys


def prepare(specs: ir.Specs) -> None:
    """Make what the next run in this process will ask for, where results are kept."""
    from codegen.emitters import EMITTERS, models
    from codegen.skeleton import harmless

    models.prepare()
    tame = harmless(specs)
    for emit in EMITTERS:
        for _ in emit(tame):
            pass


def inputs_digest(root: Path, tools: str) -> str:
    """Of what is generated from; kept releases are only compared with."""
    return _tree_digest(root / "specs", tools, without="released")


def tools_digest() -> str:
    """Of the generator's own code and of the versions of its tools. The site is made from the same specs, but kept nowhere."""
    versions = " ".join(f"{tool}={version(tool)}" for tool in TOOLS)
    return _tree_digest(CODE, _tree_digest(READER, versions), without="site")


def _tree_digest(folder: Path, salt: str, without: str = "") -> str:
    """Of every file under a folder, by name and content; the order of the file system does not matter."""
    total = hashlib.sha256(salt.encode())
    for path in sorted(folder.rglob("*"), key=lambda path: path.relative_to(folder).as_posix()):
        if path.suffix != ".pyc" and path.is_file() and path.relative_to(folder).parts[0] != without:
            total.update(f"\0{path.relative_to(folder).as_posix()}\0".encode())
            total.update(digest(path.read_bytes()).encode())
    return total.hexdigest()


def _untouched(root: Path, manifest: Manifest) -> bool:
    for path, entry in manifest.files.items():
        data = read(root / path)
        if data is None or (digest(data),) != entry.digests:
            return False
    return True


def _refuse(root: Path, plan: Plan, files: Iterable[PlannedFile]) -> None:
    wanted = {str(file.path): file.data for file in files}
    for path in plan.edited:
        sys.stderr.write(difference(root, path, wanted.get(path, b"")))
    names = " ".join(plan.edited)
    sys.stderr.write(
        f"error: edited by hand: {names}\n"
        "Nothing was written. Put the change into its source (the file's first line names it), then run\n"
        f"  rm {names} && make gen\n"
    )


def _show(root: Path, plan: Plan, files: Iterable[PlannedFile]) -> None:
    wanted = {str(file.path): file.data for file in files}
    names = {
        "missing": plan.create,
        "out of date": plan.change,
        "edited by hand": plan.edited,
        "left over": plan.remove,
    }
    for path in sorted([*plan.change, *plan.edited]):
        sys.stdout.write(difference(root, path, wanted.get(path, b"")))
    for word, paths in names.items():
        for path in paths:
            _say(f"{word}: {path}")


def _tell(plan: Plan) -> None:
    for word, paths in (("new", plan.create), ("changed", plan.change), ("removed", plan.remove)):
        for path in paths:
            _say(f"{word}: {path}")
    _tell_unknown(plan)
    written = len(plan.create) + len(plan.change)
    _say(f"{written} written, {len(plan.remove)} removed, {plan.unchanged} unchanged")


def _tell_unknown(plan: Plan) -> None:
    for path in plan.unknown:
        sys.stderr.write(f"warning: {path} is not generated and has no place here; remove or move it\n")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
