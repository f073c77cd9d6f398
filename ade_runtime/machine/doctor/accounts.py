"""GitHub and Linear: whether there is something to log in with. Nothing is sent anywhere and no value is shown."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from ade_runtime.machine.doctor.rows import Place, Row
from ade_runtime.vault.marks import marks_of

GITHUB_VARIABLES = ("GH_TOKEN", "GITHUB_TOKEN")
LINEAR_VARIABLES = ("LINEAR_API_KEY",)
LINEAR_GRANT = "LINEAR_OAUTH"


def check(place: Place) -> Iterator[Row]:
    yield _github(place)
    yield _linear(place)


def _github(place: Place) -> Row:
    named = _first_set(place, GITHUB_VARIABLES)
    if named:
        return Row("github", "ok", f"a token is in {named}")
    hosts = _gh_folder(place) / "hosts.yml"
    program = shutil.which("gh", path=place.environ.get("PATH"))
    if _mentions(hosts, b"oauth_token") or (_mentions(hosts, b"user:") and program):
        return Row("github", "ok", f"gh is logged in ({hosts})")
    step = "Set GH_TOKEN, or log in with `gh auth login`; only pull requests need it."
    return Row("github", "warn", f"no token in {' or '.join(GITHUB_VARIABLES)} and no login of gh", step)


def _linear(place: Place) -> Row:
    named = _first_set(place, LINEAR_VARIABLES)
    if named:
        return Row("linear", "ok", f"a key is in {named}")
    if (marks_of(place.paths) / LINEAR_VARIABLES[0]).exists():
        return Row("linear", "ok", "a key is among the machine's secrets")
    if (marks_of(place.paths) / LINEAR_GRANT).exists():
        return Row("linear", "ok", "signed in by OAuth")
    step = "Set LINEAR_API_KEY, or store it with `ade secrets set LINEAR_API_KEY --machine`; only issues need it."
    return Row("linear", "warn", f"no key in {' or '.join(LINEAR_VARIABLES)}", step)


def _first_set(place: Place, names: tuple[str, ...]) -> str | None:
    return next((name for name in names if place.environ.get(name, "").strip()), None)


def _gh_folder(place: Place) -> Path:
    named = place.environ.get("GH_CONFIG_DIR")
    if named:
        return Path(named)
    config = place.environ.get("XDG_CONFIG_HOME")
    return (Path(config) if config else place.home / ".config") / "gh"


def _mentions(file: Path, word: bytes) -> bool:
    try:
        with file.open("rb") as stream:
            return word in stream.read(65536)
    except OSError:
        return False
