"""Actions about managed chats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models import chat as models
from ade_generated.models.types import Chat, ChatApproval, ChatMessage, ChatTool, PromptPart
from ade_generated.providers import PROVIDERS
from ade_runtime.chat import registry
from ade_runtime.chat.records import ChatRecord
from ade_runtime.chat.view import (
    approval_told,
    chat_told,
    entry_told,
    message_told,
    provider_told,
    within,
)
from ade_runtime.paging import cut
from ade_runtime.pipeline.call import About
from ade_runtime.pipeline.identify import higher, may_be
from ade_runtime.pipeline.surroundings import environment_of
from ade_runtime.sessions.records import SessionRecord

if TYPE_CHECKING:
    from datetime import datetime

    from ade_runtime.chat.service import ChatService
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services

TITLE_LENGTH = 80


async def requester(services: Services, call: Call, request: str) -> str | None:
    """The session that asked for an approval."""
    return (await services.chats.approvals.find(request)).session


class ChatHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def create(self, call: Call, args: models.ChatCreateInput) -> Chat:
        entry = registry.provider_entry(args.provider)
        registry.check_mode(entry, args.permission_mode)
        if not may_be(args.role, call.identity):
            reason = f"A chat gets at most the role of who makes it, {call.identity.role}.{higher(args.role, call.identity)}"
            raise errors.PolicyDenied(role=call.identity.role, action=call.action.id, reason=reason)
        lane = await self._services.lanes.resolve(call, args.lane, write=False)
        session = await self._session(call, args, lane)
        now = session.started_at
        draft = ChatRecord(
            session=session.id,
            state="idle",
            title=session.title,
            provider=args.provider,
            model=args.model,
            effort=args.effort,
            permission_mode=args.permission_mode,
            role=args.role,
            project=lane.project.id,
            lane=lane.id,
            created_at=now,
            updated_at=now,
        )
        chat = await self._chats.add(draft, args.prompt, call.identity.key)
        return chat_told(self._note(call, chat), lane.name)

    async def list(self, call: Call, args: models.ChatListInput) -> models.ChatListOutput:
        found = await self._chats.all(project=call.project.id, everything=args.all)
        page, following = cut(found, args.cursor, args.limit, key=lambda chat: chat.session)
        names = await self._services.lanes.names(chat.lane for chat in page)
        items = [chat_told(chat, names.get(chat.lane or "")) for chat in page]
        return models.ChatListOutput(items=items, total=len(found), next=following)

    async def show(self, call: Call, args: models.ChatShowInput) -> Chat:
        return await self._told(await self._meant(call, args.session))

    async def transcript(self, call: Call, args: models.ChatTranscriptInput) -> models.ChatTranscriptOutput:
        chat = await self._meant(call, args.session)
        found, total = await self._chats.entries(
            chat.session, turn=args.turn, after=args.after, limit=args.limit
        )
        shown = within(found, args.max_bytes, newest=args.after is None)
        more = bool(found) and bool(shown) and shown[-1] is not found[-1]
        following = (
            shown[-1].id if shown and (more or len(found) == args.limit) and args.after is not None else None
        )
        return models.ChatTranscriptOutput(
            items=[entry_told(one) for one in shown], total=total, next=following
        )

    async def send(self, call: Call, args: models.ChatSendInput) -> ChatMessage:
        chat = await self._meant(call, args.session)
        message, after = await self._chats.send(
            chat.session,
            args.text,
            steer=args.steer,
            identity=call.identity.key,
            receipt=call.receipt,
            told=message_told,
        )
        return message_told(message, after)

    async def cancel_message(self, call: Call, args: models.ChatCancelMessageInput) -> ChatMessage:
        chat = await self._meant(call, args.session)
        return message_told(await self._chats.take_back(chat.session, args.message), chat)

    async def pause(self, call: Call, args: models.ChatPauseInput) -> Chat:
        chat = await self._meant(call, args.session)
        return await self._told(await self._chats.pause(chat.session))

    async def wait(self, call: Call, args: models.ChatWaitInput) -> Chat:
        chat = await self._meant(call, args.session)
        return await self._told(await self._chats.wait(chat.session, args.seconds))

    async def interrupt(self, call: Call, args: models.ChatInterruptInput) -> Chat:
        chat = await self._meant(call, args.session)
        return await self._told(await self._chats.interrupt(chat.session))

    async def resume(self, call: Call, args: models.ChatResumeInput) -> Chat:
        chat = await self._meant(call, args.session)
        return await self._told(await self._chats.resume(chat.session))

    async def end(self, call: Call, args: models.ChatEndInput) -> Chat:
        chat = await self._meant(call, args.session)
        return await self._told(await self._chats.end(chat.session, args.reason))

    async def archive(self, call: Call, args: models.ChatArchiveInput) -> Chat:
        chat = await self._meant(call, args.session)
        return await self._told(await self._chats.archive(chat.session))

    async def hand_over(self, call: Call, args: models.ChatHandOverInput) -> Chat:
        chat = await self._meant(call, args.session)
        return await self._told(
            await self._chats.hand_over(chat.session, args.provider, args.model, args.effort)
        )

    async def approvals(self, call: Call, args: models.ChatApprovalsInput) -> models.ChatApprovalsOutput:
        if args.session is not None:
            sessions = [(await self._meant(call, args.session)).session]
        else:
            sessions = [
                chat.session for chat in await self._chats.all(project=call.project.id, everything=True)
            ]
        found = await self._chats.approvals.pending(sessions)
        return models.ChatApprovalsOutput(
            items=[approval_told(one) for one in found], total=len(found), next=None
        )

    async def ask(self, call: Call, args: models.ChatAskInput) -> ChatApproval:
        chat = await self._meant(call, args.session)
        details = {} if args.reason is None else {"reason": args.reason}
        record = await self._chats.approvals.request(
            chat.session, tool="permission", summary=args.summary, details=details, call_id=None
        )
        return approval_told(await self._chats.approvals.decision(record.id, args.wait))

    async def approve(self, call: Call, args: models.ChatApproveInput) -> ChatApproval:
        record = await self._chats.approvals.find(args.approval)
        self._note(call, await self._chats.find(record.session))
        return approval_told(
            await self._chats.approvals.decide(
                record.id, allowed=not args.refuse, by=call.identity.key, message=args.message
            )
        )

    async def note(self, call: Call, args: models.ChatNoteInput) -> Chat:
        chat = await self._meant(call, args.session)
        return await self._told(await self._chats.set(chat.session, note=args.text))

    async def settle(self, call: Call, args: models.ChatSettleInput) -> Chat:
        chat = await self._meant(call, args.session)
        return await self._told(
            await self._chats.set(chat.session, outcome=args.outcome, summary=args.summary)
        )

    async def capabilities(
        self, call: Call, args: models.ChatCapabilitiesInput
    ) -> models.ChatCapabilitiesOutput:
        from ade_runtime.machine.tools.detect import detect

        wanted = [registry.provider_entry(args.provider)] if args.provider else list(PROVIDERS.values())
        environ = environment_of(call.identity, call.caller)
        found = await detect(environ, {entry.program for entry in wanted})
        items = [
            provider_told(entry, found.tools[entry.program], await registry.bundled(entry))
            for entry in wanted
        ]
        return models.ChatCapabilitiesOutput(items=items, total=len(items), next=None)

    async def tools(self, call: Call, args: models.ChatToolsInput) -> models.ChatToolsOutput:
        from ade_runtime.tooling.toolbox import Toolbox

        chat = await self._meant(call, args.session)
        found = await Toolbox(self._services, chat.session).tools()
        items = [
            ChatTool(
                name=tool.name, action=tool.action, server=tool.server, always=tool.always, summary=tool.title
            )
            for tool in found
        ]
        return models.ChatToolsOutput(items=items, total=len(items), next=None)

    async def preview_prompt(
        self, call: Call, args: models.ChatPreviewPromptInput
    ) -> models.ChatPreviewPromptOutput:
        from ade_runtime.chat.prompt import BUDGET, system_prompt

        if args.session is not None:
            chat = await self._meant(call, args.session)
        else:
            lane = await self._services.lanes.resolve(call, args.lane, write=False)
            role = args.role or ("orchestrator" if args.mode == "lead" else "agent")
            chat = _unmade(lane, role, self._services.sessions.now())
        if not may_be(chat.role, call.identity):
            reason = f"What a {chat.role} is told is not for role {call.identity.role}.{higher(chat.role, call.identity)}"
            raise errors.PolicyDenied(role=call.identity.role, action=call.action.id, reason=reason)
        prompt = await system_prompt(self._services, chat, args.mode)
        return models.ChatPreviewPromptOutput(
            parts=[
                PromptPart(name=part.name, tokens=part.tokens, omitted=part.omitted, text=part.text)
                for part in prompt.parts
            ],
            text=prompt.text,
            tokens=prompt.tokens,
            budget=BUDGET,
        )

    @property
    def _chats(self) -> ChatService:
        return self._services.chats

    async def _told(self, chat: ChatRecord) -> Chat:
        names = await self._services.lanes.names([chat.lane])
        return chat_told(chat, names.get(chat.lane or ""))

    async def _session(self, call: Call, args: models.ChatCreateInput, lane: LaneRecord) -> SessionRecord:
        """The chat's session. Its token goes to the program when that is started, and to nobody else."""
        title = args.title or (None if args.prompt is None else " ".join(args.prompt.split())[:TITLE_LENGTH])
        draft = SessionRecord(
            id="",
            token_hash="",
            role=args.role,
            kind="chat",
            provider=args.provider,
            title=title,
            project=lane.project.id,
            lane=lane.id,
            run=call.identity.run,
            chat=None,
            parent=call.identity.session,
            interaction_mode=None,
            capability_mode="full_tooling",
            standalone=call.identity.standalone,
            started_at=self._services.sessions.now(),
        )
        record, _ = await self._services.sessions.start(draft, None)
        return record

    async def _meant(self, call: Call, named: str | None) -> ChatRecord:
        session = named or call.identity.session
        if session is None:
            raise errors.SessionRequired(action=call.action.id)
        chat = await self._chats.find(session)
        if call.identity.project is not None and chat.project != call.identity.project:
            raise errors.ChatNotFound(session=session)
        return self._note(call, chat)

    @staticmethod
    def _note(call: Call, chat: ChatRecord) -> ChatRecord:
        call.subject = chat.session
        call.about = About(project=chat.project, lane=chat.lane, session=chat.session)
        return chat


def _unmade(lane: LaneRecord, role: str, now: datetime) -> ChatRecord:
    """A chat as ``chat.create`` would make it, for who only wants to look."""
    return ChatRecord(
        session="",
        state="idle",
        title=None,
        provider="",
        model=None,
        effort=None,
        permission_mode="default",
        role=role,
        project=lane.project.id,
        lane=lane.id,
        created_at=now,
        updated_at=now,
    )
