"""``ade install`` and ``ade uninstall`` in homes of all kinds, judged by what real shells then find."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.machine.install import launcher
from tests.support.command import ADE
from tests.support.homes import environment, needs, snapshot, terminal

SHELLS = ("bash", "zsh", "fish")
RC = {"bash": ".bashrc", "zsh": ".zshrc", "fish": ".config/fish/config.fish"}
COMPLETIONS = {
    "bash": ".local/share/bash-completion/completions/ade",
    "zsh": ".local/share/zsh/site-functions/_ade",
    "fish": ".config/fish/completions/ade.fish",
}


class Home:
    """A home folder, one shell, and ``ade`` run as an app of that user would."""

    def __init__(self, folder: Path, shell: str, **env: str) -> None:
        self.folder = folder
        self.shell = needs(shell)
        self.env = environment(folder, self.shell, **env)

    def run(self, *argv: str, exit_code: int = 0) -> Any:
        done = subprocess.run(
            [str(ADE), *argv, "--json"], env=self.env, cwd="/", capture_output=True, text=True, timeout=60
        )
        assert done.returncode == exit_code, (done.returncode, done.stdout, done.stderr)
        return json.loads(done.stdout or done.stderr)

    def steps(self, *argv: str, exit_code: int = 0) -> dict[str, str]:
        """What happened to each file, by its name below the home folder."""
        items = self.run(*argv, exit_code=exit_code)["items"]
        return {item["path"].removeprefix(f"{self.folder}/"): item["action"] for item in items}

    def found(self, *, login: bool = False) -> str:
        """The ``ade`` that a new terminal finds."""
        return terminal(self.shell, self.env, "command -v ade", login=login)

    def write(self, name: str, data: bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path


@pytest.fixture(params=SHELLS)
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Home:
    return Home(tmp_path / "a home", request.param)


def test_agents_27_an_empty_home(home: Home) -> None:
    """A file that was not there is created in the shell's own syntax, serves, and is gone again."""
    shell = Path(home.shell).name
    steps = home.steps("install")
    assert steps[".local/bin/ade"] == steps[RC[shell]] == steps[COMPLETIONS[shell]] == "create"
    launcher_path = str(home.folder / ".local/bin/ade")
    assert home.found() == launcher_path
    assert home.found(login=True) == launcher_path
    assert terminal(home.shell, home.env, "ade --version").startswith("ade ")
    installed = snapshot(home.folder)
    assert set(home.steps("install").values()) == {"keep"}, "doing it again changes nothing"
    assert snapshot(home.folder) == installed
    home.run("uninstall")
    assert snapshot(home.folder) == {}
    assert home.run("uninstall")["items"] == []


@pytest.mark.parametrize("text", [b"", b"# mine\n", b"# no line end", b"\xff\xfe\r\nold\r\n"])
def test_fault_42_an_rc_file_is_what_it_was_to_the_byte(home: Home, text: bytes) -> None:
    rc = home.write(RC[Path(home.shell).name], text)
    rc.chmod(0o600)
    before = snapshot(home.folder)
    home.run("install")
    assert rc.read_bytes().startswith(text)
    assert home.found() == str(home.folder / ".local/bin/ade")
    home.run("uninstall")
    assert snapshot(home.folder) == before


def test_a_dry_run_changes_nothing(home: Home) -> None:
    before = snapshot(home.folder)
    told = home.run("install", "--dry-run")
    assert told["dry_run"] is True
    assert snapshot(home.folder) == before
    home.run("install")
    installed = snapshot(home.folder)
    assert "remove" in home.steps("uninstall", "--dry-run").values()
    assert snapshot(home.folder) == installed


REACHING = {
    "bash": (".bashrc", 'PATH="$HOME/.local/bin:$PATH"\n'),
    "zsh": (".zprofile", "path=(~/.local/bin $path)\n"),
    "fish": (".config/fish/conf.d/mine.fish", "fish_add_path -g ~/.local/bin\n"),
}


def test_fault_42_path_is_judged_by_the_login_shell(home: Home) -> None:
    """What the app has on its PATH says nothing, and a folder that the shell has already is not added."""
    shell = Path(home.shell).name
    home.env["PATH"] = f"{home.folder}/.local/bin:{home.env['PATH']}"
    assert home.steps("install", "--dry-run")[RC[shell]] == "create"
    name, text = REACHING[shell]
    (home.folder / ".local/bin").mkdir(parents=True)
    home.write(name, text.encode())
    if shell == "bash":
        home.write(".bash_profile", b". ~/.bashrc\n")
    before = snapshot(home.folder)
    steps = home.steps("install")
    if shell == "zsh":  # it needs its completions named, whatever PATH holds
        assert "PATH" not in (home.folder / RC[shell]).read_text()
    else:
        assert RC[shell] not in steps
    assert home.found() == str(home.folder / ".local/bin/ade")
    home.run("uninstall")
    assert snapshot(home.folder) == before


def test_the_login_file_of_bash_is_used_where_it_hides_bashrc(tmp_path: Path) -> None:
    home = Home(tmp_path / "home", "bash")
    home.write(".bash_login", b"# mine\n")
    home.write(".profile", b"# hidden by the other\n")
    before = snapshot(home.folder)
    steps = home.steps("install")
    assert (steps[".bashrc"], steps[".bash_login"]) == ("create", "change")
    assert ".profile" not in steps and ".bash_profile" not in steps
    assert home.found() == home.found(login=True) == str(home.folder / ".local/bin/ade")
    home.run("uninstall")
    assert snapshot(home.folder) == before


def test_a_login_file_that_reads_bashrc_is_left_alone(tmp_path: Path) -> None:
    home = Home(tmp_path / "home", "bash")
    home.write(".profile", b"[ -f ~/.bashrc ] && . ~/.bashrc\n")
    assert ".profile" not in home.steps("install")
    assert home.found() == home.found(login=True) == str(home.folder / ".local/bin/ade")


def test_symlinked_and_hard_linked_rc_files_stay_what_they_are(home: Home, tmp_path: Path) -> None:
    rc = home.folder / RC[Path(home.shell).name]
    kept = tmp_path / "dotfiles" / "rc"
    kept.parent.mkdir()
    kept.write_bytes(b"# kept elsewhere")
    kept.chmod(0o640)
    (tmp_path / "dotfiles" / "second name").hardlink_to(kept)
    rc.parent.mkdir(parents=True, exist_ok=True)
    rc.symlink_to(kept)
    before = (snapshot(home.folder), snapshot(kept.parent))
    home.run("install")
    assert rc.is_symlink()
    assert b"ade" in kept.read_bytes()
    assert (tmp_path / "dotfiles" / "second name").samefile(kept)
    home.run("uninstall")
    assert (snapshot(home.folder), snapshot(kept.parent)) == before


def test_a_dangling_symlink_is_served_and_dangles_again(tmp_path: Path) -> None:
    home = Home(tmp_path / "home", "zsh")
    (tmp_path / "dotfiles").mkdir()
    (home.folder / ".zshrc").symlink_to(tmp_path / "dotfiles" / "zshrc")
    home.run("install")
    assert home.found() == str(home.folder / ".local/bin/ade")
    home.run("uninstall")
    assert (home.folder / ".zshrc").is_symlink()
    assert not (home.folder / ".zshrc").exists()


def test_zdotdir_and_xdg_folders_are_honoured(tmp_path: Path) -> None:
    data, config = tmp_path / "data", tmp_path / "config"
    home = Home(tmp_path / "home", "zsh", XDG_DATA_HOME=str(data), XDG_CONFIG_HOME=str(config))
    home.write(".zshenv", b'export ZDOTDIR="$HOME/.zsh files"\n')
    (home.folder / ".zsh files").mkdir()
    before = snapshot(tmp_path)
    home.run("install")
    assert (home.folder / ".zsh files" / ".zshrc").exists(), "zsh itself says where its files are"
    assert (data / "zsh/site-functions/_ade").exists()
    assert (data / "bash-completion/completions/ade").exists()
    assert (config / "fish/completions/ade.fish").exists()
    assert home.found() == str(home.folder / ".local/bin/ade")
    home.run("uninstall")
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("name", ['it\'s "odd" $HOME `id` $(id) \\ back\\slash *star? {a,b} ~', "-dash"])
def test_a_folder_of_any_name(tmp_path: Path, shell: str, name: str) -> None:
    home = Home(tmp_path / "home", shell)
    folder = home.folder / name / "bin"
    home.run("install", "--bin-dir", str(folder))
    assert home.found() == str(folder / "ade")
    home.run("uninstall")
    assert snapshot(home.folder) == {}, "the record says where the launcher went"


def test_a_folder_outside_the_home_and_one_that_path_cannot_hold(tmp_path: Path) -> None:
    home = Home(tmp_path / "home", "bash")
    home.run("install", f"--bin-dir={tmp_path}/out side/bin")
    assert home.found() == f"{tmp_path}/out side/bin/ade"
    assert home.run("install", "--bin-dir", "/a:b", exit_code=2)["error"]["code"] == "invalid_arguments"
    assert home.run("install", "--bin-dir", exit_code=2)["error"]["code"] == "invalid_arguments"
    assert home.run("install", "--shell", "tcsh", exit_code=2)["error"]["code"] == "invalid_arguments"


def test_moving_the_launcher_renews_the_block(tmp_path: Path) -> None:
    home = Home(tmp_path / "home", "bash")
    home.write(".bashrc", b"# mine")
    home.run("install")
    home.run("install", "--bin-dir", str(home.folder / "other"))
    assert home.found() == str(home.folder / "other/ade")
    assert (home.folder / ".bashrc").read_bytes().count(b">>> ade >>>") == 1
    home.run("uninstall")
    assert snapshot(home.folder) == {".bashrc": ("file 0o644", b"# mine")}


# -- what is not ours


def test_fault_42_somebody_elses_ade_is_never_overwritten(tmp_path: Path) -> None:
    home = Home(tmp_path / "home", "bash")
    home.write(".local/bin/ade", b"#!/bin/sh\necho another ade\n")
    before = snapshot(home.folder)
    error = home.run("install", exit_code=5)["error"]
    assert error["code"] == "install_blocked"
    assert str(home.folder / ".local/bin/ade") in error["message"]
    assert snapshot(home.folder) == before, "nothing is installed around it either"
    assert home.steps("uninstall") == {".local/bin/ade": "keep"}
    assert snapshot(home.folder) == before
    (home.folder / ".local/bin/ade").unlink()
    (home.folder / ".local/bin/ade").symlink_to("/usr/bin/env")
    assert home.run("install", exit_code=5)["error"]["code"] == "install_blocked"


def test_this_installations_own_program_on_path_needs_no_launcher(tmp_path: Path) -> None:
    home = Home(tmp_path / "home", "bash")
    (home.folder / ".local/bin").mkdir(parents=True)
    (home.folder / ".local/bin/ade").symlink_to(ADE)
    assert home.steps("install")[".local/bin/ade"] == "keep"
    home.run("uninstall")
    assert (home.folder / ".local/bin/ade").is_symlink()


def test_a_launcher_of_another_installation_is_renewed(tmp_path: Path) -> None:
    home = Home(tmp_path / "home", "bash")
    home.write(".local/bin/ade", launcher.text(Path("/gone/bin/ade")))
    assert home.steps("install")[".local/bin/ade"] == "change"
    assert terminal(home.shell, home.env, "ade --version").startswith("ade ")


def test_somebody_elses_completion_stays_and_is_named(tmp_path: Path) -> None:
    home = Home(tmp_path / "home", "bash")
    mine = home.write(COMPLETIONS["bash"], b"complete -W mine ade\n")
    steps = home.steps("install", exit_code=1)
    assert steps[COMPLETIONS["bash"]] == "blocked"
    assert steps[".local/bin/ade"] == "create", "the rest is done"
    home.run("uninstall")
    assert mine.read_bytes() == b"complete -W mine ade\n"


@pytest.mark.parametrize("damage", [b"# >>> ade >>>\nhalf a block\n", b"# <<< ade <<<\n"])
def test_a_damaged_block_is_not_guessed_at(tmp_path: Path, damage: bytes) -> None:
    home = Home(tmp_path / "home", "bash")
    rc = home.write(".bashrc", damage)
    assert home.steps("install", exit_code=1)[".bashrc"] == "blocked"
    assert home.steps("uninstall", exit_code=1)[".bashrc"] == "blocked"
    assert rc.read_bytes() == damage


def test_something_that_is_no_file_in_an_rc_files_place(tmp_path: Path) -> None:
    home = Home(tmp_path / "home", "bash")
    (home.folder / ".bashrc").mkdir()
    told = home.run("install", exit_code=1)
    blocked = next(item for item in told["items"] if item["action"] == "blocked")
    assert "by hand" in blocked["note"] and ".local/bin" in blocked["note"]


# -- shells


def test_a_login_shell_that_hangs_is_not_waited_for(tmp_path: Path) -> None:
    home = Home(tmp_path / "home", "bash")
    home.write(".profile", b"sleep 600\n")
    steps = home.steps("install")
    assert steps[".bashrc"] == "create", "the block checks PATH itself, so it does no harm"


def test_a_shell_that_is_not_known_gets_the_launcher_and_advice(tmp_path: Path) -> None:
    home = Home(tmp_path / "home", "sh")
    told = home.run("install")
    assert told["shell"] is None
    assert any("on PATH yourself" in note for note in told["notes"])
    assert "rc_file" not in {item["kind"] for item in told["items"]}


def test_another_shell_than_the_login_shell(tmp_path: Path) -> None:
    home = Home(tmp_path / "home", "bash")
    needs("fish")
    steps = home.steps("install", "--shell", "fish")
    assert steps[RC["fish"]] == "create"
    assert RC["bash"] not in steps


def test_completions_are_loaded_by_their_shells(tmp_path: Path) -> None:
    home = Home(tmp_path / "home", "zsh")
    home.write(".zshrc", b"autoload -Uz compinit && compinit -u -D\n")
    home.run("install")
    assert terminal(home.shell, home.env, "print -r -- $_comps[ade]") == "_ade"
    fish = needs("fish")
    home.run("install", "--shell", "fish")  # fish loads no completions of a command it does not find
    try:
        told = terminal(fish, home.env, "complete -C 'ade --'; complete -c ade", login=True)
    finally:
        home.run("runtime", "stop")  # completing started one
    assert "__ade_complete" in told


def test_a_launcher_runs_a_program_of_any_name_with_its_arguments_untouched(tmp_path: Path) -> None:
    program = tmp_path / 'it\'s "odd" $HOME `id`' / "ade"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nprintf '<%s>' \"$@\"\n")
    program.chmod(0o755)
    made = tmp_path / "launcher"
    made.write_bytes(launcher.text(program))
    made.chmod(0o755)
    arguments = ["a b", "", "$x", "'", '"', "*", "-n", "new\nline"]
    done = subprocess.run([str(made), *arguments], capture_output=True, text=True, cwd="/")
    assert done.stdout == "".join(f"<{one}>" for one in arguments)
    assert launcher.program_of(made.read_bytes()) == program
    assert launcher.program_of(b"#!/bin/sh\nexec x\n") is None


def test_help_and_arguments(tmp_path: Path) -> None:
    home = Home(tmp_path / "home", "bash")
    for command in ("install", "uninstall"):
        done = subprocess.run([str(ADE), command, "--help"], env=home.env, capture_output=True, text=True)
        assert done.stdout.startswith(f"Usage: ade {command}")
        assert home.run(command, "--what", exit_code=2)["error"]["code"] == "invalid_arguments"
        assert home.run(command, "what", exit_code=2)["error"]["code"] == "invalid_arguments"
        assert home.run(command, "--dry-run=yes", exit_code=2)["error"]["code"] == "invalid_arguments"
    assert snapshot(home.folder) == {}
