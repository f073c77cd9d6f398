"""The documentation's site in a real browser: as files and from a server, on a desk and on a phone, light and dark."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from codegen.site.command import write
from tests.support.programs import BROWSER, BROWSER_BESIDE, CACHE, installed

pytestmark = [pytest.mark.harness, pytest.mark.timeout(900)]
ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "tests" / "support" / "site.mjs"
SOME = [
    "index.html",
    "actions.html",
    "access.html",
    "domains/lane.html",
    "actions/lane.create.html",
    "actions/run.create.html",
    "concepts.html",
    "guides/spec-language.html",
    "reference/methods.html",
    "reference/runs.html",
    "decisions/index.html",
    "project/generator.html",
]
LIMIT = 800


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "site"
    write(ROOT, folder)
    return folder


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def looked_at(base: str, paths: list[str], some: list[str], folder: Path) -> dict[str, Any]:
    """What the browser found. With ``ADE_SITE_SHOTS=FOLDER`` it leaves pictures there."""
    modules = installed(BROWSER, "playwright-core", *BROWSER_BESIDE).parents[1]
    node = shutil.which("node") or pytest.skip("node is not installed")
    shutil.copy(SCRIPT, folder / "site.mjs")
    (folder / "node_modules").symlink_to(modules)
    unpacked = CACHE / "chromium"
    unpacked.mkdir(exist_ok=True)
    asked = {"base": base, "all": paths, "some": some, "shots": os.environ.get("ADE_SITE_SHOTS")}
    done = subprocess.run(
        [str(node), str(folder / "site.mjs")],
        input=json.dumps(asked),
        env={**os.environ, "TMPDIR": str(unpacked)},
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    if "error while loading shared libraries" in done.stderr:
        pytest.skip(f"the browser cannot run here: {done.stderr.strip()[-300:]}")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("way", ["files", "server"])
def test_in_a_browser(way: str, site: Path, tmp_path: Path) -> None:
    every = sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    if way == "files":
        found = looked_at(f"{site.as_uri()}/", every, SOME, tmp_path)
        assert found["loaded"] > 3 * len(every)
    else:
        with served(site) as base:
            found = looked_at(base, SOME, SOME[:2], tmp_path)
    assert found["wide"] == []
    assert found["elsewhere"] == []
    assert found["console"] == []
    assert found["axe"] == []
    said = found["said"]
    assert said["search"] == {
        "first": "lane.create",
        "told": said["search"]["told"],
        "active": ["true", "true"],
        "heading": "lane.create write",
        "mistyped": "lane.create",
        "closed": True,
    }
    assert said["search"]["told"].endswith(" found")
    page = said["page"]
    assert (page["skip"], page["main"]) == ("skip", "main")
    assert page["tabs"] == ["Command", "JSON", "Tool", "Socket"]
    assert (page["chosen"], page["json"]["branch"]) == ("JSON", "ade/fix-login")
    assert (page["side"], page["opened"], page["shut"]) == (False, [True, "true"], False)
    assert page["dark"] and page["kept"]
    assert "lane_name_taken" in page["filtered"] and len(page["filtered"]) < 10
    assert said["scriptless"] == [True, False]
