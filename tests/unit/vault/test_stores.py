"""Where values are kept: whole, encrypted, and out of the way of a keyring that hangs."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ade_generated import errors
from ade_runtime.machine.paths import Paths
from ade_runtime.services import Services
from ade_runtime.vault.encrypted_file import EncryptedFile
from ade_runtime.vault.service import Vault
from ade_runtime.vault.stores import Stores
from ade_runtime.vault.system_keyring import SystemKeyring

ROOT = Path(__file__).parents[3]
VALUE = "planted value: 9f8e7d\nwith a second line, é and 日本"

BACKEND = """
import json, os, time
from pathlib import Path
from keyring.backend import KeyringBackend

class Sample(KeyringBackend):
    priority = float(os.environ.get("SAMPLE_PRIORITY", "5"))
    path = Path(os.environ["SAMPLE_FILE"])
    def values(self):
        return json.loads(self.path.read_text()) if self.path.exists() else {}
    def get_password(self, service, name):
        if os.environ.get("SAMPLE_HANGS"):
            time.sleep(60)
        if os.environ.get("SAMPLE_FAILS"):
            raise RuntimeError("locked: " + repr(self.values()))
        return self.values().get(service + "/" + name)
    def set_password(self, service, name, value):
        if os.environ.get("SAMPLE_FAILS"):
            raise RuntimeError("cannot keep " + value)
        limit = int(os.environ.get("SAMPLE_LIMIT", "100000"))
        self.path.write_text(json.dumps(self.values() | {service + "/" + name: value[:limit]}))
    def delete_password(self, service, name):
        values = self.values()
        del values[service + "/" + name]
        self.path.write_text(json.dumps(values))
"""


@pytest.fixture
def file(tmp_path: Path) -> EncryptedFile:
    return EncryptedFile(tmp_path / "secrets" / "values.json", tmp_path / "secrets" / "key")


def keyring(tmp_path: Path, **environ: str) -> SystemKeyring:
    """The real library in a real process, with a backend of our own that keeps values in a file."""
    (tmp_path / "sample_backend.py").write_text(BACKEND)
    env = {
        **os.environ,
        "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}",
        "PYTHON_KEYRING_BACKEND": "sample_backend.Sample",
        "SAMPLE_FILE": str(tmp_path / "sample.json"),
        "XDG_CONFIG_HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
        **environ,
    }
    command = (sys.executable, "-m", "ade_runtime.vault.keyring_process")
    return SystemKeyring(str(tmp_path), env, command, probe_seconds=20, use_seconds=20)


async def test_values_come_back_whole_and_are_nowhere_in_the_clear(
    file: EncryptedFile, tmp_path: Path
) -> None:
    await file.put("machine/A", VALUE)
    await file.put("prj_x/A", "another")
    assert (await file.get("machine/A"), await file.get("prj_x/A")) == (VALUE, "another")
    assert await file.get("machine/B") is None
    for path in (tmp_path / "secrets").iterdir():
        assert path.stat().st_mode & 0o077 == 0
        assert b"planted" not in path.read_bytes()
        assert base64.b64encode(VALUE.encode())[:12] not in path.read_bytes()


async def test_the_same_value_never_looks_the_same(file: EncryptedFile, tmp_path: Path) -> None:
    await file.put("machine/A", VALUE)
    await file.put("machine/B", VALUE)
    values = json.loads((tmp_path / "secrets" / "values.json").read_text())["values"]
    assert values["machine/A"] != values["machine/B"]


async def test_a_value_cannot_be_put_in_anothers_place(file: EncryptedFile, tmp_path: Path) -> None:
    await file.put("machine/A", VALUE)
    await file.put("prj_x/B", "another")
    path = tmp_path / "secrets" / "values.json"
    document = json.loads(path.read_text())
    document["values"]["prj_x/B"] = document["values"]["machine/A"]
    path.write_text(json.dumps(document))
    with pytest.raises(errors.SecretStoreFailed):
        await file.get("prj_x/B")


async def test_a_lost_key_is_not_replaced_and_a_wrong_one_is_told(
    file: EncryptedFile, tmp_path: Path
) -> None:
    await file.put("machine/A", VALUE)
    key = tmp_path / "secrets" / "key"
    kept = key.read_bytes()
    key.unlink()
    for attempt in (file.get("machine/A"), file.put("machine/B", "more")):
        with pytest.raises(errors.SecretStoreFailed, match="is gone") as caught:
            await attempt
        assert "Put the key back" in caught.value.hint
    assert not key.exists()
    key.write_bytes(base64.b64encode(bytes(32)))
    key.chmod(0o600)
    with pytest.raises(errors.SecretStoreFailed, match="not the key"):
        await file.get("machine/A")
    key.write_bytes(kept)
    assert await file.get("machine/A") == VALUE


async def test_a_key_that_others_may_read_is_refused(file: EncryptedFile, tmp_path: Path) -> None:
    await file.put("machine/A", VALUE)
    (tmp_path / "secrets" / "key").chmod(0o640)
    with pytest.raises(errors.SecretStoreFailed, match="others may read") as caught:
        await file.get("machine/A")
    assert f"chmod 600 {tmp_path / 'secrets' / 'key'}" in caught.value.hint


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "not json", '{"version": 2, "values": {}}', '{"version": 1, "values": 3}']
)
async def test_a_damaged_file_is_told_and_never_overwritten(
    file: EncryptedFile, tmp_path: Path, text: str
) -> None:
    path = tmp_path / "secrets" / "values.json"
    path.parent.mkdir()
    path.write_text(text)
    for attempt in (file.get("machine/A"), file.put("machine/A", VALUE), file.delete("machine/A")):
        with pytest.raises(errors.SecretStoreFailed):
            await attempt
    assert path.read_text() == text


def test_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    program = (
        "import asyncio, sys; from pathlib import Path; from ade_runtime.vault.encrypted_file import EncryptedFile\n"
        "file = EncryptedFile(Path(sys.argv[1]) / 'values.json', Path(sys.argv[1]) / 'key')\n"
        "async def main():\n"
        "    for number in range(10): await file.put(f'machine/{sys.argv[2]}_{number}', sys.argv[2])\n"
        "asyncio.run(main())"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", program, str(tmp_path), str(number)], cwd=ROOT)
        for number in range(4)
    ]
    assert [process.wait(60) for process in running] == [0] * 4
    file = EncryptedFile(tmp_path / "values.json", tmp_path / "key")

    async def read() -> list[str | None]:
        return [await file.get(f"machine/{who}_{number}") for who in range(4) for number in range(10)]

    assert asyncio.run(read()) == [str(who) for who in range(4) for _ in range(10)]


async def test_the_keyring_keeps_values(tmp_path: Path) -> None:
    store = keyring(tmp_path)
    assert await store.usable()
    await store.put("machine/A", VALUE)
    assert await store.get("machine/A") == VALUE
    await store.delete("machine/A")
    await store.delete("machine/A")
    assert await store.get("machine/A") is None


@pytest.mark.parametrize(
    "environ",
    [
        {"SAMPLE_PRIORITY": "0.5"},
        {"PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"},
        {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"},
        {"PYTHON_KEYRING_BACKEND": "no.such.Backend"},
    ],
)
async def test_what_is_no_safe_keyring_is_not_used(tmp_path: Path, environ: dict[str, str]) -> None:
    assert not await keyring(tmp_path, **environ).usable()


async def test_a_keyring_that_hangs_is_left(tmp_path: Path) -> None:
    store = keyring(tmp_path, SAMPLE_HANGS="1")
    store._use_seconds = 3
    began = time.monotonic()
    with pytest.raises(errors.SecretStoreFailed, match="did not answer"):
        await store.get("machine/A")
    assert time.monotonic() - began < 10


async def test_a_failing_keyring_gives_way_to_the_file_and_tells_no_value(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    services = Services(Paths.of_home(tmp_path / "home"))
    services.paths.make_folders()
    stores = Stores(services.paths, {})
    stores.keyring = keyring(tmp_path, SAMPLE_LIMIT="4")
    vault = Vault(services, stores)
    secret, created = await vault.put("machine", "A", VALUE, author="owner")
    assert (secret.store, created, await vault.value(secret)) == ("file", True, VALUE)
    stores.keyring = keyring(tmp_path, SAMPLE_FAILS="1")
    with pytest.raises(errors.SecretStoreFailed) as refusal:
        await stores.keyring.put("machine/A", VALUE)
    assert "planted" not in str(refusal.value.envelope()) + caplog.text
    stores.keyring = keyring(tmp_path)
    secret, created = await vault.put("machine", "A", "short", author="owner")
    assert (secret.store, created, await vault.value(secret)) == ("keyring", False, "short")
    assert await stores.file.get("machine/A") is None, "the older value is gone from where it was"
    await services.close()


async def test_what_a_forgotten_project_left_is_removed(tmp_path: Path) -> None:
    services = Services(Paths.of_home(tmp_path / "home"))
    services.paths.make_folders()
    stores = Stores(services.paths, {"ADE_SECRET_STORE": "file"})
    vault = Vault(services, stores)
    root = tmp_path / "project"
    root.mkdir()
    project = await services.projects.register(root, root / ".git", None)
    await vault.put(project.id, "A", "kept", author="owner")
    await vault.put("prj_forgotten", "A", "left", author="owner")
    await vault.put("machine", "A", "kept", author="owner")
    assert await stores.file.get("prj_forgotten/A") is None
    assert await stores.file.get(f"{project.id}/A") == "kept"
    assert [one.owner for one in await vault.listed([project.id, "machine", "prj_forgotten"])] == [
        project.id,
        "machine",
    ]
    await services.close()
