"""The TypeScript client, compiled by the real compiler and run by Node against a real runtime; and OpenRPC's own schema."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import jsonschema
import pytest
from referencing import Registry
from referencing.jsonschema import DRAFT7

from tests.harness.conftest import Place
from tests.support.programs import TYPESCRIPT, TYPESCRIPT_BESIDE, installed

pytestmark = [pytest.mark.harness, pytest.mark.timeout(600)]
ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "ade_generated" / "typescript" / "ade.ts"
STRICT = ("--strict", "--noUncheckedIndexedAccess")
OPTIONS = (
    *STRICT,
    "--target",
    "es2022",
    "--module",
    "nodenext",
    "--moduleResolution",
    "nodenext",
    "--types",
    "node",
)
PROGRAM = """
import { Ade, AdeError, type Output } from "./ade.js";

const ade = await Ade.connect();
const said: unknown[] = [];
const lanes: Output<"lane.list"> = await ade.call("lane.list", {}, { cwd: process.argv[2] as string });
said.push(lanes.items.map((lane) => lane.name).sort());
const made = await ade.call("lane.create", { name: "from-node" }, { cwd: process.argv[2] as string, request_id: "one" });
const again = await ade.call("lane.create", { name: "from-node" }, { cwd: process.argv[2] as string, request_id: "one" });
said.push(made.branch, made.id === again.id);
said.push((await ade.call("runtime.health")).status);
try {
  await ade.call("lane.show", { lane: "nowhere" }, { cwd: process.argv[2] as string });
} catch (problem) {
  if (!(problem instanceof AdeError)) throw problem;
  said.push(problem.code, problem.rpc, problem.hint.length > 0);
}
const many = await Promise.all(Array.from({ length: 50 }, () => ade.call("runtime.health", {})));
said.push(many.length);
ade.close();
said.push(await ade.call("runtime.health").catch((problem: Error) => problem.message));
console.log(JSON.stringify(said));
"""
WRONG = {
    'await ade.call("lane.creat", { name: "x" });': "is not assignable to parameter of type",
    'await ade.call("lane.create", { nam: "x" });': "does not exist in type",
    'await ade.call("lane.create", { name: 1 });': "is not assignable to type 'string'",
    'await ade.call("lane.create");': "Expected 2-3 arguments",
    'const a: number = (await ade.call("runtime.health")).status;': "is not assignable to type 'number'",
    'await ade.call("actions.list", { effect: "reed" });': "is not assignable to type",
}


@pytest.fixture
def compiler(tmp_path: Path) -> Path:
    tsc = installed(TYPESCRIPT, "tsc", *TYPESCRIPT_BESIDE)
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    (tmp_path / "node_modules").symlink_to(tsc.parents[1])
    (tmp_path / "package.json").write_text('{"type": "module"}')
    shutil.copy(CLIENT, tmp_path / "ade.ts")
    return tsc


def compiled(tsc: Path, folder: Path, source: str) -> str:
    """What the compiler says of a program beside the client; empty where it is content."""
    (folder / "program.ts").write_text(source)
    argv = [str(tsc), *OPTIONS, "--outDir", "out", "program.ts"]
    done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, timeout=300)
    return done.stdout


def test_the_client_calls_a_real_runtime(compiler: Path, tmp_path: Path, place: Place) -> None:
    assert compiled(compiler, tmp_path, PROGRAM) == ""
    (tmp_path / "out" / "package.json").write_text('{"type": "module"}')
    done = place.run(["node", tmp_path / "out" / "program.js", place.repo.root])
    assert done.returncode == 0, done.stderr
    names, branch, same, health, code, rpc, hint, many, closed = json.loads(done.stdout)
    assert "fix" in names
    assert (branch, same, health) == ("ade/from-node", True, "ok")
    assert (code, rpc, hint, many) == ("lane_not_found", -32004, True, 50)
    assert closed == "the connection was closed"


def test_the_compiler_finds_what_an_action_does_not_take(compiler: Path, tmp_path: Path) -> None:
    head = 'import { Ade } from "./ade.js";\nconst ade = await Ade.connect();\n'
    told = compiled(compiler, tmp_path, head + "\n".join(f"{{ {line} }}" for line in WRONG)).splitlines()
    for number, (line, words) in enumerate(WRONG.items(), start=3):
        found = [one for one in told if one.startswith(f"program.ts({number},")]
        assert any(words in one for one in found), (line, told)


def test_the_openrpc_document_is_one_by_its_own_schema() -> None:
    modules = installed(TYPESCRIPT, "tsc", *TYPESCRIPT_BESIDE).parents[1]
    whole, inner = (
        schema_of(modules, name) for name in ("@open-rpc/meta-schema", "@json-schema-tools/meta-schema")
    )
    names = ("https://meta.json-schema.tools", "https://meta.json-schema.tools/")
    registry = Registry().with_resources([(name, DRAFT7.create_resource(inner)) for name in names])
    document = json.loads((ROOT / "ade_generated" / "openrpc.json").read_text())
    validator = jsonschema.Draft7Validator(whole, registry=registry)
    assert [problem.message for problem in validator.iter_errors(document)] == []
    document["methods"][0].pop("params")
    assert list(validator.iter_errors(document))


def schema_of(modules: Path, package: str) -> dict[str, object]:
    """The schema that a package exports, in the dialect that it is really in."""
    code = "const m = require(process.argv[1]); console.log(JSON.stringify(m.default ?? m))"
    node = shutil.which("node") or pytest.skip("node is not installed")
    done = subprocess.run(
        [str(node), "-e", code, str(modules / package)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    found: dict[str, object] = json.loads(done.stdout)
    inner = found.get("OpenRPCDocument") or found.get("JSONSchema") or found
    assert isinstance(inner, dict)
    return {**inner, "$schema": "http://json-schema.org/draft-07/schema#"}
