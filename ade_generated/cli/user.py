"""Commands of the user group. Generated from specs/domains/user.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam, RuleInfo


def user_ask() -> ActionCommand:
    return ActionCommand(
        "ask",
        group="user",
        action="user.ask",
        tool="ask_user",
        effect="write",
        scope="machine",
        aliases=(),
        summary="Ask the user something, and wait for the answer.",
        description="When the wait is over without an answer, the question stays: wait on with `ade user wait`, or go on; a chat is told the answer when it comes. Several things can be asked together; without parts, the title is the question and is answered in free text.",
        guidance="Ask when a wrong guess costs more than the wait; ask everything at once.",
        fields=(
            FieldParam(
                field="title",
                kind="text",
                flags=("--title",),
                metavar="TITLE",
                help="What it is about.",
                limits="text, 1 to 300 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="body",
                kind="text",
                flags=("--body",),
                metavar="TEXT",
                help="What one must know to answer.",
                limits="text, 1 to 8000 characters",
            ),
            FieldParam(
                field="parts",
                kind="json",
                flags=("--parts",),
                metavar="JSON",
                help="What is asked, each with its id.",
                limits="a list of at most 4 items, each a JSON object",
                many=True,
            ),
            FieldParam(
                field="wait",
                kind="duration",
                flags=("--wait",),
                metavar="DURATION",
                help="Seconds to wait for the answer.",
                limits="such as 90s, 12m or 2h30m, 0s to 9m50s; default 50s",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="duplicate_part", exit=2, summary="Two parts of a question have the same id."),
        ),
        examples=(
            ExampleInfo(
                title="A choice",
                line='ade user ask \'Which database?\' --parts \'{"id": "db", "text": "Which one?", "choices": [{"label": "SQLite"}, {"label": "PostgreSQL"}]}\' --wait 0s',
                error=None,
            ),
            ExampleInfo(
                title="Two parts of the same name",
                line='ade user ask \'Which?\' --parts \'{"id": "a", "text": "One?"}\' --parts \'{"id": "a", "text": "Two?"}\' --wait 0s',
                error="duplicate_part",
            ),
        ),
        skeleton={
            "title": "",
            "body": "",
            "parts": [
                {
                    "id": "",
                    "text": "",
                    "choices": [{"label": "", "description": ""}],
                    "multiple": False,
                    "free": True,
                }
            ],
            "wait": 50,
        },
    )


def user_inbox() -> ActionCommand:
    return ActionCommand(
        "inbox",
        group="user",
        action="user.inbox",
        tool="user_inbox",
        effect="read",
        scope="machine",
        aliases=(),
        summary="List what waits for the user, oldest first: questions, and tool uses that want permission.",
        description="On a terminal, `ade inbox` shows the same live and takes the answers.",
        guidance="",
        fields=(),
        rules=(),
        errors=(),
        examples=(
            ExampleInfo(
                title="A question waits",
                line="ade user inbox",
                error=None,
            ),
            ExampleInfo(
                title="A chat wants permission",
                line="ade user inbox",
                error=None,
            ),
        ),
        skeleton={},
    )


def user_pending() -> ActionCommand:
    return ActionCommand(
        "pending",
        group="user",
        action="user.pending",
        tool="user_pending",
        effect="read",
        scope="machine",
        aliases=(),
        summary="List questions that wait for an answer, oldest first.",
        description="",
        guidance="",
        fields=(),
        rules=(),
        errors=(),
        examples=(
            ExampleInfo(
                title="One question waits",
                line="ade user pending",
                error=None,
            ),
        ),
        skeleton={},
    )


def user_respond() -> ActionCommand:
    return ActionCommand(
        "respond",
        group="user",
        action="user.respond",
        tool="respond_to_question",
        effect="write",
        scope="machine",
        aliases=(),
        summary="Answer a question, or dismiss it.",
        description="The first answer counts. Nobody answers what their own session asked.",
        guidance="",
        fields=(
            FieldParam(
                field="question",
                kind="text",
                flags=("--question",),
                metavar="QUESTION",
                help="Id of the question.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="questions",
            ),
            FieldParam(
                field="answer",
                kind="text",
                flags=("--answer",),
                metavar="ANSWER",
                help="The answer, where one thing is asked.",
                limits="text, 1 to 10000 characters",
                positional=True,
            ),
            FieldParam(
                field="answers",
                kind="json",
                flags=("--answers",),
                metavar="JSON",
                help="The answers, where several things are asked: the id of each and its values.",
                limits="a list of at most 4 items, each a JSON object",
                many=True,
            ),
            FieldParam(
                field="dismiss",
                kind="boolean",
                flags=("--dismiss",),
                metavar="BOOLEAN",
                help="Tell the agent that there will be no answer.",
                limits="true or false",
                off_flag="--no-dismiss",
            ),
        ),
        rules=(RuleInfo(kind="exactly_one_of", fields=("answer", "answers", "dismiss")),),
        errors=(
            ErrorInfo(code="question_not_found", exit=4, summary="No such question."),
            ErrorInfo(
                code="question_settled",
                exit=5,
                summary="The question was answered, dismissed or withdrawn before.",
            ),
            ErrorInfo(code="wrong_answer", exit=2, summary="An answer does not fit what was asked."),
        ),
        examples=(
            ExampleInfo(
                title="One of the choices",
                line="ade user respond QUESTION SQLite",
                error=None,
            ),
            ExampleInfo(
                title="No answer is an answer, too",
                line="ade user respond QUESTION --dismiss",
                error=None,
            ),
            ExampleInfo(
                title="An answer that is not among the choices",
                line="ade user respond QUESTION Oracle",
                error="wrong_answer",
            ),
        ),
        skeleton={"question": "", "answer": "", "answers": [{"id": "", "values": [""]}], "dismiss": False},
    )


def user_wait() -> ActionCommand:
    return ActionCommand(
        "wait",
        group="user",
        action="user.wait",
        tool="wait_for_answer",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Wait on for the answer to a question.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="question",
                kind="text",
                flags=("--question",),
                metavar="QUESTION",
                help="Id of the question.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="questions",
            ),
            FieldParam(
                field="seconds",
                kind="duration",
                flags=("--seconds",),
                metavar="DURATION",
                help="How long to wait at most.",
                limits="such as 90s, 12m or 2h30m, 0s to 9m50s; default 50s",
            ),
        ),
        rules=(),
        errors=(ErrorInfo(code="question_not_found", exit=4, summary="No such question."),),
        examples=(
            ExampleInfo(
                title="A question nobody has answered",
                line="ade user wait QUESTION --seconds 0s",
                error=None,
            ),
            ExampleInfo(
                title="A question nobody asked",
                line="ade user wait qst_none --seconds 0s",
                error="question_not_found",
            ),
        ),
        skeleton={"question": "", "seconds": 50},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "ask": user_ask,
    "inbox": user_inbox,
    "pending": user_pending,
    "respond": user_respond,
    "wait": user_wait,
}
