"""What each shell wants: its rc files, how it adds to PATH, where it looks for completions."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

COMPLETION_MARK = "# Installed by `ade install`; `ade uninstall` removes this file."
_SOURCES = {"bash": "ade.bash", "zsh": "_ade", "fish": "ade.fish"}


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders of one user that matter here, as the environment or the shell itself names them."""

    home: Path
    config: Path
    data: Path
    zsh: Path
    fish: Path
    bash_completion: Path

    @classmethod
    def of(cls, environ: Mapping[str, str], shell_config: Mapping[str, Path] | None = None) -> Folders:
        """``shell_config`` holds, by shell, the folder of rc files that the shell itself named."""
        home = Path(environ.get("HOME") or Path.home())
        config = _absolute(environ, "XDG_CONFIG_HOME", home / ".config")
        data = _absolute(environ, "XDG_DATA_HOME", home / ".local" / "share")
        told = shell_config or {}
        return cls(
            home=home,
            config=config,
            data=data,
            zsh=told.get("zsh") or _absolute(environ, "ZDOTDIR", home),
            fish=told.get("fish") or config / "fish",
            bash_completion=_absolute(environ, "BASH_COMPLETION_USER_DIR", data / "bash-completion"),
        )


def rc_files(shell: str, folders: Folders) -> list[Path]:
    """Every file that may hold a block for ``shell``, whether it is there or not."""
    if shell == "bash":
        return [folders.home / name for name in (".bashrc", ".bash_profile", ".bash_login", ".profile")]
    return [folders.zsh / ".zshrc"] if shell == "zsh" else [folders.fish / "config.fish"]


def terminal_rc(shell: str, folders: Folders) -> Path:
    """The file that a shell in a new terminal window reads."""
    if shell == "bash" and sys.platform == "darwin":  # its terminals start login shells
        return bash_login_rc(folders)
    return rc_files(shell, folders)[0]


def bash_login_rc(folders: Folders) -> Path:
    """The one file that a login bash reads. A first one is created under the name that hides none of the others."""
    for name in (".bash_profile", ".bash_login", ".profile"):
        if (folders.home / name).exists():
            return folders.home / name
    return folders.home / (".bash_profile" if sys.platform == "darwin" else ".profile")


def path_lines(shell: str, folder: Path, home: Path) -> str:
    """Lines that put ``folder`` in front of PATH unless it is there."""
    if shell == "fish":
        word = _word(folder, home, _fish_quote)
        return f"if not contains -- {word} $PATH\n    set -gx PATH {word} $PATH\nend"
    word = _word(folder, home, _posix_quote)
    return f'case ":$PATH:" in\n  *:{word}:*) ;;\n  *) export PATH={word}:"$PATH" ;;\nesac'


def zsh_completion_lines(file: Path, home: Path) -> str:
    """Lines for a zsh that does not look into the folder of ``file`` by itself."""
    word = _word(file, home, _posix_quote)
    return f"if (( $+functions[compdef] )) && [[ -r {word} ]]; then\n  source {word}\nfi"


def completion_file(shell: str, folders: Folders) -> Path:
    """Where ``shell`` looks for (bash, fish) or by convention keeps (zsh) a user's completions."""
    if shell == "bash":
        return folders.bash_completion / "completions" / "ade"
    if shell == "zsh":
        return folders.data / "zsh" / "site-functions" / "_ade"
    return folders.fish / "completions" / "ade.fish"


def completion_text(shell: str) -> bytes:
    """The completion script with a last line that says whose it is; zsh needs the first one."""
    source = (files("ade_generated") / "completions" / _SOURCES[shell]).read_text(encoding="utf-8")
    return f"{source.rstrip()}\n{COMPLETION_MARK}\n".encode()


def is_our_completion(data: bytes) -> bool:
    """Whether a file is a completion script that this command wrote."""
    return data.rstrip().endswith(COMPLETION_MARK.encode())


def _absolute(environ: Mapping[str, str], name: str, default: Path) -> Path:
    value = environ.get(name, "")
    return Path(value) if value.startswith("/") else default


def _word(path: Path, home: Path, quote: Callable[[str], str]) -> str:
    """A path as one word; below the home folder it follows HOME, as an rc file shared by machines needs."""
    if path.is_relative_to(home) and path != home:
        return f'"$HOME"{quote("/" + os.fspath(path.relative_to(home)))}'
    return quote(os.fspath(path))


def _posix_quote(text: str) -> str:
    return "'" + text.replace("'", "'\"'\"'") + "'"


def _fish_quote(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
