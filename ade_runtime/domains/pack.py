"""Packs: added, reviewed, trusted and removed by the owner."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_generated.models import pack as models
from ade_generated.models.types import PackAction, PackFile, PackView
from ade_runtime.packs.compiler import compile_pack
from ade_runtime.packs.records import Known
from ade_runtime.packs.telling import reference
from ade_runtime.pipeline.visibility import in_own_shell
from ade_runtime.workspace.threads import in_thread

if TYPE_CHECKING:
    from ade_runtime.packs.service import Packs
    from ade_runtime.packs.sources import Source
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services


class PackHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def add(self, call: Call, args: models.PackAddInput) -> PackView:
        self._require_owner(call)
        if args.package is not None:
            known = Known(
                name=args.package, kind="package", root="", project=None, hash=None, trusted_at=None
            )
            source = await in_thread(lambda: self._packs.read(known))
            known = replace(known, root=str(source.root))
        else:
            project = await self._services.projects.meant(call, None)
            known = Known(
                name=args.name or project.name,
                kind="project",
                root=str(project.root),
                project=project.id,
                hash=None,
                trusted_at=None,
            )
            source = await in_thread(lambda: self._packs.read(known))
        await in_thread(lambda: self._packs.add(known))
        return await self._view(self._packs.find(known.name), source)

    async def list(self, call: Call, args: models.PackListInput) -> models.PackListOutput:
        self._services.pipeline.renew()
        packs = self._packs.store.known()
        items = [await self._view(known, await self._read(known)) for known in packs]
        return models.PackListOutput(items=items, total=len(items), next=None)

    async def show(self, call: Call, args: models.PackShowInput) -> models.PackShowOutput:
        known = self._packs.find(args.name)
        source = await in_thread(lambda: self._packs.read(known))
        compiled = await self._compiled(source)
        view = await self._view(known, source)
        files = [
            PackFile(path=file.path, sha256=file.sha256, bytes=len(file.data))
            for file in (*source.specs, *source.files)
        ]
        actions = [_action(action, dict(source.handlers)) for action in _actions(compiled)]
        return models.PackShowOutput(**{**dict(view), "files": files[:MOST_SHOWN], "actions": actions})

    async def docs(self, call: Call, args: models.PackDocsInput) -> models.PackDocsOutput:
        known = self._packs.find(args.name)
        source = await in_thread(lambda: self._packs.read(known))
        compiled = await self._compiled(source)
        view = await self._view(known, source)
        text = reference(known, [domain["reference"] for domain in compiled["domains"]])
        return models.PackDocsOutput(
            name=known.name, state=view.state, text=text[:MOST_TEXT], truncated=len(text) > MOST_TEXT
        )

    async def trust(self, call: Call, args: models.PackTrustInput) -> PackView:
        self._require_owner(call)
        known = self._packs.find(args.name)
        source = await in_thread(lambda: self._packs.read(known))
        if source.hash != args.hash:
            raise errors.PackHashDiffers(pack=known.name, hash=args.hash, current=source.hash)
        compiled = await self._compiled(source)
        now = self._services.clock.now().isoformat(timespec="microseconds")
        await in_thread(lambda: self._packs.store.keep(source, compiled))
        await in_thread(lambda: self._packs.trust(known.name, source.hash, now))
        self._services.pipeline.renew()
        if self._packs.states.get(known.name) == "conflict":
            await in_thread(lambda: self._packs.distrust(known.name))
            self._services.pipeline.renew()
            raise errors.PackNameTaken(pack=known.name, origin="another pack")
        return await self._view(self._packs.find(known.name), source)

    async def remove(self, call: Call, args: models.PackRemoveInput) -> models.PackRemoveOutput:
        self._require_owner(call)
        known = self._packs.find(args.name)
        await in_thread(lambda: self._packs.remove(known.name))
        self._services.pipeline.renew()
        return models.PackRemoveOutput(name=known.name, removed=True)

    @property
    def _packs(self) -> Packs:
        return self._services.packs

    def _require_owner(self, call: Call) -> None:
        """What an agent could trust is what it could write."""
        identity = call.identity
        if not in_own_shell(identity) or identity.source != "owner":
            reason = "Only the owner in person may, in a shell outside of every session; ask them to."
            raise errors.PolicyDenied(role=identity.role, action=call.action.id, reason=reason)

    async def _read(self, known: Known) -> Source | None:
        try:
            return await in_thread(lambda: self._packs.read(known))
        except errors.PackUnreadable:
            return None

    async def _compiled(self, source: Source) -> dict[str, Any]:
        """What is trusted already was compiled then; what was changed since is compiled now, and not kept."""
        kept = self._packs.store.compiled(source.hash)
        return await compile_pack(source) if kept is None else kept

    async def _view(self, known: Known, source: Source | None) -> PackView:
        same = source is not None and source.hash == known.hash
        if same != (self._packs.states.get(known.name) in ("trusted", "conflict")):
            self._packs.look_again()
        self._services.pipeline.renew()
        entries = [entry.id for entry in self._packs.entries.values() if entry.pack.name == known.name]
        return PackView(
            name=known.name,
            kind=known.kind,
            project=known.project,
            root=known.root,
            state=self._packs.states.get(known.name, "untrusted"),
            hash=None if source is None else source.hash,
            trusted_hash=known.hash,
            actions=sorted(entries),
        )


MOST_SHOWN = 500
MOST_TEXT = 2**20


def _actions(compiled: dict[str, Any]) -> list[dict[str, Any]]:
    return [action for domain in compiled["domains"] for action in domain["actions"]]


def _action(action: dict[str, Any], handlers: dict[str, str]) -> PackAction:
    run = action["run"]
    if run is None:
        runs = f"{handlers[action['id'].partition('.')[0]]}.{action['method']}"
    else:
        words = (
            f"[{' '.join(map(_shown, item))}]" if len(item) > 1 else _shown(item[0]) for item in run["argv"]
        )
        runs = " ".join(words)
    return PackAction(
        id=action["id"],
        summary=action["summary"],
        effect=action["effect"],
        min_role=action["min_role"],
        command=f"ade {' '.join(action['cli'])}",
        runs=runs,
        environment=[] if run is None else run["environment"],
    )


def _shown(word: str) -> str:
    """A word of a command so that a reader sees where it begins and ends."""
    return word if word and not set(word) - SAFE else repr(word)


SAFE = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-+:=@%{},")
