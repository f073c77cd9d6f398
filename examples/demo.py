"""Do ADE's main job on a sample repository, end to end, with a private runtime in a temporary ADE_HOME.

Run by ``make demo``. Each step is a real ``ade`` or ``git`` command; its exit code and what it changed are checked, so the
script ends with 0 only if all of it worked. With ``KEEP=1`` the repository and the runtime stay for playing.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import Any

from tests.support.github.hub import ours, stand_in

ADE = Path(sys.executable).with_name("ade")
WIDTH = 100


class DemoFailed(Exception):
    """A step did not do what it should."""


class Demo:
    """A sample repository with a bare remote, a private ADE_HOME, and the commands run in them."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.repo = base / "shop"
        self.remote = base / "octo" / "shop.git"
        self.hub = stand_in()
        self.home = base / "ade-home"
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("ADE_", "GIT_"))}
        self.env = inherited | {
            "ADE_HOME": str(self.home),
            "PATH": f"{ADE.parent}{os.pathsep}{os.environ.get('PATH', '')}",
            "GIT_CONFIG_GLOBAL": str(base / "gitconfig"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "COLUMNS": str(WIDTH),
            **ours(self.hub),
        }

    def run(self, *argv: str, cwd: Path | None = None, expect: int = 0, show: bool = True) -> str:
        """Run a command, print it with its output, and return its standard output."""
        if show:
            print(f"\n$ {shlex.join(argv)}", flush=True)
        done = subprocess.run(
            argv,
            cwd=cwd or self.repo,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        )
        if show:
            print(textwrap.indent((done.stdout + done.stderr).rstrip(), "  "), flush=True)
        if done.returncode != expect:
            detail = "" if show else f"\n{done.stdout}{done.stderr}"
            raise DemoFailed(f"{shlex.join(argv)} ended with {done.returncode}, not {expect}{detail}")
        return done.stdout

    def ade(self, *argv: str, cwd: Path | None = None, expect: int = 0) -> str:
        return self.run("ade", "--text", *argv, cwd=cwd, expect=expect)

    def ask(self, *argv: str) -> dict[str, Any]:
        """The JSON answer of a command that is not part of the show."""
        answer: dict[str, Any] = json.loads(self.run("ade", *argv, "--json", show=False))
        return answer

    def git(self, *argv: str, cwd: Path | None = None) -> str:
        return self.run("git", *argv, cwd=cwd, show=False).strip()


def say(text: str) -> None:
    print(f"\n\033[1m{text}\033[0m" if sys.stdout.isatty() else f"\n== {text}", flush=True)


def check(truth: bool, what: str) -> None:
    if not truth:
        raise DemoFailed(what)
    print(f"  ✓ {what}", flush=True)


def make_sample_repository(demo: Demo) -> None:
    """A small shop with four commits on main, pushed to a bare remote."""
    demo.git("init", "-q", "--bare", "-b", "main", str(demo.remote), cwd=demo.base)
    demo.git("init", "-q", "-b", "main", str(demo.repo), cwd=demo.base)
    for key, value in (("user.name", "Demo"), ("user.email", "demo@localhost"), ("commit.gpgsign", "false")):
        demo.git("config", key, value)
    history = {
        "Add the README": {"README.md": "# Shop\n"},
        "Add prices": {"prices.txt": "apple 3\npear 4\nplum 5\n"},
        "Add the login page": {"login.py": 'def login(user):\n    return f"hello {user}"\n'},
        "Add the cart": {"cart.py": "def total(prices):\n    return sum(prices)\n"},
    }
    for message, files in history.items():
        for name, text in files.items():
            (demo.repo / name).write_text(text)
        demo.git("add", "--all")
        demo.git("commit", "-q", "-m", message)
    demo.git("remote", "add", "origin", str(demo.remote))
    demo.git("push", "-q", "-u", "origin", "main")


def main_job(demo: Demo) -> None:
    say("A runtime of its own, started by the first command")
    demo.ade("runtime", "info")

    say("Two lanes: a worktree and a branch each")
    demo.ade("project", "add", ".")
    demo.ade("lanes", "create", "fix-login")
    demo.ade("lanes", "create", "new-prices")
    lanes = {name: Path(demo.ask("lanes", "show", name)["path"]) for name in ("fix-login", "new-prices")}
    check(all(path.is_dir() for path in lanes.values()), "both worktrees exist")
    check(demo.git("status", "--porcelain") == "", "the project's own git status is clean")

    say("Work and commit in both")
    (lanes["fix-login"] / "login.py").write_text('def login(user):\n    return f"welcome {user}"\n')
    (lanes["fix-login"] / "prices.txt").write_text("apple 3\npear 6\nplum 5\n")
    (lanes["new-prices"] / "prices.txt").write_text("apple 3\npear 7\nplum 5\n")
    demo.ade("git", "commit", "--lane", "fix-login", "-m", "Greet people warmly", "--stage-all")
    demo.ade("git", "commit", "--lane", "new-prices", "-m", "Raise the price of pears", "--stage-all")

    say("A conflict, found before anything is merged")
    demo.ade("conflicts", "check", "fix-login", "new-prices")
    found = demo.ask("conflicts", "check", "fix-login", "new-prices")
    check("prices.txt" in json.dumps(found), "the conflict in prices.txt was predicted")

    say("Merge one, push it, and look at the stack")
    demo.ade("lanes", "merge", "fix-login")
    demo.ade("git", "push", "--lane", "primary")
    check(
        demo.git("rev-parse", "main") == demo.git("rev-parse", "main", cwd=demo.remote),
        "the merge is on the remote",
    )
    check("warmly" in demo.git("log", "--format=%s", "main", cwd=demo.remote), "with the lane's commit")
    demo.ade("lanes", "stack")
    demo.ade("lanes", "list")

    say("A dangerous request is refused and loses nothing")
    demo.ade("lanes", "delete", "new-prices", expect=5)
    check(
        (lanes["new-prices"] / "prices.txt").read_text().startswith("apple 3\npear 7"),
        "the work is still there",
    )
    demo.ade("lanes", "create", "--", "--upload-pack=x", expect=2)

    say("A pull request, opened at a stand-in for GitHub on this machine; the second time it is found")
    github = demo.hub.add("octo/shop", demo.remote)
    for _ in range(2):
        demo.ade("prs", "create", "new-prices", "--title", "Raise the price of pears")
    demo.ade("prs", "list")
    check([one.title for one in github.pulls] == ["Raise the price of pears"], "there is one")

    say("A lane whose work is merged and pushed goes without a question")
    demo.ade("lanes", "delete", "fix-login")
    check(not lanes["fix-login"].exists(), "its worktree is gone")


def attempt(demo: Demo) -> DemoFailed | None:
    """Make the sample and do the job; the step that went wrong, if one did."""
    try:
        make_sample_repository(demo)
        main_job(demo)
    except DemoFailed as problem:
        return problem
    return None


def end(demo: Demo) -> DemoFailed | None:
    try:
        stop(demo)
    except DemoFailed as problem:
        return problem
    return None


def main() -> int:
    keep = os.environ.get("KEEP") == "1"
    base = Path(tempfile.mkdtemp(prefix="ade-demo-")).resolve()
    demo = Demo(base)
    failure = attempt(demo)
    if not keep:
        failure = end(demo) or failure
        shutil.rmtree(base)
    if failure:
        print(f"\nThe demo failed: {failure}", file=sys.stderr)
        return 1
    say("All of it worked.")
    if keep:
        print(f"  Play on:  cd {demo.repo}; export ADE_HOME={demo.home} PATH={ADE.parent}:$PATH")
        print(f"  Clean up: ade runtime stop; rm -r {base}")
    return 0


def stop(demo: Demo) -> None:
    """Stop the runtime this demo started and see that it serves no more."""
    say("Stop what was started")
    socket = Path(demo.ask("runtime", "info")["socket"])
    demo.run("ade", "runtime", "stop", "--text")
    check(not socket.exists(), "the runtime is gone")


if __name__ == "__main__":
    sys.exit(main())
