"""A cheap stamp of the code in use, so that a runtime started before a change makes room for a new one.

Standard library only and no imports beyond ``os``: every command computes it. In an installed package files do not change,
so one ``stat`` is enough; in a checkout every module's modification time counts.
"""

import os

PROTOCOL = 1
"""Version of the wire protocol. A client of another build works with a runtime of the same number."""

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120
_ROOT = os.path.dirname(_PACKAGE)  # noqa: PTH120


def stamp() -> "list[int]":
    """``[newest modification in ns, number of files, total size]`` of what the runtime would load."""
    manifest = _ROOT + "/ade_generated/MANIFEST.json"
    if not os.path.exists(_ROOT + "/pyproject.toml"):  # noqa: PTH110
        return _sum([manifest, __file__])
    files = [manifest]
    folders = [_PACKAGE]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    files.append(entry.path)
                elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                    folders.append(entry.path)
    return _sum(files)


def is_newer(theirs: object, mine: "list[int]") -> bool:
    """Whether ``theirs``, as a client sent it, is of later code than ``mine``. Of two builds exactly one is newer, so that
    two clients never replace each other's runtime in turn."""
    if type(theirs) is not list or len(theirs) != 3 or not all(type(part) is int for part in theirs):
        return False
    return theirs > mine


def _sum(files: "list[str]") -> "list[int]":
    newest = count = size = 0
    for file in files:
        try:
            status = os.stat(file)  # noqa: PTH116
        except OSError:
            continue
        newest = max(newest, status.st_mtime_ns)
        count += 1
        size += status.st_size
    return [newest, count, size]
