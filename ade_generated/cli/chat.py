"""Commands of the chats group. Generated from specs/domains/chat.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam, RuleInfo


def chat_approvals() -> ActionCommand:
    return ActionCommand(
        "approvals",
        group="chats",
        action="chat.approvals",
        tool="chat_approvals",
        effect="read",
        scope="project",
        aliases=(),
        summary="List what agents want to do and wait for permission to do.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="TEXT",
                help="Only those of one chat.",
                limits="text, 1 to 60 characters",
                complete="chats",
            ),
        ),
        rules=(),
        errors=(ErrorInfo(code="chat_not_found", exit=4, summary="No such chat."),),
        examples=(
            ExampleInfo(
                title="Nothing to decide",
                line="ade chats approvals",
                error=None,
            ),
            ExampleInfo(
                title="A chat nobody made",
                line="ade chats approvals --session ses_nobody",
                error="chat_not_found",
            ),
        ),
        skeleton={"session": ""},
    )


def chat_approve() -> ActionCommand:
    return ActionCommand(
        "approve",
        group="chats",
        action="chat.approve",
        tool="approve_tool_use",
        effect="write",
        scope="project",
        aliases=(),
        summary="Allow what an agent asked for, or refuse it.",
        description="The first decision counts. Nobody decides on what their own session asked for.",
        guidance="",
        fields=(
            FieldParam(
                field="approval",
                kind="text",
                flags=("--approval",),
                metavar="APPROVAL",
                help="Id of the approval.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="refuse",
                kind="boolean",
                flags=("--refuse",),
                metavar="BOOLEAN",
                help="Refuse it.",
                limits="true or false; default false",
                off_flag="--no-refuse",
            ),
            FieldParam(
                field="message",
                kind="text",
                flags=("--message",),
                metavar="TEXT",
                help="What the agent is told.",
                limits="text, 1 to 2000 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="approval_not_found", exit=4, summary="Nobody asked for such an approval."),
            ErrorInfo(code="approval_decided", exit=5, summary="Somebody decided already."),
        ),
        examples=(
            ExampleInfo(
                title="A request that is granted",
                line="ade chats approve APPROVAL --message 'Make a backup first.' --role cto",
                error=None,
            ),
            ExampleInfo(
                title="An approval nobody asked for",
                line="ade chats approve apr_none --role cto",
                error="approval_not_found",
            ),
        ),
        skeleton={"approval": "", "refuse": False, "message": ""},
    )


def chat_archive() -> ActionCommand:
    return ActionCommand(
        "archive",
        group="chats",
        action="chat.archive",
        tool="chat_archive",
        effect="write",
        scope="project",
        aliases=(),
        summary="Put an ended chat away; its transcript stays.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="SESSION",
                help="Id of the chat, which is that of its session.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="chats",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="chat_not_found", exit=4, summary="No such chat."),
            ErrorInfo(code="chat_not_ended", exit=5, summary="The chat is not over."),
        ),
        examples=(
            ExampleInfo(
                title="A chat that is over",
                line="ade chats archive CHAT --role cto",
                error=None,
            ),
            ExampleInfo(
                title="A chat that is not",
                line="ade chats archive CHAT --role cto",
                error="chat_not_ended",
            ),
        ),
        skeleton={"session": ""},
    )


def chat_ask() -> ActionCommand:
    return ActionCommand(
        "ask",
        group="chats",
        action="chat.ask",
        tool="chat_ask",
        effect="write",
        scope="project",
        aliases=(),
        summary="Ask the user for permission to do something that your role or your task does not cover.",
        description="Without waiting it answers at once; `ade chats approvals` then lists it until somebody decides. The same question asked again while nobody has decided is the same approval.",
        guidance="",
        fields=(
            FieldParam(
                field="summary",
                kind="text",
                flags=("--summary",),
                metavar="SUMMARY",
                help="What you want to do.",
                limits="text, 1 to 300 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="reason",
                kind="text",
                flags=("--reason",),
                metavar="TEXT",
                help="Why, and what happens otherwise.",
                limits="text, 1 to 4000 characters",
            ),
            FieldParam(
                field="wait",
                kind="duration",
                flags=("--wait",),
                metavar="DURATION",
                help="Seconds to wait for a decision.",
                limits="such as 90s, 12m or 2h30m, 0s to 10m; default 0s",
            ),
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="TEXT",
                help="Id of the chat, which is that of its session; default is your own.",
                limits="text, 1 to 60 characters",
                complete="chats",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="chat_not_found", exit=4, summary="No such chat."),
            ErrorInfo(code="chat_ended", exit=5, summary="The chat is over."),
            ErrorInfo(
                code="session_required",
                exit=2,
                summary="The action works on a session, none was named, and the caller is in none.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="Something that a person should decide",
                line="ade chats ask 'Delete the old table' --reason 'Nothing reads it any more.' --session CHAT",
                error=None,
            ),
            ExampleInfo(
                title="A chat nobody made",
                line="ade chats ask 'Delete the old table' --session ses_nobody",
                error="chat_not_found",
            ),
        ),
        skeleton={"summary": "", "reason": "", "wait": 0, "session": ""},
    )


def chat_cancel_message() -> ActionCommand:
    return ActionCommand(
        "cancel-message",
        group="chats",
        action="chat.cancel_message",
        tool="chat_cancel_message",
        effect="write",
        scope="project",
        aliases=(),
        summary="Take back a message that was not said yet.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="SESSION",
                help="Id of the chat, which is that of its session.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="chats",
            ),
            FieldParam(
                field="message",
                kind="text",
                flags=("--message",),
                metavar="MESSAGE",
                help="Id of the message.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="chat_not_found", exit=4, summary="No such chat."),
            ErrorInfo(code="message_not_found", exit=4, summary="No such message."),
            ErrorInfo(code="message_delivered", exit=5, summary="The message was said already."),
        ),
        examples=(
            ExampleInfo(
                title="A message that still waits",
                line="ade chats cancel-message CHAT MESSAGE --role cto",
                error=None,
            ),
            ExampleInfo(
                title="A message nobody gave",
                line="ade chats cancel-message CHAT msg_none --role cto",
                error="message_not_found",
            ),
        ),
        skeleton={"session": "", "message": ""},
    )


def chat_capabilities() -> ActionCommand:
    return ActionCommand(
        "capabilities",
        group="chats",
        action="chat.capabilities",
        tool="chat_capabilities",
        effect="read",
        scope="machine",
        aliases=(),
        summary="List the agent programs that chats can be held with, and what each can do here.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="provider",
                kind="text",
                flags=("--provider",),
                metavar="PROVIDER",
                help="Only this one.",
                limits="text, 1 to 40 characters",
                positional=True,
            ),
        ),
        rules=(),
        errors=(ErrorInfo(code="unknown_provider", exit=4, summary="No such provider."),),
        examples=(
            ExampleInfo(
                title="One provider",
                line="ade chats capabilities claude",
                error=None,
            ),
            ExampleInfo(
                title="A provider that does not exist",
                line="ade chats capabilities clod",
                error="unknown_provider",
            ),
        ),
        skeleton={"provider": ""},
    )


def chat_create() -> ActionCommand:
    return ActionCommand(
        "create",
        group="chats",
        action="chat.create",
        tool="chat_create",
        effect="write",
        scope="project",
        aliases=(),
        summary="Make a managed chat with an agent program in a lane.",
        description="ADE runs the program, hands it ADE's tools, and keeps the transcript. It starts with its first message. For an agent that you want to see and answer in a terminal, use `ade agents spawn`.",
        guidance="A managed chat is a second agent with its own context; give it its own lane and a whole task.",
        fields=(
            FieldParam(
                field="prompt",
                kind="text",
                flags=("--prompt",),
                metavar="PROMPT",
                help="First message; without it the chat waits for one.",
                limits="text, 1 to 100000 characters",
                positional=True,
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane it works in; default is your own, else the primary one.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="provider",
                kind="text",
                flags=("-p", "--provider"),
                metavar="TEXT",
                help="Agent program, as `ade chats capabilities` lists them.",
                limits="text, 1 to 40 characters; default claude",
            ),
            FieldParam(
                field="model",
                kind="text",
                flags=("-m", "--model"),
                metavar="TEXT",
                help="Model to use; default is the program's own.",
                limits="text, 1 to 100 characters, matching ^[^\\x00-\\x1f\\x7f-\\x9f]+$",
            ),
            FieldParam(
                field="effort",
                kind="text",
                flags=("--effort",),
                metavar="TEXT",
                help="How long its model thinks, in the program's words.",
                limits="text, 1 to 40 characters, matching ^[^\\x00-\\x1f\\x7f-\\x9f]+$",
            ),
            FieldParam(
                field="permission_mode",
                kind="text",
                flags=("--permission-mode",),
                metavar="TEXT",
                help="How much the agent may do unasked. default: what the program allows by itself; auto: what its own judge allows; plan: nothing but reading; edit: edits in its lane; full-auto: everything.",
                limits="one of default, auto, plan, edit, full-auto; default default",
                choices=("default", "auto", "plan", "edit", "full-auto"),
            ),
            FieldParam(
                field="title",
                kind="text",
                flags=("--title",),
                metavar="TEXT",
                help="What it is about, in one line; default is the beginning of the prompt.",
                limits="text, 1 to 200 characters, matching ^[^\\x00-\\x1f\\x7f-\\x9f]+$",
            ),
            FieldParam(
                field="role",
                kind="text",
                flags=("--chat-role",),
                metavar="TEXT",
                help="Role of its session, at most your own.",
                limits="one of external, evaluator, agent, orchestrator, cto; default agent",
                choices=("external", "evaluator", "agent", "orchestrator", "cto"),
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(code="unknown_provider", exit=4, summary="No such provider."),
            ErrorInfo(
                code="unsupported_mode", exit=2, summary="The provider cannot hold the permission mode."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A chat that waits for its first message",
                line="ade chats create --lane fix-login --provider claude --title 'Fix the login' --role cto",
                error=None,
            ),
            ExampleInfo(
                title="A provider that does not exist",
                line="ade chats create --lane fix-login --provider clod --role cto",
                error="unknown_provider",
            ),
        ),
        skeleton={
            "prompt": "",
            "lane": "",
            "provider": "claude",
            "model": "",
            "effort": "",
            "permission_mode": "default",
            "title": "",
            "role": "agent",
        },
    )


def chat_end() -> ActionCommand:
    return ActionCommand(
        "end",
        group="chats",
        action="chat.end",
        tool="end_chat",
        effect="write",
        scope="project",
        aliases=(),
        summary="End a chat for good; its program stops and its session's token is refused.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="SESSION",
                help="Id of the chat, which is that of its session; default is your own.",
                limits="text, 1 to 60 characters",
                positional=True,
                complete="chats",
            ),
            FieldParam(
                field="reason",
                kind="text",
                flags=("--reason",),
                metavar="TEXT",
                help="Why.",
                limits="text, 1 to 200 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="chat_not_found", exit=4, summary="No such chat."),
            ErrorInfo(
                code="session_required",
                exit=2,
                summary="The action works on a session, none was named, and the caller is in none.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A chat that is over",
                line="ade chats end CHAT --reason done --role cto",
                error=None,
            ),
        ),
        skeleton={"session": "", "reason": ""},
    )


def chat_hand_over() -> ActionCommand:
    return ActionCommand(
        "hand-over",
        group="chats",
        action="chat.hand_over",
        tool="chat_hand_over",
        effect="write",
        scope="project",
        aliases=(),
        summary="Go on with a chat in another agent program or model; the new one is told what was said.",
        description="A chat of the CTO first saves what it must not forget, for two minutes at most.",
        guidance="",
        fields=(
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="SESSION",
                help="Id of the chat, which is that of its session.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="chats",
            ),
            FieldParam(
                field="provider",
                kind="text",
                flags=("-p", "--provider"),
                metavar="TEXT",
                help="Agent program to go on with.",
                limits="text, 1 to 40 characters",
                required=True,
            ),
            FieldParam(
                field="model",
                kind="text",
                flags=("-m", "--model"),
                metavar="TEXT",
                help="Model to use, as the program names it.",
                limits="text, 1 to 100 characters, matching ^[^\\x00-\\x1f\\x7f-\\x9f]+$",
            ),
            FieldParam(
                field="effort",
                kind="text",
                flags=("--effort",),
                metavar="TEXT",
                help="How long its model thinks, in the program's words.",
                limits="text, 1 to 40 characters, matching ^[^\\x00-\\x1f\\x7f-\\x9f]+$",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="chat_not_found", exit=4, summary="No such chat."),
            ErrorInfo(code="chat_ended", exit=5, summary="The chat is over."),
            ErrorInfo(code="chat_busy", exit=5, summary="A turn of the chat runs."),
            ErrorInfo(code="unknown_provider", exit=4, summary="No such provider."),
            ErrorInfo(
                code="unsupported_mode", exit=2, summary="The provider cannot hold the permission mode."
            ),
            ErrorInfo(
                code="chat_program_missing",
                exit=7,
                summary="The agent program that the chat is to go on with is not installed; the chat stays where it is.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="Another model",
                line="ade chats hand-over CHAT --provider claude --model opus --role cto",
                error=None,
            ),
            ExampleInfo(
                title="A provider that does not exist",
                line="ade chats hand-over CHAT --provider clod --role cto",
                error="unknown_provider",
            ),
        ),
        skeleton={"session": "", "provider": "", "model": "", "effort": ""},
    )


def chat_interrupt() -> ActionCommand:
    return ActionCommand(
        "interrupt",
        group="chats",
        action="chat.interrupt",
        tool="interrupt_chat",
        effect="write",
        scope="project",
        aliases=(),
        summary="End the running turn of a chat now.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="SESSION",
                help="Id of the chat, which is that of its session.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="chats",
            ),
        ),
        rules=(),
        errors=(ErrorInfo(code="chat_not_found", exit=4, summary="No such chat."),),
        examples=(
            ExampleInfo(
                title="A chat in which no turn runs stays as it is",
                line="ade chats interrupt CHAT --role cto",
                error=None,
            ),
        ),
        skeleton={"session": ""},
    )


def chat_list() -> ActionCommand:
    return ActionCommand(
        "list",
        group="chats",
        action="chat.list",
        tool="chat_list",
        effect="read",
        scope="project",
        aliases=(),
        summary="List chats, the one where something happened last first.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="all",
                kind="boolean",
                flags=("--all",),
                metavar="BOOLEAN",
                help="List those that ended or were put away, too.",
                limits="true or false; default false",
                off_flag="--no-all",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many to return at most.",
                limits="an integer, 1 to 500; default 50",
            ),
            FieldParam(
                field="cursor",
                kind="text",
                flags=("--cursor",),
                metavar="TEXT",
                help="Where to go on; next of the last answer.",
                limits="text, 1 to 120 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
        ),
        examples=(
            ExampleInfo(
                title="The chats of a project",
                line="ade chats list",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade chats list --cursor nowhere",
                error="invalid_cursor",
            ),
        ),
        skeleton={"all": False, "limit": 50, "cursor": ""},
    )


def chat_note() -> ActionCommand:
    return ActionCommand(
        "note",
        group="chats",
        action="chat.note",
        tool="chat_note",
        effect="write",
        scope="project",
        aliases=(),
        summary="Set your chat's status line, so that others see what you are at.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="text",
                kind="text",
                flags=("--text-value",),
                metavar="TEXT",
                help="One line, such as Running the tests.",
                limits="text, 1 to 200 characters",
                required=True,
            ),
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="TEXT",
                help="Id of the chat, which is that of its session; default is your own.",
                limits="text, 1 to 60 characters",
                complete="chats",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="chat_not_found", exit=4, summary="No such chat."),
            ErrorInfo(
                code="session_required",
                exit=2,
                summary="The action works on a session, none was named, and the caller is in none.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A status line",
                line="ade chats note --text-value 'Running the tests' --session CHAT",
                error=None,
            ),
            ExampleInfo(
                title="A chat nobody made",
                line="ade chats note --text-value Hm --session ses_nobody",
                error="chat_not_found",
            ),
        ),
        skeleton={"text": "", "session": ""},
    )


def chat_pause() -> ActionCommand:
    return ActionCommand(
        "pause",
        group="chats",
        action="chat.pause",
        tool="chat_pause",
        effect="write",
        scope="project",
        aliases=(),
        summary="Say nothing more to a chat until it is resumed; its running turn goes on to its end.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="SESSION",
                help="Id of the chat, which is that of its session.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="chats",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="chat_not_found", exit=4, summary="No such chat."),
            ErrorInfo(code="chat_ended", exit=5, summary="The chat is over."),
        ),
        examples=(
            ExampleInfo(
                title="A chat that is to wait",
                line="ade chats pause CHAT --role cto",
                error=None,
            ),
            ExampleInfo(
                title="A chat that is over",
                line="ade chats pause CHAT --role cto",
                error="chat_ended",
            ),
        ),
        skeleton={"session": ""},
    )


def chat_preview_prompt() -> ActionCommand:
    return ActionCommand(
        "preview-prompt",
        group="chats",
        action="chat.preview_prompt",
        tool="chat_preview_prompt",
        effect="read",
        scope="project",
        aliases=(),
        summary="Show what a chat is told before its first message, part by part.",
        description="Without a session it is what a new chat in the lane would be told. The text is the same for every agent program; the program's own system prompt, which it is added to, is not shown.",
        guidance="",
        fields=(
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="TEXT",
                help="Chat to look at, instead of one that is yet to be made.",
                limits="text, 1 to 60 characters",
                complete="chats",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane it would work in; default is your own, else the primary one.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="role",
                kind="text",
                flags=("--chat-role",),
                metavar="TEXT",
                help="Role it would have, at most your own; default is that of its mode, else agent.",
                limits="one of external, evaluator, agent, orchestrator, cto",
                choices=("external", "evaluator", "agent", "orchestrator", "cto"),
            ),
            FieldParam(
                field="mode",
                kind="text",
                flags=("--mode",),
                metavar="TEXT",
                help="What it would do in a run: lead, worker or validator.",
                limits="one of lead, worker, validator",
                choices=("lead", "worker", "validator"),
            ),
        ),
        rules=(
            RuleInfo(kind="at_most_one_of", fields=("session", "lane")),
            RuleInfo(kind="at_most_one_of", fields=("session", "role")),
            RuleInfo(kind="at_most_one_of", fields=("session", "mode")),
        ),
        errors=(
            ErrorInfo(code="chat_not_found", exit=4, summary="No such chat."),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
        ),
        examples=(
            ExampleInfo(
                title="What a chat that is yet to be made would be told",
                line="ade chats preview-prompt --lane fix-login",
                error=None,
            ),
            ExampleInfo(
                title="What a worker of a run would be told",
                line="ade chats preview-prompt --lane fix-login --mode worker",
                error=None,
            ),
            ExampleInfo(
                title="A role above the caller's",
                line="ade chats preview-prompt --lane fix-login --chat-role cto",
                error="policy_denied",
            ),
            ExampleInfo(
                title="A chat nobody made",
                line="ade chats preview-prompt --session ses_nobody",
                error="chat_not_found",
            ),
        ),
        skeleton={"session": "", "lane": "", "role": "external", "mode": "lead"},
    )


def chat_resume() -> ActionCommand:
    return ActionCommand(
        "resume",
        group="chats",
        action="chat.resume",
        tool="resume_chat",
        effect="write",
        scope="project",
        aliases=(),
        summary="Go on with a chat that was paused or interrupted, has failed, or whose program was missing.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="SESSION",
                help="Id of the chat, which is that of its session.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="chats",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="chat_not_found", exit=4, summary="No such chat."),
            ErrorInfo(code="chat_ended", exit=5, summary="The chat is over."),
        ),
        examples=(
            ExampleInfo(
                title="A chat that was paused",
                line="ade chats resume CHAT --role cto",
                error=None,
            ),
            ExampleInfo(
                title="A chat that has ended",
                line="ade chats resume CHAT --role cto",
                error="chat_ended",
            ),
        ),
        skeleton={"session": ""},
    )


def chat_send() -> ActionCommand:
    return ActionCommand(
        "send",
        group="chats",
        action="chat.send",
        tool="send_chat_message",
        effect="write",
        scope="project",
        aliases=(),
        summary="Say something to a chat.",
        description="While a turn runs it waits for the end of that turn, or with steer is said into it where the program can. Messages are said one after the other, each exactly once.",
        guidance="",
        fields=(
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="SESSION",
                help="Id of the chat, which is that of its session.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="chats",
            ),
            FieldParam(
                field="text",
                kind="text",
                flags=("--text-value",),
                metavar="TEXT",
                help="What to say.",
                limits="text, 1 to 100000 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="steer",
                kind="boolean",
                flags=("--steer",),
                metavar="BOOLEAN",
                help="Say it into the running turn.",
                limits="true or false; default false",
                off_flag="--no-steer",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="chat_not_found", exit=4, summary="No such chat."),
            ErrorInfo(code="chat_ended", exit=5, summary="The chat is over."),
            ErrorInfo(code="too_many_messages", exit=5, summary="Too many messages wait."),
        ),
        examples=(
            ExampleInfo(
                title="A message to a chat that is paused",
                line="ade chats send CHAT 'Run the tests.' --role cto",
                error=None,
            ),
            ExampleInfo(
                title="A message to a chat that is over",
                line="ade chats send CHAT Hello --role cto",
                error="chat_ended",
            ),
        ),
        skeleton={"session": "", "text": "", "steer": False},
    )


def chat_settle() -> ActionCommand:
    return ActionCommand(
        "settle",
        group="chats",
        action="chat.settle",
        tool="chat_settle",
        effect="write",
        scope="project",
        aliases=(),
        summary="Say how the task of your chat came out.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="outcome",
                kind="text",
                flags=("--outcome",),
                metavar="TEXT",
                help="How it came out.",
                limits="one of done, blocked, abandoned",
                required=True,
                choices=("done", "blocked", "abandoned"),
            ),
            FieldParam(
                field="summary",
                kind="text",
                flags=("--summary",),
                metavar="TEXT",
                help="What was done, what was not, and what is left.",
                limits="text, 1 to 4000 characters",
                required=True,
            ),
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="TEXT",
                help="Id of the chat, which is that of its session; default is your own.",
                limits="text, 1 to 60 characters",
                complete="chats",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="chat_not_found", exit=4, summary="No such chat."),
            ErrorInfo(
                code="session_required",
                exit=2,
                summary="The action works on a session, none was named, and the caller is in none.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A task that is done",
                line="ade chats settle --outcome done --summary 'Login works again.' --session CHAT",
                error=None,
            ),
        ),
        skeleton={"outcome": "done", "summary": "", "session": ""},
    )


def chat_show() -> ActionCommand:
    return ActionCommand(
        "show",
        group="chats",
        action="chat.show",
        tool="get_chat",
        effect="read",
        scope="project",
        aliases=(),
        summary="Show a chat, its state and what to do next.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="SESSION",
                help="Id of the chat, which is that of its session; default is your own.",
                limits="text, 1 to 60 characters",
                positional=True,
                complete="chats",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="chat_not_found", exit=4, summary="No such chat."),
            ErrorInfo(
                code="session_required",
                exit=2,
                summary="The action works on a session, none was named, and the caller is in none.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A chat that waits",
                line="ade chats show CHAT",
                error=None,
            ),
            ExampleInfo(
                title="A chat nobody made",
                line="ade chats show ses_nobody",
                error="chat_not_found",
            ),
        ),
        skeleton={"session": ""},
    )


def chat_tools() -> ActionCommand:
    return ActionCommand(
        "tools",
        group="chats",
        action="chat.tools",
        tool="chat_tools",
        effect="read",
        scope="project",
        aliases=(),
        summary="List the tools that a chat's model is given.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="TEXT",
                help="Id of the chat, which is that of its session; default is your own.",
                limits="text, 1 to 60 characters",
                complete="chats",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="chat_not_found", exit=4, summary="No such chat."),
            ErrorInfo(
                code="session_required",
                exit=2,
                summary="The action works on a session, none was named, and the caller is in none.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="The tools of an agent",
                line="ade chats tools --session CHAT",
                error=None,
            ),
            ExampleInfo(
                title="A chat nobody made",
                line="ade chats tools --session ses_nobody",
                error="chat_not_found",
            ),
        ),
        skeleton={"session": ""},
    )


def chat_transcript() -> ActionCommand:
    return ActionCommand(
        "transcript",
        group="chats",
        action="chat.transcript",
        tool="read_chat_transcript",
        effect="read",
        scope="project",
        aliases=(),
        summary="Read what happened in a chat, entry by entry.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="SESSION",
                help="Id of the chat, which is that of its session; default is your own.",
                limits="text, 1 to 60 characters",
                positional=True,
                complete="chats",
            ),
            FieldParam(
                field="turn",
                kind="integer",
                flags=("--turn",),
                metavar="INTEGER",
                help="Only this turn.",
                limits="an integer, at least 1",
            ),
            FieldParam(
                field="after",
                kind="integer",
                flags=("--after",),
                metavar="INTEGER",
                help="Only entries after this one; without it, the last ones.",
                limits="an integer, at least 0",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many entries at most.",
                limits="an integer, 1 to 500; default 100",
            ),
            FieldParam(
                field="max_bytes",
                kind="integer",
                flags=("--max-bytes",),
                metavar="INTEGER",
                help="How much text at most.",
                limits="an integer, 1000 to 1000000; default 100000",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="chat_not_found", exit=4, summary="No such chat."),
            ErrorInfo(
                code="session_required",
                exit=2,
                summary="The action works on a session, none was named, and the caller is in none.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A chat in which nothing was said",
                line="ade chats transcript CHAT",
                error=None,
            ),
            ExampleInfo(
                title="A chat nobody made",
                line="ade chats transcript ses_nobody",
                error="chat_not_found",
            ),
        ),
        skeleton={"session": "", "turn": 1, "after": 0, "limit": 100, "max_bytes": 100000},
    )


def chat_wait() -> ActionCommand:
    return ActionCommand(
        "wait",
        group="chats",
        action="chat.wait",
        tool="chat_wait",
        effect="read",
        scope="project",
        aliases=(),
        summary="Wait until a chat's turn is over or it wants something.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="SESSION",
                help="Id of the chat, which is that of its session.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="chats",
            ),
            FieldParam(
                field="seconds",
                kind="duration",
                flags=("--seconds",),
                metavar="DURATION",
                help="How long to wait at most.",
                limits="such as 90s, 12m or 2h30m, 0s to 10m; default 1m",
            ),
        ),
        rules=(),
        errors=(ErrorInfo(code="chat_not_found", exit=4, summary="No such chat."),),
        examples=(
            ExampleInfo(
                title="A chat that waits for you",
                line="ade chats wait CHAT",
                error=None,
            ),
            ExampleInfo(
                title="A chat nobody made",
                line="ade chats wait ses_nobody",
                error="chat_not_found",
            ),
        ),
        skeleton={"session": "", "seconds": 60},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "approvals": chat_approvals,
    "approve": chat_approve,
    "archive": chat_archive,
    "ask": chat_ask,
    "cancel-message": chat_cancel_message,
    "capabilities": chat_capabilities,
    "create": chat_create,
    "end": chat_end,
    "hand-over": chat_hand_over,
    "interrupt": chat_interrupt,
    "list": chat_list,
    "note": chat_note,
    "pause": chat_pause,
    "preview-prompt": chat_preview_prompt,
    "resume": chat_resume,
    "send": chat_send,
    "settle": chat_settle,
    "show": chat_show,
    "tools": chat_tools,
    "transcript": chat_transcript,
    "wait": chat_wait,
}
