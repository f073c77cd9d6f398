"""What ``ade install`` and ``ade uninstall`` would do on this machine, worked out before anything is changed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ade_generated import errors
from ade_runtime.machine import login_shell
from ade_runtime.machine.install import launcher, shells
from ade_runtime.machine.install.record import Record
from ade_runtime.machine.install.shells import Folders
from ade_runtime.machine.install.steps import Step, block_in, displace, place, put_block, take_block
from ade_runtime.machine.login_shell import KNOWN_SHELLS, ShellAnswer, ShellSilentError


@dataclass(slots=True)
class Plan:
    """The steps in the order they are taken. ``shell`` is the shell whose rc file counts, ``None`` for one that is not known;
    ``notes`` is what the user should know besides.
    """

    bin_dir: Path
    shell: str | None
    answered: bool = False
    """Whether the shell said what its PATH is."""
    steps: list[Step] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


async def plan_install(
    environ: Mapping[str, str], *, program: Path, bin_dir: Path | None, shell: str | None
) -> Plan:
    """Everything an installation needs. Raises ``install_blocked`` where somebody else's ``ade`` is in the launcher's place."""
    home = Folders.of(environ).home
    plan = Plan(bin_dir or launcher.default_folder(home), shell or _login_shell_name(environ))
    plan.steps.append(_launcher(plan.bin_dir, program))
    answers = await _ask(plan.shell, environ)
    plan.answered = bool(answers)
    if plan.shell and not answers:
        plan.notes.append(
            f"{plan.shell} did not tell its PATH, so it is taken to lack the folder; the block checks."
        )
    told = {plan.shell: config} if plan.shell and (config := _config(answers)) else {}
    folders = Folders.of(environ, told)
    for kind in KNOWN_SHELLS:
        if kind == plan.shell or shutil.which(kind):
            file = shells.completion_file(kind, folders)
            plan.steps.append(
                place("completion", file, shells.completion_text(kind), shells.is_our_completion)
            )
    if plan.shell is None:
        plan.notes.append(
            f"Your shell is none of {', '.join(KNOWN_SHELLS)}: put {plan.bin_dir} on PATH yourself."
        )
        return plan
    plan.steps += _rc_steps(plan, plan.shell, folders, answers)
    return plan


def plan_uninstall(environ: Mapping[str, str], record: Record, *, bin_dir: Path | None) -> Plan:
    """Everything of ours that can be found: where an installation would put it now, and where the record says it went."""
    folders = Folders.of(environ)
    plan = Plan(bin_dir or launcher.default_folder(folders.home), None)
    rc_files = [file for kind in KNOWN_SHELLS for file in shells.rc_files(kind, folders)]
    for file in _each(rc_files, record.rc_files):
        plan.steps += _present(take_block(file))
    for file in _each([shells.completion_file(kind, folders) for kind in KNOWN_SHELLS], record.completions):
        plan.steps += _present(displace("completion", file, shells.is_our_completion))
    for file in _each([plan.bin_dir / launcher.NAME], record.launchers):
        plan.steps += _present(displace("launcher", file, launcher.is_ours))
    return plan


def _launcher(bin_dir: Path, program: Path) -> Step:
    file = bin_dir / launcher.NAME
    if file.exists() and file.samefile(program):
        return Step("launcher", file, "keep", "This installation's own program is there already.")
    step = place("launcher", file, launcher.text(program), launcher.is_ours, launcher.MODE)
    if step.action == "blocked":
        raise errors.InstallBlocked(path=str(file), reason=step.note.rstrip("."))
    return step


def _login_shell_name(environ: Mapping[str, str]) -> str | None:
    shell = login_shell.user_shell(environ)
    return shell.name if shell is not None and shell.name in KNOWN_SHELLS else None


async def _ask(shell: str | None, environ: Mapping[str, str]) -> dict[bool, ShellAnswer]:
    """What the shell says when started as a login shell (``True``) and, for bash, which then reads other files, as a plain
    terminal's (``False``). Empty where it does not answer: then everything is put in place, guarded by the block itself.
    """
    if shell is None:
        return {}
    users = login_shell.user_shell(environ)
    named = str(users) if users is not None and users.name == shell else shutil.which(shell)
    if named is None:
        return {}
    answers = {}
    for login in (True, False) if shell == "bash" else (True,):
        try:
            answers[login] = await login_shell.ask(Path(named), environ, login=login)
        except ShellSilentError:
            return {}
    return answers


def _config(answers: Mapping[bool, ShellAnswer]) -> Path | None:
    return next((answer.config for answer in answers.values() if answer.config), None)


def _rc_steps(
    plan: Plan, shell: str, folders: Folders, answers: Mapping[bool, ShellAnswer]
) -> Iterator[Step]:
    """Blocks for the rc files that need one, and for those that have one."""
    wanted = _files_without_path(shell, folders, [plan.bin_dir in one.path for one in answers.values()])
    completion = ""
    if shell == "zsh":
        file = shells.completion_file("zsh", folders)
        if not any(file.parent in answer.functions for answer in answers.values()):
            completion = shells.zsh_completion_lines(file, folders.home)
    path = shells.path_lines(shell, plan.bin_dir, folders.home)
    blocks = {file: block_in(file) for file in shells.rc_files(shell, folders)}
    kept = [file for file, block in blocks.items() if block is not None]
    for file in _each(wanted, kept, [shells.terminal_rc(shell, folders)] if completion else []):
        needs_path = file in wanted or b"PATH" in (blocks.get(file) or b"")
        lines = "\n".join(part for part in (path if needs_path else "", completion) if part)
        if lines:
            yield put_block(file, lines)
        else:
            yield from _present(take_block(file))
    if not wanted and not any(b"PATH" in (block or b"") for block in blocks.values()):
        plan.notes.append(f"{plan.bin_dir} is on the PATH of {shell} already.")


def _files_without_path(shell: str, folders: Folders, reached: list[bool]) -> list[Path]:
    """The rc files that PATH has to be added to. ``reached`` says of each way the shell was started whether PATH held the
    folder, a login shell first; it is empty where the shell did not answer.
    """
    wanted = []
    if not any(reached):  # a terminal inherits what the login shell had, so either will do
        wanted.append(shells.terminal_rc(shell, folders))
    if shell == "bash" and not (reached and reached[0]):
        login_rc = shells.bash_login_rc(folders)
        if login_rc not in wanted and not _reads_bashrc(login_rc):
            wanted.append(login_rc)
    return wanted


def _reads_bashrc(login_rc: Path) -> bool:
    """Whether a login shell's file hands over to ~/.bashrc, as most systems' own files do."""
    try:
        return b"bashrc" in login_rc.read_bytes()
    except OSError:
        return False


def _present(step: Step | None) -> list[Step]:
    return [] if step is None else [step]


def _each(*groups: list[Path]) -> list[Path]:
    """Every file once, also where two names lead to it."""
    found: dict[str, Path] = {}
    for path in (path for group in groups for path in group):
        found.setdefault(os.path.realpath(path), path)
    return list(found.values())
