"""Names of branches, tags, remotes and revisions: refused before git sees them, resolved to object ids
before use.

Rules of :manpage:`git-check-ref-format(1)`, and those git does not make: a name that git would read as an
option, a pseudo-ref or an object id, or that cannot be told from another on some file system, is no name
for a branch.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable

from ade_runtime.integrations.git.failures import BadName, BadRevision, GitError, NoCommits
from ade_runtime.integrations.git.runner import Git

NAME_LIMIT = 240
"""Bytes; a ref is a file and its lock has five more characters, of 255 that file systems allow."""
REVISION_LIMIT = 500
CANDIDATES = 10
ZERO = "0" * 40

_PSEUDO_REFS = frozenset(
    ["HEAD", "FETCH_HEAD", "ORIG_HEAD", "MERGE_HEAD", "AUTO_MERGE", "REBASE_HEAD", "BISECT_HEAD"]
)
_FORBIDDEN = frozenset(" ~^:?*[\\")
_OBJECT_ID = re.compile(r"[0-9a-fA-F]{40}([0-9a-fA-F]{24})?")
_ABBREVIATION = re.compile(r"[0-9a-fA-F]{4,64}")
_REVISION = re.compile(r"[^\x00-\x20\x7f:?*\[\\]+")
_STEPS = re.compile(r"(\^\{[a-z]*\}|\^[0-9]*|~[0-9]*)*")


def check_branch(name: str) -> str:
    """``name`` if a branch can be called so; raises :class:`BadName` with the reason."""
    _check_name("branch", name)
    if name.startswith("refs/"):
        raise BadName(kind="branch", name=name, why="it is a full ref; give the part after refs/heads/")
    return name


def check_tag(name: str) -> str:
    """``name`` if a tag can be called so; raises :class:`BadName`."""
    _check_name("tag", name)
    return name


def check_remote(name: str) -> str:
    """``name`` if it can be that of a configured remote: never an address, never an option."""
    if "://" in name or name.startswith(("/", ".", "~")) or ":" in name:
        raise BadName(kind="remote", name=name, why="it is an address; name a remote that the repository has")
    _check_name("remote", name)
    return name


def check_revision(text: str) -> str:
    """``text`` if it is written as one revision: a name or object id, with ``~2``, ``^`` or ``@{1}`` behind
    it. Ranges, searches (``:/``, ``^{/``) and paths (``rev:path``) are refused."""

    def refuse(why: str) -> BadName:
        return BadName(kind="revision", name=text, why=why)

    if not text:
        raise refuse("it is empty")
    if text.startswith("-"):
        raise refuse("it begins with a dash, which git reads as an option")
    if text.startswith("^"):
        raise refuse("it begins with ^, which excludes")
    if len(text.encode("utf-8", "surrogatepass")) > REVISION_LIMIT:
        raise refuse("it is too long")
    if "^{/" in text or ":" in text:
        raise refuse("it is a search or a path, not a commit")
    if ".." in text:
        raise refuse("it is a range")
    if not _REVISION.fullmatch(text):
        raise refuse("it holds characters that no revision has")
    name, at, selector = text.partition("@{")
    if not at:
        name = re.split(r"[\^~]", text, maxsplit=1)[0]
        if not _STEPS.fullmatch(text[len(name) :]):
            raise refuse("what follows the name is not ~N, ^N or ^{type}")
    elif not re.fullmatch(r"(-?[0-9]{1,9}|u|upstream|push)\}(\^\{[a-z]*\}|\^[0-9]*|~[0-9]*)*", selector):
        raise refuse("what stands in @{} is not a number, upstream or push")
    return text


async def resolve_commit(git: Git, text: str) -> str:
    """Full id of the commit that ``text`` names. Raises :class:`BadName`, :class:`NoCommits` or
    :class:`BadRevision` (with candidates: commits for an ambiguous abbreviation, similar branch and tag
    names otherwise)."""
    check_revision(text)
    found = await _parse(git, text + "^{commit}")
    if found is not None:
        return found
    if text in ("HEAD", "@") and await head(git) is None:
        raise NoCommits(command="rev-parse", code=1, stderr="there is no commit yet")
    raise BadRevision(
        command="rev-parse",
        code=1,
        stderr="no such commit",
        revision=text,
        candidates=await _candidates(git, text),
    )


async def resolve_ref(git: Git, ref: str) -> str | None:
    """Object id of a full ref name, ``None`` when there is none. ``ref`` is made by the caller from a
    checked name."""
    return await _parse(git, ref)


async def head(git: Git) -> str | None:
    """Id of the commit checked out, ``None`` before the first one."""
    return await _parse(git, "HEAD^{commit}")


async def current_branch(git: Git) -> str | None:
    """Short name of the branch checked out (also one without commits), ``None`` when HEAD is detached."""
    result = await git.read("symbolic-ref", "--quiet", "HEAD", ok=(0, 1))
    name = result.text
    return name.removeprefix("refs/heads/") if result.code == 0 and name.startswith("refs/heads/") else None


def clash(name: str, existing: Iterable[str]) -> str | None:
    """The branch of ``existing`` that ``name`` cannot stand beside: the same name, the same but for case or
    Unicode form (one file on some systems), or a folder where the other is a file."""
    key = _key(name)
    for other in existing:
        other_key = _key(other)
        if key == other_key or key.startswith(other_key + "/") or other_key.startswith(key + "/"):
            return other
    return None


async def branch_names(git: Git) -> list[str]:
    """Short names of all local branches."""
    result = await git.read("for-each-ref", "--format=%(refname)", "refs/heads")
    return [line.removeprefix("refs/heads/") for line in result.lines]


async def remote_names(git: Git) -> list[str]:
    """Names of the configured remotes."""
    return (await git.read("remote")).lines


def _check_name(kind: str, name: str) -> None:
    why = _why_not(name)
    if why is not None:
        raise BadName(kind=kind, name=name, why=why)


def _why_not(name: str) -> str | None:
    if not name:
        return "it is empty"
    if name.startswith("-"):
        return "it begins with a dash, which git reads as an option"
    try:
        if len(name.encode("utf-8")) > NAME_LIMIT:
            return f"it is longer than {NAME_LIMIT} bytes"
    except UnicodeEncodeError:
        return "it is not valid Unicode"
    for character in name:
        if character in _FORBIDDEN:
            return f"it holds {'a space' if character == ' ' else character}"
        if (
            unicodedata.category(character) in ("Cc", "Zl", "Zp")
            or unicodedata.bidirectional(character) in _OVERRIDES
        ):
            return f"it holds the invisible character U+{ord(character):04X}"
    if name == "@" or "@{" in name:
        return "git reads @ as something else"
    if ".." in name or name.endswith("."):
        return "it holds two dots in a row or ends with one"
    if name.upper() in _PSEUDO_REFS or name.endswith("_HEAD"):
        return "git uses that name itself"
    if _OBJECT_ID.fullmatch(name):
        return "it looks like an object id"
    return _bad_part(name)


_OVERRIDES = frozenset(["LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"])


def _bad_part(name: str) -> str | None:
    for part in name.split("/"):
        if not part:
            return "it has an empty part between slashes"
        if part.startswith("."):
            return "a part of it begins with a dot"
        if part.casefold().endswith(".lock"):
            return "a part of it ends with .lock"
    return None


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


async def _parse(git: Git, expression: str) -> str | None:
    result = await git.read("rev-parse", "--verify", "--quiet", "--end-of-options", expression, check=False)
    return result.text if result.code == 0 and _OBJECT_ID.fullmatch(result.text) else None


async def _candidates(git: Git, text: str) -> list[str]:
    try:
        if _ABBREVIATION.fullmatch(text):
            found = (await git.read("rev-parse", f"--disambiguate={text}", check=False)).lines
            if len(found) > 1:
                return await _commits_of(git, found[: CANDIDATES * 10])
        names = (await git.read("for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags")).lines
    except GitError:
        return []
    return difflib.get_close_matches(text, names, CANDIDATES)


async def _commits_of(git: Git, objects: list[str]) -> list[str]:
    listed = "\n".join(objects).encode() + b"\n"
    result = await git.read("cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=listed)
    return [line.split()[0] for line in result.lines if line.endswith((" commit", " tag"))][:CANDIDATES]
