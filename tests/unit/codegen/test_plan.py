"""What lands on disk: only what differs, whole or not at all, nothing of others, nothing edited by hand.

Row 16.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from codegen import generate, plan
from codegen.manifest import MANIFEST, read_manifest
from codegen.modelgen import generator
from codegen.plan import OutsideAllowListError, PlannedFile, check_allowed
from tests.unit.codegen import toy

REPOSITORY = Path(__file__).parents[3]
GENERATED = ("ade_generated", "docs/reference")
MODELS = "ade_generated/models/toy.py"


def toys(**actions: Any) -> dict[str, Any]:
    return toy.domain(actions=actions or {"play": toy.action(), "rest": toy.action()})


def write(root: Path, *domains: dict[str, Any]) -> Path:
    shutil.rmtree(root / "specs", ignore_errors=True)
    return toy.write(root, *(domains or (toys(),)))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with its generated files."""
    write(tmp_path)
    assert generate.gen(tmp_path) == 0
    return tmp_path


def tree(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in files(root)}


def files(root: Path) -> Iterator[Path]:
    for folder in GENERATED:
        yield from sorted(path for path in (root / folder).rglob("*") if path.is_file())


def stamps(root: Path) -> dict[str, int]:
    return {str(path.relative_to(root)): path.stat().st_mtime_ns for path in files(root)}


def python(root: Path, code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run code of this checkout in another process, standing in another folder."""
    env = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(REPOSITORY),
        "PYTHONDONTWRITEBYTECODE": "1",
        **environment,
    }
    return subprocess.run(
        [sys.executable, "-c", code], cwd=root, env=env, capture_output=True, text=True, check=False
    )


def test_a_second_run_writes_nothing(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = stamps(root)
    capsys.readouterr()
    assert generate.gen(root) == 0
    assert capsys.readouterr().out == ""
    assert stamps(root) == before
    assert generate.check(root) == 0


def test_the_manifest_lists_every_file_with_hash_and_sources(root: Path) -> None:
    manifest = json.loads((root / MANIFEST).read_text())
    assert set(manifest["files"]) == tree(root).keys() - {str(MANIFEST)}
    for path, entry in manifest["files"].items():
        assert entry["sha256"] == hashlib.sha256((root / path).read_bytes()).hexdigest()
        assert all(source.startswith(("specs/", "codegen/")) for source in entry["sources"]), path
    assert manifest["files"][MODELS]["sources"] == ["specs/domains/toy.yaml"]


def test_one_changed_action_rewrites_only_what_depends_on_it(tmp_path: Path) -> None:
    other = toy.domain("other", actions={"work": toy.action()})
    write(tmp_path, toys(), other)
    generate.gen(tmp_path)
    before = stamps(tmp_path)
    write(tmp_path, toys(play=toy.action(summary="Play on."), rest=toy.action()), other)
    generate.gen(tmp_path)
    changed = {path for path, stamp in stamps(tmp_path).items() if before[path] != stamp}
    assert MODELS in changed and "ade_generated/dispatch.py" in changed
    assert not [
        path for path in changed if "other" in path or path.endswith(("errors.py", "roles.py", "types.py"))
    ]
    assert generate.check(tmp_path) == 0


@pytest.mark.parametrize(
    "actions",
    [{"play": toy.action()}, {"amuse": toy.action(), "play": toy.action()}, {"rest": toy.action()}],
    ids=["delete", "rename", "delete the first"],
)
def test_generator_16_deleted_and_renamed_actions_leave_nothing(actions: dict[str, Any], root: Path) -> None:
    write(root, toys(**actions))
    assert generate.gen(root) == 0
    text = b"".join(tree(root).values()).decode()
    for name in {"play", "rest"} - actions.keys():
        assert f"toy.{name}" not in text and f"Toy{name.title()}" not in text
    assert generate.check(root) == 0


def test_a_deleted_domain_takes_its_files_along(tmp_path: Path) -> None:
    other = toy.domain("other", actions={"work": toy.action()})
    write(tmp_path, toys(), other)
    generate.gen(tmp_path)
    cached = tmp_path / "ade_generated/models/__pycache__/other.cpython-311.pyc"
    cached.parent.mkdir()
    cached.touch()
    write(tmp_path, toys())
    assert generate.gen(tmp_path) == 0
    assert not [path for path in tree(tmp_path) if "other" in path and "__pycache__" not in path]
    assert generate.check(tmp_path) == 0


def test_generator_16_a_hand_edit_is_refused_with_the_difference(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = root / MODELS
    path.write_bytes(path.read_bytes().replace(b"class ToyPlayInput(", b"class MyInput("))
    before = tree(root)
    write(root, toys(play=toy.action(summary="Play on."), rest=toy.action()))
    capsys.readouterr()
    assert generate.gen(root) == 1
    told = capsys.readouterr().err
    assert "-class ToyPlayInput(" in told and "+class MyInput(" in told and f"rm {MODELS} && make gen" in told
    assert tree(root) == before, "nothing may be written beside a refused file"
    assert generate.check(root) == 1
    told = capsys.readouterr().out
    assert f"edited by hand: {MODELS}" in told and "+class MyInput(" in told and "make gen" in told
    path.unlink()
    assert generate.gen(root) == 0 and generate.check(root) == 0


def test_an_edited_orphan_is_refused_too(root: Path) -> None:
    path = root / MODELS
    path.write_bytes(path.read_bytes() + b"# mine\n")
    write(root, toy.domain("other", actions={"work": toy.action()}))
    assert generate.gen(root) == 1
    assert path.exists() and not (root / "ade_generated/models/other.py").exists()


def test_a_deleted_file_comes_back(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = tree(root)
    (root / MODELS).unlink()
    assert generate.check(root) == 1
    assert f"missing: {MODELS}" in capsys.readouterr().out
    assert generate.gen(root) == 0
    assert tree(root) == before


def test_generator_16_strangers_are_reported_and_left(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stranger = root / "ade_generated/models/mine.py"
    stranger.write_text("x = 1\n")
    write(root, toys(play=toy.action(summary="Play on.")))
    assert generate.gen(root) == 0
    assert "ade_generated/models/mine.py is not generated" in capsys.readouterr().err
    assert stranger.read_text() == "x = 1\n"


def test_check_shows_what_is_out_of_date_and_writes_nothing(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = stamps(root)
    write(root, toys(play=toy.action(summary="Play on."), rest=toy.action()))
    capsys.readouterr()
    assert generate.check(root) == 1
    told = capsys.readouterr().out
    assert f"out of date: {MODELS}" in told and '-    """Play on."""' in told and "make gen" in told
    assert stamps(root) == before


def test_check_does_not_trust_the_manifest(root: Path) -> None:
    """An edit covered up in the manifest is found, since everything is made again."""
    path = root / MODELS
    old = hashlib.sha256(path.read_bytes()).hexdigest()
    path.write_bytes(path.read_bytes() + b"# mine\n")
    manifest = (root / MANIFEST).read_text()
    (root / MANIFEST).write_text(manifest.replace(old, hashlib.sha256(path.read_bytes()).hexdigest()))
    assert generate.gen(root) == 0, "nothing seems to have changed"
    assert generate.check(root) == 1


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"files": {"x": 1}}', "<<<<<<< ours"])
def test_a_damaged_manifest_is_made_again(damage: str, root: Path) -> None:
    before = tree(root)
    (root / MANIFEST).write_text(damage)
    assert generate.check(root) == 1
    assert generate.gen(root) == 0
    assert tree(root) == before


KILLED = """
import os, signal, sys
from pathlib import Path
from codegen import generate, manifest, plan
count = 0
def dying(path, data):
    global count
    count += 1
    if count == int(sys.argv[1] if len(sys.argv) > 1 else os.environ["AT"]):
        temporary = path.with_name(".gen-left")
        temporary.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(data[: len(data) // 2])
        os.kill(os.getpid(), signal.SIGKILL)
    real(path, data)
real = manifest.write_atomic
plan.write_atomic = manifest.write_atomic = dying
sys.exit(generate.gen(Path.cwd()))
"""


@pytest.mark.parametrize("at", [1, 2, 4, 7, 9])
def test_generator_16_a_run_killed_midway_is_finished_by_the_next(at: int, root: Path) -> None:
    write(root, toys(amuse=toy.action(), play=toy.action(summary="Play on.")))
    done = python(root, KILLED, AT=str(at))
    assert done.returncode == -signal.SIGKILL, done.stderr
    for path in files(root):
        if path.suffix == ".py" and not path.name.startswith(".gen-"):
            compile(path.read_text(), str(path), "exec")
    assert generate.gen(root) == 0
    assert generate.check(root) == 0
    assert not list(root.rglob(".gen-*"))


def test_a_hand_edit_after_a_kill_is_still_refused(root: Path) -> None:
    write(root, toys(play=toy.action(summary="Play on.")))
    python(root, KILLED, AT="4")
    path = root / MODELS
    path.write_bytes(path.read_bytes() + b"# mine\n")
    assert generate.gen(root) == 1


def test_runs_at_once_do_not_interleave(root: Path) -> None:
    write(root, toys(play=toy.action(summary="Play on."), amuse=toy.action()))
    code = "import sys; from pathlib import Path; from codegen import generate; sys.exit(generate.gen(Path.cwd()))"
    results: list[subprocess.CompletedProcess[str]] = []
    threads = [threading.Thread(target=lambda: results.append(python(root, code))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [done.returncode for done in results] == [0] * 4, [done.stderr for done in results]
    assert sum("written" in done.stdout for done in results) == 1
    assert generate.check(root) == 0


def test_a_mistake_in_a_spec_writes_nothing(root: Path) -> None:
    from codegen.diagnostics import SpecErrors

    before = tree(root)
    write(root, toys(play=toy.action(effect="reed"), added=toy.action()))
    for run in (generate.gen, generate.check):
        with pytest.raises(SpecErrors):
            run(root)
    assert tree(root) == before


@pytest.mark.parametrize(
    "path",
    ["ade_runtime/x.py", "ade_generated/../x.py", "/ade_generated/x.py", "docs/x.md", "ade_generated/MANIFEST.json",
     "ade_generated/__init__.py", "x", "ade_generatedx/y"],
)  # fmt: skip
def test_writing_goes_through_an_allow_list(path: str) -> None:
    with pytest.raises(OutsideAllowListError):
        check_allowed([PlannedFile(PurePosixPath(path), "", ())])


def test_no_file_is_planned_twice() -> None:
    twice = [PlannedFile(PurePosixPath(f"ade_generated/{name}.py"), "", ()) for name in ("lane", "Lane")]
    with pytest.raises(OutsideAllowListError, match="twice"):
        check_allowed(twice)


SETTINGS: list[tuple[str, dict[str, str]]] = [
    ("", {"TZ": "Pacific/Kiritimati", "LC_ALL": "C", "LANG": "C", "PYTHONHASHSEED": "1"}),
    (
        "os.umask(0o077)",
        {"TZ": "America/St_Johns", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "77", "PYTHONUTF8": "0"},
    ),
    ("os.umask(0)", {"PYTHONHASHSEED": "random", "COLUMNS": "20", "SOURCE_DATE_EPOCH": "1"}),
]


@pytest.mark.parametrize(("before", "environment"), SETTINGS)
def test_generator_16_the_same_bytes_anywhere(
    before: str, environment: dict[str, str], tmp_path: Path
) -> None:
    here, there = tmp_path / "here", tmp_path / "some where" / "else"
    there.mkdir(parents=True)
    write(here)
    write(there)
    assert generate.gen(here) == 0
    (there / "ruff.toml").write_text("line-length = 20\n")
    (there / "pyproject.toml").write_text(
        "[tool.datamodel-codegen]\nsnake-case-field = true\n[tool.ruff]\nline-length = 20\n"
    )
    code = f"import os; {before}\nfrom pathlib import Path\nfrom codegen import generate\ngenerate.gen(Path.cwd())"
    done = python(there, code, HOME=str(there), **environment)
    assert done.returncode == 0, done.stderr
    assert tree(there) == tree(here)
    assert {path.stat().st_mode & 0o777 for path in files(there)} == {0o644}
    assert str(tmp_path) not in b"".join(tree(there).values()).decode()


def test_the_order_of_actions_and_files_does_not_show(tmp_path: Path) -> None:
    one, two = (
        toys(a=toy.action(), b=toy.action(errors=["toy_broken"])),
        toy.domain("other", actions={"work": toy.action()}),
    )
    backwards = {**one, "actions": dict(reversed(one["actions"].items()))}
    trees = []
    for name, domains in (("x", (one, two)), ("y", (two, backwards))):
        write(tmp_path / name, *domains)
        generate.gen(tmp_path / name)
        trees.append({path: data for path, data in tree(tmp_path / name).items() if path != str(MANIFEST)})
    assert trees[0] == trees[1]


def test_made_again_or_taken_over_the_files_are_the_same(tmp_path: Path) -> None:
    """What is kept from an earlier run is what a run from nothing makes, whichever spec changed."""
    other = toy.domain("other", actions={"work": toy.action()})
    types = {
        "Point": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]},
        "size": {"type": "integer"},
    }
    sized = toy.action(input={"size": {"$ref": "size", "optional": True}})
    described = toy.action(input={"size": {"$ref": "size", "optional": True, "description": "How big."}})
    bigger = types | {"size": {"type": "integer", "minimum": 4}}
    errors = toy.TABLES["errors"] | {
        "toy_broken": {**toy.TABLES["errors"]["toy_broken"], "summary": "It broke."}
    }
    steps: list[Callable[[Path], object]] = [
        lambda root: toy.write(root, toys(play=sized), other, types=types),
        lambda root: toy.write(root, toys(play=sized), other, types=bigger),
        lambda root: toy.write(root, toys(play=described), other, types=bigger),
        lambda root: toy.write(root, toys(play=sized, amuse=toy.action()), other, types=bigger),
        lambda root: toy.write(
            root, toys(play=sized), toy.domain("other", actions={"toil": sized}), types=bigger
        ),
        lambda root: toy.write(root, toys(play=sized), other, types=types, errors=errors),
        lambda root: toy.write(root, {**toys(play=sized), "cli": {"group": "games"}}, other, types=types),
    ]
    for step in steps:
        step(tmp_path)
        assert generate.gen(tmp_path) == 0
        assert generate.check(tmp_path) == 0, "an earlier run's file was kept too long"


@pytest.mark.parametrize(
    "text",
    [
        text
        for text in toy.HOSTILE
        if text.strip() and len(text) < 200 and text.isascii() and "\r" not in text
    ],
)
def test_new_texts_are_put_into_the_old_modules(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A changed sentence needs no run of datamodel-code-generator, and gives what one would give."""

    def specs(said: str) -> None:
        point = {
            "type": "object",
            "description": said,
            "properties": {"x": {"type": "integer", "description": "X."}},
            "required": ["x"],
        }
        near = {"$ref": "Point", "optional": True, "description": said}
        play = toy.action(
            summary=said,
            input={
                "near": near,
                "far": {"type": "string", "optional": True},
                "at": {**near, "description": "At."},
            },
        )
        toy.write(tmp_path, toys(play=play), types={"Point": point, "Area": point})

    specs("Before.")
    assert generate.gen(tmp_path) == 0
    specs(text)
    with monkeypatch.context() as patched:
        patched.setattr(generator, "begin", lambda document: pytest.fail("it was run"))
        assert generate.gen(tmp_path) == 0
    assert generate.check(tmp_path) == 0


def test_the_manifest_can_be_read_back(root: Path) -> None:
    manifest = read_manifest(root)
    assert manifest.document() == (root / MANIFEST).read_bytes()
    assert plan.read(root / "no" / "such") is None
