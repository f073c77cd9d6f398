"""Commands of the runs group. Generated from specs/domains/run.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam, RuleInfo


def run_agents() -> ActionCommand:
    return ActionCommand(
        "agents",
        group="runs",
        action="run.agents",
        tool="run_agents",
        effect="read",
        scope="project",
        aliases=(),
        summary="List who takes part in a run, how each stands, and what it has used.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
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
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A run with one worker",
                line="ade runs agents RUN",
                error=None,
            ),
            ExampleInfo(
                title="A run nobody made",
                line="ade runs agents run_none",
                error="run_not_found",
            ),
        ),
        skeleton={"run": "", "limit": 50, "cursor": ""},
    )


def run_answer() -> ActionCommand:
    return ActionCommand(
        "answer",
        group="runs",
        action="run.answer",
        tool="run_answer",
        effect="write",
        scope="project",
        aliases=(),
        summary="Answer what a run asks, or dismiss it.",
        description="The run goes on with the answer at once. A plan is approved with approve.",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="answer",
                kind="text",
                flags=("--answer",),
                metavar="ANSWER",
                help="The choices, or the answer in your own words.",
                limits="a list of at most 10 items, each text, 1 to 10000 characters",
                positional=True,
                many=True,
            ),
            FieldParam(
                field="reason",
                kind="text",
                flags=("--reason",),
                metavar="TEXT",
                help="Why, where that is asked.",
                limits="text, 1 to 10000 characters",
            ),
            FieldParam(
                field="dismiss",
                kind="boolean",
                flags=("--dismiss",),
                metavar="BOOLEAN",
                help="Give no answer.",
                limits="true or false",
                off_flag="--no-dismiss",
            ),
        ),
        rules=(RuleInfo(kind="exactly_one_of", fields=("answer", "dismiss")),),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(
                code="run_over",
                exit=5,
                summary="The run is completed, was cancelled, or is one of elsewhere that was imported.",
            ),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="run_invalid", exit=2, summary="A change would leave the manifest wrong."),
            ErrorInfo(code="nothing_asked", exit=5, summary="The run does not ask that."),
            ErrorInfo(code="wrong_answer", exit=2, summary="An answer does not fit what was asked."),
            ErrorInfo(
                code="question_settled",
                exit=5,
                summary="The question was answered, dismissed or withdrawn before.",
            ),
            ErrorInfo(code="round_unanswered", exit=5, summary="The answer says nothing."),
            ErrorInfo(code="stage_conflict", exit=5, summary="Planning is at another stage."),
            ErrorInfo(code="rounds_started", exit=5, summary="A round was asked already."),
            ErrorInfo(
                code="plan_already_approved", exit=5, summary="The plan was approved; planning is over."
            ),
            ErrorInfo(code="plan_unusable", exit=1, summary="plan.md cannot be used."),
            ErrorInfo(code="planning_incomplete", exit=5, summary="Something is missing before approval."),
            ErrorInfo(code="plan_changed_after_review", exit=5, summary="plan.md is not what was shown."),
        ),
        examples=(
            ExampleInfo(
                title="The functional round",
                line="ade runs answer RUN 'Passkeys only'",
                error=None,
            ),
            ExampleInfo(
                title="Nothing is asked",
                line="ade runs answer RUN Yes",
                error="nothing_asked",
            ),
        ),
        skeleton={"run": "", "answer": [""], "reason": "", "dismiss": False},
    )


def run_approve() -> ActionCommand:
    return ActionCommand(
        "approve",
        group="runs",
        action="run.approve",
        tool="run_approve",
        effect="write",
        scope="project",
        aliases=(),
        summary="Approve the plan of a run, or ask for changes.",
        description="What is approved are the bytes of plan.md that were shown; if the file was changed since, it is not. Only the owner in person, or the CTO, approves.",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="sha256",
                kind="text",
                flags=("--sha256",),
                metavar="TEXT",
                help="SHA-256 of the plan you have read; another is not approved.",
                limits="text, matching ^[0-9a-f]{64}$",
            ),
            FieldParam(
                field="changes",
                kind="text",
                flags=("--changes",),
                metavar="TEXT",
                help="What must change; then the plan is not approved.",
                limits="text, 1 to 10000 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(
                code="run_over",
                exit=5,
                summary="The run is completed, was cancelled, or is one of elsewhere that was imported.",
            ),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="run_invalid", exit=2, summary="A change would leave the manifest wrong."),
            ErrorInfo(code="nothing_asked", exit=5, summary="The run does not ask that."),
            ErrorInfo(
                code="question_settled",
                exit=5,
                summary="The question was answered, dismissed or withdrawn before.",
            ),
            ErrorInfo(code="wrong_answer", exit=2, summary="An answer does not fit what was asked."),
            ErrorInfo(code="plan_changed_after_review", exit=5, summary="plan.md is not what was shown."),
            ErrorInfo(code="planning_incomplete", exit=5, summary="Something is missing before approval."),
            ErrorInfo(code="plan_unusable", exit=1, summary="plan.md cannot be used."),
        ),
        examples=(
            ExampleInfo(
                title="A plan that was shown",
                line="ade runs approve RUN",
                error=None,
            ),
            ExampleInfo(
                title="Something must change",
                line="ade runs approve RUN --changes 'Please keep the password login.'",
                error=None,
            ),
            ExampleInfo(
                title="No plan was shown",
                line="ade runs approve RUN",
                error="nothing_asked",
            ),
        ),
        skeleton={"run": "", "sha256": "", "changes": ""},
    )


def run_ask_planning_round() -> ActionCommand:
    return ActionCommand(
        "ask-round",
        group="runs",
        action="run.ask_planning_round",
        tool="askPlanningRound",
        effect="write",
        scope="project",
        aliases=(),
        summary="Ask the user a round of planning, and wait for the answer.",
        description="The rounds come in their order: functional, ui, extras. When the wait is over without an answer, the same call waits on. A round that follows one up names it and moves nothing.",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="kind",
                kind="text",
                flags=("--kind",),
                metavar="KIND",
                help="A planning round.",
                limits="one of functional, ui, extras",
                required=True,
                positional=True,
                choices=("functional", "ui", "extras"),
            ),
            FieldParam(
                field="question",
                kind="text",
                flags=("--question",),
                metavar="QUESTION",
                help="What is asked.",
                limits="text, 1 to 2000 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="options",
                kind="text",
                flags=("--options",),
                metavar="TEXT",
                help="Answers to choose from; the user may write another.",
                limits="a list of at most 10 items, each text, 1 to 200 characters",
                many=True,
            ),
            FieldParam(
                field="multiple",
                kind="boolean",
                flags=("--multiple",),
                metavar="BOOLEAN",
                help="Whether several may be chosen.",
                limits="true or false; default false",
                off_flag="--no-multiple",
            ),
            FieldParam(
                field="cascaded_from",
                kind="text",
                flags=("--cascaded-from",),
                metavar="TEXT",
                help="Round that this one follows up.",
                limits="text, 1 to 60 characters",
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
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(
                code="run_over",
                exit=5,
                summary="The run is completed, was cancelled, or is one of elsewhere that was imported.",
            ),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="run_invalid", exit=2, summary="A change would leave the manifest wrong."),
            ErrorInfo(code="stage_conflict", exit=5, summary="Planning is at another stage."),
            ErrorInfo(
                code="plan_already_approved", exit=5, summary="The plan was approved; planning is over."
            ),
            ErrorInfo(code="round_not_found", exit=4, summary="No such round."),
            ErrorInfo(code="run_question_pending", exit=5, summary="The run has asked something else."),
            ErrorInfo(code="round_unanswered", exit=5, summary="The answer says nothing."),
            ErrorInfo(code="round_cancelled", exit=5, summary="The user dismissed the question."),
            ErrorInfo(code="question_not_found", exit=4, summary="No such question."),
            ErrorInfo(code="plan_unusable", exit=1, summary="plan.md cannot be used."),
        ),
        examples=(
            ExampleInfo(
                title="The first round",
                line="ade runs ask-round RUN functional 'What must it do?' --options 'Passkeys only' --wait 0s --role orchestrator",
                error=None,
            ),
            ExampleInfo(
                title="Out of turn",
                line="ade runs ask-round RUN extras 'Anything else?' --wait 0s --role orchestrator",
                error="stage_conflict",
            ),
        ),
        skeleton={
            "run": "",
            "kind": "functional",
            "question": "",
            "options": [""],
            "multiple": False,
            "cascaded_from": "",
            "wait": 50,
        },
    )


def run_ask_user_for_model_selection() -> ActionCommand:
    return ActionCommand(
        "ask-models",
        group="runs",
        action="run.ask_user_for_model_selection",
        tool="askUserForModelSelection",
        effect="write",
        scope="project",
        aliases=(),
        summary="Ask the user which models do the work.",
        description="It is locked until the rounds are complete or the short way is agreed to. The same call waits on.",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="options",
                kind="json",
                flags=("--options",),
                metavar="JSON",
                help="What the user may choose.",
                limits="a list of 1 to 10 items, each a JSON object",
                required=True,
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
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(
                code="run_over",
                exit=5,
                summary="The run is completed, was cancelled, or is one of elsewhere that was imported.",
            ),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="run_invalid", exit=2, summary="A change would leave the manifest wrong."),
            ErrorInfo(code="stage_conflict", exit=5, summary="Planning is at another stage."),
            ErrorInfo(
                code="plan_already_approved", exit=5, summary="The plan was approved; planning is over."
            ),
            ErrorInfo(code="run_question_pending", exit=5, summary="The run has asked something else."),
            ErrorInfo(code="models_declined", exit=5, summary="The user chose no model."),
            ErrorInfo(code="duplicate_part", exit=2, summary="Two parts of a question have the same id."),
            ErrorInfo(code="question_not_found", exit=4, summary="No such question."),
            ErrorInfo(code="plan_unusable", exit=1, summary="plan.md cannot be used."),
        ),
        examples=(
            ExampleInfo(
                title="Before the rounds",
                line='ade runs ask-models RUN --options \'{"label": "Codex"}\' --role orchestrator',
                error="stage_conflict",
            ),
        ),
        skeleton={
            "run": "",
            "options": [
                {
                    "label": "",
                    "default": {"provider": "", "modelId": "", "reasoningEffort": "", "fastMode": False},
                    "byRole": {},
                    "byTag": {},
                    "byRoleTag": {},
                }
            ],
            "wait": 50,
        },
    )


def run_await_agent() -> ActionCommand:
    return ActionCommand(
        "await",
        group="runs",
        action="run.await_agent",
        tool="awaitAgent",
        effect="read",
        scope="project",
        aliases=(),
        summary="Wait until agents of the run have settled.",
        description="Settled are agents that gave their work back, wait for somebody to look at it, or cannot go on. It answers at once where that is so already; when the time is over it tells who still works.",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="sessions",
                kind="text",
                flags=("--sessions",),
                metavar="SESSIONS",
                help="Agents to wait for.",
                limits="a list of 1 to 100 items, no two alike, each text, 1 to 60 characters",
                required=True,
                positional=True,
                many=True,
            ),
            FieldParam(
                field="wait_for",
                kind="text",
                flags=("--wait-for",),
                metavar="TEXT",
                help="Whether all of them must have settled, or one is enough.",
                limits="one of all, any; default all",
                choices=("all", "any"),
            ),
            FieldParam(
                field="timeout_ms",
                kind="integer",
                flags=("--timeout-ms",),
                metavar="INTEGER",
                help="How long to wait at most, in milliseconds.",
                limits="an integer, 0 to 1800000; default 600000",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="run_agent_not_found", exit=4, summary="No such member of the run."),
        ),
        examples=(
            ExampleInfo(
                title="One that has hardly begun",
                line="ade runs await RUN AGENT --timeout-ms 0 --role orchestrator",
                error=None,
            ),
            ExampleInfo(
                title="Somebody who takes no part",
                line="ade runs await RUN ses_nobody --timeout-ms 0 --role orchestrator",
                error="run_agent_not_found",
            ),
        ),
        skeleton={"run": "", "sessions": [""], "wait_for": "all", "timeout_ms": 600000},
    )


def run_cancel() -> ActionCommand:
    return ActionCommand(
        "cancel",
        group="runs",
        action="run.cancel",
        tool="run_cancel",
        effect="write",
        scope="project",
        aliases=(),
        summary="Stop a run for good; its history and its plan stay.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="reason",
                kind="text",
                flags=("--reason",),
                metavar="TEXT",
                help="Why, for the history.",
                limits="text, 1 to 300 characters",
            ),
            FieldParam(
                field="work",
                kind="text",
                flags=("--work",),
                metavar="TEXT",
                help="What becomes of the agents' lanes. review: they stay; revert: they are deleted, and kept for a while as every lane.",
                limits="one of review, revert; default review",
                choices=("review", "revert"),
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(
                code="run_over",
                exit=5,
                summary="The run is completed, was cancelled, or is one of elsewhere that was imported.",
            ),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="run_invalid", exit=2, summary="A change would leave the manifest wrong."),
            ErrorInfo(code="plan_unusable", exit=1, summary="plan.md cannot be used."),
        ),
        examples=(
            ExampleInfo(
                title="A run nobody needs",
                line="ade runs cancel RUN",
                error=None,
            ),
            ExampleInfo(
                title="A run nobody made",
                line="ade runs cancel run_none",
                error="run_not_found",
            ),
        ),
        skeleton={"run": "", "reason": "", "work": "review"},
    )


def run_choose_finishing_mode() -> ActionCommand:
    return ActionCommand(
        "finishing",
        group="runs",
        action="run.choose_finishing_mode",
        tool="chooseFinishingMode",
        effect="write",
        scope="project",
        aliases=(),
        summary="Choose how the run ends.",
        description="worktree: the work stays in its lane; pr: it becomes a pull request.",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="mode",
                kind="text",
                flags=("--mode",),
                metavar="MODE",
                help="worktree or pr.",
                limits="one of worktree, pr",
                required=True,
                positional=True,
                choices=("worktree", "pr"),
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(
                code="run_over",
                exit=5,
                summary="The run is completed, was cancelled, or is one of elsewhere that was imported.",
            ),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="run_invalid", exit=2, summary="A change would leave the manifest wrong."),
            ErrorInfo(
                code="plan_already_approved", exit=5, summary="The plan was approved; planning is over."
            ),
            ErrorInfo(code="plan_unusable", exit=1, summary="plan.md cannot be used."),
        ),
        examples=(
            ExampleInfo(
                title="The work stays in its lane",
                line="ade runs finishing RUN worktree --role orchestrator",
                error=None,
            ),
        ),
        skeleton={"run": "", "mode": "worktree"},
    )


def run_claim_task() -> ActionCommand:
    return ActionCommand(
        "claim",
        group="runs",
        action="run.claim_task",
        tool="claimTask",
        effect="write",
        scope="project",
        aliases=(),
        summary="Claim a task of the run, so that nobody else does it.",
        description="It is yours for the lease, which begins anew with everything you call. Claim it again to hold it longer. A validator claims tasks of validating, a worker those of the other phases, once their phase has begun and what they wait for is done.",
        guidance="Claim before you begin, work at nothing else, and give it back with releaseTask.",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="task",
                kind="text",
                flags=("--task",),
                metavar="TASK",
                help="An id within the run.",
                limits="text, 1 to 120 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="lease",
                kind="duration",
                flags=("--lease",),
                metavar="DURATION",
                help="Seconds that it is yours without a sign of life.",
                limits="such as 90s, 12m or 2h30m, 1m to 1d; default 30m",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(
                code="run_over",
                exit=5,
                summary="The run is completed, was cancelled, or is one of elsewhere that was imported.",
            ),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="run_invalid", exit=2, summary="A change would leave the manifest wrong."),
            ErrorInfo(code="task_not_found", exit=4, summary="The run has no such task or step."),
            ErrorInfo(code="task_over", exit=5, summary="The task has ended."),
            ErrorInfo(code="task_not_open", exit=5, summary="The task is not to be done now, or not by you."),
            ErrorInfo(code="task_already_claimed", exit=5, summary="Somebody else holds the task."),
            ErrorInfo(code="task_blocked", exit=5, summary="The task waits for others."),
        ),
        examples=(
            ExampleInfo(
                title="A task nobody has begun",
                line="ade runs claim RUN T-1",
                error=None,
            ),
            ExampleInfo(
                title="A task of developing, for a validator",
                line="ade runs claim RUN T-1",
                error="task_not_open",
            ),
            ExampleInfo(
                title="A task that does not exist",
                line="ade runs claim RUN T-9",
                error="task_not_found",
            ),
        ),
        skeleton={"run": "", "task": "", "lease": 1800},
    )


def run_create() -> ActionCommand:
    return ActionCommand(
        "create",
        group="runs",
        action="run.create",
        tool="run_create",
        effect="write",
        scope="project",
        aliases=(),
        summary="Make a run, with a session to lead it.",
        description="The run's plan.md is put in the lane under .ade/runs. The session that leads the run is there at once; a program becomes it once it is attached. Only somebody who may lead makes runs.",
        guidance="For work of several parts that need a plan the user agrees to; for one part, spawn an agent.",
        fields=(
            FieldParam(
                field="title",
                kind="text",
                flags=("--title",),
                metavar="TITLE",
                help="What it is about.",
                limits="text, 1 to 200 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="goal",
                kind="text",
                flags=("-g", "--goal"),
                metavar="TEXT",
                help="What is to be reached.",
                limits="text, 1 to 8000 characters",
                required=True,
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane its files are in; default is the caller's.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
        ),
        examples=(
            ExampleInfo(
                title="A run in the primary lane",
                line="ade runs create Login --goal 'People can log in with a passkey.'",
                error=None,
            ),
        ),
        skeleton={"title": "", "goal": "", "lane": ""},
    )


def run_enlist() -> ActionCommand:
    return ActionCommand(
        "enlist",
        group="runs",
        action="run.enlist",
        tool="enlistAgent",
        effect="write",
        scope="project",
        aliases=(),
        summary="Take a session into a run as a worker or validator.",
        description="It was started for the run, in role agent and in the mode of what it shall be. Agents that are spawned need none of this; it is for programs that you start by yourself.",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="SESSION",
                help="Session that shall take part.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="name",
                kind="text",
                flags=("--name",),
                metavar="TEXT",
                help="What people call it.",
                limits="text, 1 to 120 characters",
            ),
            FieldParam(
                field="tag",
                kind="text",
                flags=("--tag",),
                metavar="TEXT",
                help="Its speciality.",
                limits="text, 1 to 60 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(
                code="run_over",
                exit=5,
                summary="The run is completed, was cancelled, or is one of elsewhere that was imported.",
            ),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="run_invalid", exit=2, summary="A change would leave the manifest wrong."),
            ErrorInfo(
                code="plan_not_approved", exit=5, summary="Agents are started only once the plan is approved."
            ),
            ErrorInfo(
                code="session_not_found", exit=4, summary="No session that the caller may see has that id."
            ),
            ErrorInfo(code="agent_not_fit", exit=5, summary="The session cannot take part in the run."),
        ),
        examples=(
            ExampleInfo(
                title="A worker in a terminal",
                line="ade runs enlist RUN WORKER --role orchestrator",
                error=None,
            ),
            ExampleInfo(
                title="The lead itself",
                line="ade runs enlist RUN LEAD --role orchestrator",
                error="agent_not_fit",
            ),
        ),
        skeleton={"run": "", "session": "", "name": "", "tag": ""},
    )


def run_expand_to_full_plan() -> ActionCommand:
    return ActionCommand(
        "expand",
        group="runs",
        action="run.expand_to_full_plan",
        tool="expandToFullPlan",
        effect="write",
        scope="project",
        aliases=(),
        summary="Go back from the short way of planning to the rounds.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(
                code="run_over",
                exit=5,
                summary="The run is completed, was cancelled, or is one of elsewhere that was imported.",
            ),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="run_invalid", exit=2, summary="A change would leave the manifest wrong."),
            ErrorInfo(code="stage_conflict", exit=5, summary="Planning is at another stage."),
            ErrorInfo(
                code="plan_already_approved", exit=5, summary="The plan was approved; planning is over."
            ),
            ErrorInfo(code="run_question_pending", exit=5, summary="The run has asked something else."),
            ErrorInfo(code="plan_unusable", exit=1, summary="plan.md cannot be used."),
        ),
        examples=(
            ExampleInfo(
                title="From the short way",
                line="ade runs expand RUN --role orchestrator",
                error=None,
            ),
            ExampleInfo(
                title="There is no short way to leave",
                line="ade runs expand RUN --role orchestrator",
                error="stage_conflict",
            ),
        ),
        skeleton={"run": ""},
    )


def run_export() -> ActionCommand:
    return ActionCommand(
        "export",
        group="runs",
        action="run.export",
        tool="run_export",
        effect="write",
        scope="project",
        aliases=(),
        summary="Write a run with its plan, history and artifacts to a file.",
        description="The file is a ZIP archive in which everything has its SHA-256; `ade runs import` reads it. In a session it is written inside of the run's lane; the owner's shell may name any place. A file that is there stays.",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="path",
                kind="text",
                flags=("--path",),
                metavar="PATH",
                help="File to write, relative to the lane's folder.",
                limits="text, 1 to 4096 characters",
                required=True,
                positional=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="plan_unusable", exit=1, summary="plan.md cannot be used."),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(
                code="path_outside_lane",
                exit=2,
                summary="The path leaves the lane or lies in git's own folder.",
            ),
            ErrorInfo(
                code="run_bundle_exists", exit=5, summary="The place of a run's file or folder is taken."
            ),
            ErrorInfo(code="run_bundle_unusable", exit=1, summary="A run's file cannot be read or written."),
        ),
        examples=(
            ExampleInfo(
                title="Into its lane",
                line="ade runs export RUN login.zip",
                error=None,
            ),
            ExampleInfo(
                title="Over a file that is there",
                line="ade runs export RUN README.md",
                error="run_bundle_exists",
            ),
        ),
        skeleton={"run": "", "path": ""},
    )


def run_get_agent_transcript() -> ActionCommand:
    return ActionCommand(
        "agent-transcript",
        group="runs",
        action="run.get_agent_transcript",
        tool="getAgentTranscript",
        effect="read",
        scope="project",
        aliases=(),
        summary="Read what an agent of the run was told, said and did, entry by entry.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="SESSION",
                help="Agent whose transcript it is.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
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
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="run_agent_not_found", exit=4, summary="No such member of the run."),
            ErrorInfo(code="chat_not_found", exit=4, summary="No such chat."),
        ),
        examples=(
            ExampleInfo(
                title="A worker",
                line="ade runs agent-transcript RUN AGENT --after 0 --role orchestrator",
                error=None,
            ),
            ExampleInfo(
                title="Somebody who takes no part",
                line="ade runs agent-transcript RUN ses_nobody --role orchestrator",
                error="run_agent_not_found",
            ),
            ExampleInfo(
                title="The lead is led by hand",
                line="ade runs agent-transcript RUN LEAD --role orchestrator",
                error="chat_not_found",
            ),
        ),
        skeleton={"run": "", "session": "", "after": 0, "limit": 100, "max_bytes": 100000},
    )


def run_history() -> ActionCommand:
    return ActionCommand(
        "history",
        group="runs",
        action="run.history",
        tool="run_history",
        effect="read",
        scope="project",
        aliases=(),
        summary="Tell what has changed in a run, the newest first.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
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
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A run that has just been made",
                line="ade runs history RUN",
                error=None,
            ),
            ExampleInfo(
                title="A run nobody made",
                line="ade runs history run_none",
                error="run_not_found",
            ),
        ),
        skeleton={"run": "", "limit": 50, "cursor": ""},
    )


def run_import() -> ActionCommand:
    return ActionCommand(
        "import",
        group="runs",
        action="run.import",
        tool="run_import",
        effect="write",
        scope="project",
        aliases=(),
        summary="Put a run there that was exported, to be read.",
        description="Everything in it is checked first. An imported run changes no more: nobody here has approved its plan, and its sessions are not here. Its files are put in a lane under .ade/runs.",
        guidance="",
        fields=(
            FieldParam(
                field="path",
                kind="text",
                flags=("--path",),
                metavar="PATH",
                help="File to read, relative to the lane's folder; the owner's shell may name any place.",
                limits="text, 1 to 4096 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane its files are put in; default is the caller's.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(
                code="path_outside_lane",
                exit=2,
                summary="The path leaves the lane or lies in git's own folder.",
            ),
            ErrorInfo(code="run_exists", exit=5, summary="A run with that id is here already."),
            ErrorInfo(
                code="run_bundle_exists", exit=5, summary="The place of a run's file or folder is taken."
            ),
            ErrorInfo(code="run_bundle_unusable", exit=1, summary="A run's file cannot be read or written."),
            ErrorInfo(code="plan_unusable", exit=1, summary="plan.md cannot be used."),
        ),
        examples=(
            ExampleInfo(
                title="A run that is not known here",
                line="ade runs import login.zip",
                error=None,
            ),
            ExampleInfo(
                title="A run that is here already",
                line="ade runs import login.zip",
                error="run_exists",
            ),
            ExampleInfo(
                title="A file that is no bundle",
                line="ade runs import README.md",
                error="run_bundle_unusable",
            ),
        ),
        skeleton={"path": "", "lane": ""},
    )


def run_lead() -> ActionCommand:
    return ActionCommand(
        "lead",
        group="runs",
        action="run.lead",
        tool="run_lead",
        effect="write",
        scope="project",
        aliases=(),
        summary="Have a managed chat lead the run.",
        description="The run's session becomes a chat with that program, which begins with the goal and plans with you; what it asks is in `ade inbox`. Without this, attach a program of your own to the run's session.",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
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
        ),
        rules=(),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(
                code="run_over",
                exit=5,
                summary="The run is completed, was cancelled, or is one of elsewhere that was imported.",
            ),
            ErrorInfo(code="run_led", exit=5, summary="A managed chat leads the run already."),
            ErrorInfo(code="plan_unusable", exit=1, summary="plan.md cannot be used."),
            ErrorInfo(code="unknown_provider", exit=4, summary="No such provider."),
            ErrorInfo(
                code="unsupported_mode", exit=2, summary="The provider cannot hold the permission mode."
            ),
            ErrorInfo(
                code="agent_program_missing",
                exit=7,
                summary="The agent program is not installed, or not where ADE looks for it.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A chat with Codex",
                line="ade runs lead RUN --provider codex",
                error=None,
            ),
            ExampleInfo(
                title="A program that is not known",
                line="ade runs lead RUN --provider clod",
                error="unknown_provider",
            ),
        ),
        skeleton={"run": "", "provider": "claude", "model": "", "effort": "", "permission_mode": "default"},
    )


def run_lineage() -> ActionCommand:
    return ActionCommand(
        "lineage",
        group="runs",
        action="run.lineage",
        tool="run_lineage",
        effect="read",
        scope="project",
        aliases=(),
        summary="Draw who spawned whom in a run, and what came back.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="format",
                kind="text",
                flags=("--format",),
                metavar="TEXT",
                help="How it is drawn.",
                limits="one of text, mermaid, dot, svg; default text",
                choices=("text", "mermaid", "dot", "svg"),
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
        ),
        examples=(
            ExampleInfo(
                title="A lead that has spawned nobody",
                line="ade runs lineage RUN --format mermaid",
                error=None,
            ),
        ),
        skeleton={"run": "", "format": "text"},
    )


def run_list() -> ActionCommand:
    return ActionCommand(
        "list",
        group="runs",
        action="run.list",
        tool="run_list",
        effect="read",
        scope="project",
        aliases=(),
        summary="List runs, the newest first.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="all",
                kind="boolean",
                flags=("--all",),
                metavar="BOOLEAN",
                help="List those that were cancelled, too.",
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
                title="One run",
                line="ade runs list",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade runs list --cursor nowhere",
                error="invalid_cursor",
            ),
        ),
        skeleton={"all": False, "limit": 50, "cursor": ""},
    )


def run_list_proof_artifacts() -> ActionCommand:
    return ActionCommand(
        "proof",
        group="runs",
        action="run.list_proof_artifacts",
        tool="listProofArtifacts",
        effect="read",
        scope="project",
        aliases=(),
        summary="List the proof there is, the newest first, for who leads a run.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Only that of this lane.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="TEXT",
                help="Only what this session put away, such as an agent of the run.",
                limits="text, 1 to 60 characters",
                complete="sessions",
            ),
            FieldParam(
                field="kind",
                kind="text",
                flags=("--kind",),
                metavar="TEXT",
                help="Only that of this kind.",
                limits="one of png, jpeg, gif, webp, mp4, webm, pdf, text, json, log",
                choices=("png", "jpeg", "gif", "webp", "mp4", "webm", "pdf", "text", "json", "log"),
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many to return at most.",
                limits="an integer, 1 to 1000; default 100",
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
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
        ),
        examples=(
            ExampleInfo(
                title="What a worker's lane has",
                line="ade runs proof RUN --lane fix-login --role orchestrator",
                error=None,
            ),
            ExampleInfo(
                title="None yet",
                line="ade runs proof RUN --role orchestrator",
                error=None,
            ),
            ExampleInfo(
                title="A run nobody made",
                line="ade runs proof run_none --role orchestrator",
                error="run_not_found",
            ),
        ),
        skeleton={"run": "", "lane": "", "session": "", "kind": "png", "limit": 100, "cursor": ""},
    )


def run_manifest_patch() -> ActionCommand:
    return ActionCommand(
        "patch",
        group="runs",
        action="run.manifest_patch",
        tool="manifestPatch",
        effect="write",
        scope="project",
        aliases=(),
        summary="Change fields of a run's manifest, all of them or none.",
        description="Who may change what: `ade runs policy`. The etag is that of the state you have read.",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="etag",
                kind="text",
                flags=("--etag",),
                metavar="TEXT",
                help="State that is changed; another is not.",
                limits="text, 1 to 60 characters",
                required=True,
            ),
            FieldParam(
                field="operations",
                kind="json",
                flags=("--operations",),
                metavar="JSON",
                help="The changes, in their order.",
                limits="a list of 1 to 200 items, each a JSON object",
                required=True,
                many=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(
                code="run_over",
                exit=5,
                summary="The run is completed, was cancelled, or is one of elsewhere that was imported.",
            ),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="run_invalid", exit=2, summary="A change would leave the manifest wrong."),
            ErrorInfo(code="etag_conflict", exit=5, summary="The run has changed since it was read."),
            ErrorInfo(code="invalid_patch", exit=2, summary="A path or operation of a patch is wrong."),
            ErrorInfo(code="plan_unusable", exit=1, summary="plan.md cannot be used."),
        ),
        examples=(
            ExampleInfo(
                title="A task",
                line='ade runs patch RUN --etag ETAG --operations \'{"op": "add", "path": "/tasks/-", "object": {"id": "T-1", "title": "Store passkeys"}}\' --role orchestrator',
                error=None,
            ),
            ExampleInfo(
                title="A state that is over",
                line='ade runs patch RUN --etag etg_old --operations \'{"op": "remove", "path": "/x"}\' --role orchestrator',
                error="etag_conflict",
            ),
            ExampleInfo(
                title="What nobody patches",
                line='ade runs patch RUN --etag ETAG --operations \'{"op": "replace", "path": "/currentPhase", "text": "developing"}\' --role orchestrator',
                error="policy_denied",
            ),
        ),
        skeleton={
            "run": "",
            "etag": "",
            "operations": [{"op": "add", "path": "", "text": "", "texts": [""], "number": 0, "object": {}}],
        },
    )


def run_message_agent() -> ActionCommand:
    return ActionCommand(
        "message",
        group="runs",
        action="run.message_agent",
        tool="messageAgent",
        effect="write",
        scope="project",
        aliases=(),
        summary="Say something to a member of the run; its order is kept, and it is said once.",
        description="The lead instructs its agents or cancels one; a worker or validator tells its lead how it stands, or asks.",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="text",
                kind="text",
                flags=("--text-value",),
                metavar="TEXT",
                help="What is said; of a cancellation, why.",
                limits="text, 1 to 20000 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="to",
                kind="text",
                flags=("--to",),
                metavar="TEXT",
                help="Session that is told; default is the lead.",
                limits="text, 1 to 60 characters",
            ),
            FieldParam(
                field="intent",
                kind="text",
                flags=("--intent",),
                metavar="TEXT",
                help="What it is. instruction and cancel are the lead's, status and question are for the lead.",
                limits="one of instruction, status, question, cancel; default instruction",
                choices=("instruction", "status", "question", "cancel"),
            ),
            FieldParam(
                field="delivery",
                kind="text",
                flags=("--delivery",),
                metavar="TEXT",
                help="sendMessage: said when the running turn is over; steer: said into it; interrupt-replace: instead of it; interrupt: it is ended and nothing is said.",
                limits="one of sendMessage, steer, interrupt-replace, interrupt; default sendMessage",
                choices=("sendMessage", "steer", "interrupt-replace", "interrupt"),
            ),
            FieldParam(
                field="task",
                kind="text",
                flags=("--task",),
                metavar="TEXT",
                help="Task it is about.",
                limits="text, 1 to 120 characters",
            ),
            FieldParam(
                field="key",
                kind="text",
                flags=("--key",),
                metavar="TEXT",
                help="Your own id of this request: the same once more is said once.",
                limits="text, 1 to 120 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(
                code="run_over",
                exit=5,
                summary="The run is completed, was cancelled, or is one of elsewhere that was imported.",
            ),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="run_invalid", exit=2, summary="A change would leave the manifest wrong."),
            ErrorInfo(code="run_agent_not_found", exit=4, summary="No such member of the run."),
            ErrorInfo(
                code="run_agent_over", exit=5, summary="The agent has given its work back, or was cancelled."
            ),
            ErrorInfo(code="task_not_found", exit=4, summary="The run has no such task or step."),
        ),
        examples=(
            ExampleInfo(
                title="More to think of",
                line="ade runs message RUN 'Think of the migration.' --to AGENT --role orchestrator",
                error=None,
            ),
            ExampleInfo(
                title="Somebody who takes no part",
                line="ade runs message RUN Hello. --to ses_nobody --role orchestrator",
                error="run_agent_not_found",
            ),
        ),
        skeleton={
            "run": "",
            "text": "",
            "to": "",
            "intent": "instruction",
            "delivery": "sendMessage",
            "task": "",
            "key": "",
        },
    )


def run_messages() -> ActionCommand:
    return ActionCommand(
        "messages",
        group="runs",
        action="run.messages",
        tool="run_messages",
        effect="read",
        scope="project",
        aliases=(),
        summary="Tell what members of a run were told and what they are yet to be told, in order.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="session",
                kind="text",
                flags=("--session",),
                metavar="TEXT",
                help="Only what this session is told.",
                limits="text, 1 to 60 characters",
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
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
        ),
        examples=(
            ExampleInfo(
                title="The brief of a worker",
                line="ade runs messages RUN --session AGENT",
                error=None,
            ),
            ExampleInfo(
                title="A run nobody made",
                line="ade runs messages run_none",
                error="run_not_found",
            ),
        ),
        skeleton={"run": "", "session": "", "limit": 50, "cursor": ""},
    )


def run_mint_deeplink() -> ActionCommand:
    return ActionCommand(
        "deeplink",
        group="runs",
        action="run.mint_deeplink",
        tool="mintDeeplink",
        effect="read",
        scope="project",
        aliases=(),
        summary="Make the ade:// link to something, for who leads a run.",
        description="Nothing is looked up or kept. Without a target it is the link to the run.",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="target",
                kind="json",
                flags=("--target",),
                metavar="JSON",
                help="What to link to: kind and the fields of that kind; default is the run.",
                limits="a JSON object told apart by kind: lane | session | run | file | commit | pr | issue",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
        ),
        examples=(
            ExampleInfo(
                title="The run itself",
                line="ade runs deeplink RUN --role orchestrator",
                error=None,
            ),
            ExampleInfo(
                title="A path that leads out of the repository",
                line='ade runs deeplink RUN --target \'{"kind": "file", "path": "../secrets.txt"}\' --role orchestrator',
                error=None,
            ),
            ExampleInfo(
                title="A run nobody made",
                line="ade runs deeplink run_none --role orchestrator",
                error="run_not_found",
            ),
        ),
        skeleton={"run": "", "target": {"kind": "lane", "project": "", "lane": ""}},
    )


def run_offer_light_plan() -> ActionCommand:
    return ActionCommand(
        "offer-light",
        group="runs",
        action="run.offer_light_plan",
        tool="offerLightPlan",
        effect="write",
        scope="project",
        aliases=(),
        summary="Offer the user the short way of planning, without rounds.",
        description="It is open after the intake and before any round. The same call waits on.",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="summary",
                kind="text",
                flags=("--summary",),
                metavar="SUMMARY",
                help="What will be done, in plain words.",
                limits="text, 1 to 4000 characters",
                required=True,
                positional=True,
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
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(
                code="run_over",
                exit=5,
                summary="The run is completed, was cancelled, or is one of elsewhere that was imported.",
            ),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="run_invalid", exit=2, summary="A change would leave the manifest wrong."),
            ErrorInfo(code="stage_conflict", exit=5, summary="Planning is at another stage."),
            ErrorInfo(
                code="plan_already_approved", exit=5, summary="The plan was approved; planning is over."
            ),
            ErrorInfo(code="rounds_started", exit=5, summary="A round was asked already."),
            ErrorInfo(code="run_question_pending", exit=5, summary="The run has asked something else."),
            ErrorInfo(code="light_plan_declined", exit=5, summary="The user wants to be asked."),
            ErrorInfo(code="question_not_found", exit=4, summary="No such question."),
            ErrorInfo(code="plan_unusable", exit=1, summary="plan.md cannot be used."),
        ),
        examples=(
            ExampleInfo(
                title="A small change",
                line="ade runs offer-light RUN 'One worker renames the button.' --wait 0s --role orchestrator",
                error=None,
            ),
            ExampleInfo(
                title="Before the intake",
                line="ade runs offer-light RUN 'One worker renames the button.' --wait 0s --role orchestrator",
                error="stage_conflict",
            ),
        ),
        skeleton={"run": "", "summary": "", "wait": 50},
    )


def run_outside() -> ActionCommand:
    return ActionCommand(
        "outside",
        group="runs",
        action="run.outside",
        tool="run_outside",
        effect="read",
        scope="project",
        aliases=(),
        summary="List what was changed outside of the lanes of a run's workers and validators while they were at work.",
        description="It is found at the end of their turns, and when they give a task back; nothing is put back. Of somebody it is said only where no other session was at work. What the owner changes by hand looks the same.",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
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
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
        ),
        examples=(
            ExampleInfo(
                title="Nothing",
                line="ade runs outside RUN",
                error=None,
            ),
            ExampleInfo(
                title="A run nobody made",
                line="ade runs outside run_none",
                error="run_not_found",
            ),
        ),
        skeleton={"run": "", "limit": 50, "cursor": ""},
    )


def run_plan() -> ActionCommand:
    return ActionCommand(
        "plan",
        group="runs",
        action="run.plan",
        tool="run_plan",
        effect="read",
        scope="project",
        aliases=(),
        summary="Read the plan of a run, and what it lacks.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="plan_unusable", exit=1, summary="plan.md cannot be used."),
        ),
        examples=(
            ExampleInfo(
                title="A plan that has only its goal",
                line="ade runs plan RUN",
                error=None,
            ),
            ExampleInfo(
                title="A run nobody made",
                line="ade runs plan run_none",
                error="run_not_found",
            ),
        ),
        skeleton={"run": ""},
    )


def run_plan_append() -> ActionCommand:
    return ActionCommand(
        "append-plan",
        group="runs",
        action="run.plan_append",
        tool="planAppend",
        effect="write",
        scope="project",
        aliases=(),
        summary="Add to the end of plan.md; what workers and validators add goes to notes.md beside it.",
        description="So the bytes that the user approved stay what they are.",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="text",
                kind="text",
                flags=("--text-value",),
                metavar="TEXT",
                help="What to add.",
                limits="text, 1 to 100000 characters",
                required=True,
                positional=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(
                code="run_over",
                exit=5,
                summary="The run is completed, was cancelled, or is one of elsewhere that was imported.",
            ),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="plan_unusable", exit=1, summary="plan.md cannot be used."),
        ),
        examples=(
            ExampleInfo(
                title="A section",
                line="ade runs append-plan RUN '\n## In scope\n\nPasskeys for everybody.\n' --role orchestrator",
                error=None,
            ),
            ExampleInfo(
                title="A run nobody made",
                line="ade runs append-plan run_none more --role orchestrator",
                error="run_not_found",
            ),
        ),
        skeleton={"run": "", "text": ""},
    )


def run_plan_write() -> ActionCommand:
    return ActionCommand(
        "write-plan",
        group="runs",
        action="run.plan_write",
        tool="planWrite",
        effect="write",
        scope="project",
        aliases=(),
        summary="Write plan.md anew.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="text",
                kind="text",
                flags=("--text-value",),
                metavar="TEXT",
                help="The whole plan in Markdown.",
                limits="text, 1 to 200000 characters",
                required=True,
            ),
            FieldParam(
                field="replaces",
                kind="text",
                flags=("--replaces",),
                metavar="TEXT",
                help="SHA-256 of the plan you have read; another stays.",
                limits="text, matching ^[0-9a-f]{64}$",
                required=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(
                code="run_over",
                exit=5,
                summary="The run is completed, was cancelled, or is one of elsewhere that was imported.",
            ),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="plan_changed", exit=5, summary="plan.md is not the one that was read."),
            ErrorInfo(code="plan_unusable", exit=1, summary="plan.md cannot be used."),
        ),
        examples=(
            ExampleInfo(
                title="In place of the one that was read",
                line="ade runs write-plan RUN --text-value '# Login\n' --replaces PLAN --role orchestrator",
                error=None,
            ),
            ExampleInfo(
                title="Somebody else was faster",
                line="ade runs write-plan RUN --text-value '# Login\n' --replaces 0000000000000000000000000000000000000000000000000000000000000000 --role orchestrator",
                error="plan_changed",
            ),
        ),
        skeleton={"run": "", "text": "", "replaces": ""},
    )


def run_policy() -> ActionCommand:
    return ActionCommand(
        "policy",
        group="runs",
        action="run.policy",
        tool="run_policy",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Tell who may patch what in a run, and what moves its planning.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="role",
                kind="text",
                flags=("--role-value",),
                metavar="ROLE",
                help="Only what members of this role may.",
                limits="one of lead, worker, validator",
                positional=True,
                choices=("lead", "worker", "validator"),
            ),
        ),
        rules=(),
        errors=(),
        examples=(
            ExampleInfo(
                title="What a validator may",
                line="ade runs policy validator",
                error=None,
            ),
        ),
        skeleton={"role": "lead"},
    )


def run_propose_validation_steps() -> ActionCommand:
    return ActionCommand(
        "propose-steps",
        group="runs",
        action="run.propose_validation_steps",
        tool="proposeValidationSteps",
        effect="read",
        scope="project",
        aliases=(),
        summary="Suggest validation steps from what the intake says; nothing is written.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
        ),
        examples=(
            ExampleInfo(
                title="After the intake",
                line="ade runs propose-steps RUN --role orchestrator",
                error=None,
            ),
            ExampleInfo(
                title="A run nobody made",
                line="ade runs propose-steps run_none --role orchestrator",
                error="run_not_found",
            ),
        ),
        skeleton={"run": ""},
    )


def run_read_linear_issue() -> ActionCommand:
    return ActionCommand(
        "issue",
        group="runs",
        action="run.read_linear_issue",
        tool="readLinearIssue",
        effect="read",
        scope="project",
        aliases=(),
        summary="Read an issue of Linear, for who leads a run.",
        description="Where Linear is not connected the answer says so, and where the run's lane has no issue it has none either.",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="issue",
                kind="text",
                flags=("--issue",),
                metavar="ISSUE",
                help="Issue, such as ENG-123; default is that of the run's lane.",
                limits="text, 3 to 60 characters, matching ^([A-Za-z][A-Za-z0-9]*-[1-9][0-9]*|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
                positional=True,
            ),
            FieldParam(
                field="comments",
                kind="integer",
                flags=("--comments",),
                metavar="INTEGER",
                help="How many comments to show at most.",
                limits="an integer, 1 to 100; default 30",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
        ),
        examples=(
            ExampleInfo(
                title="An issue with its text",
                line="ade runs issue RUN ENG-1 --role orchestrator",
                error=None,
            ),
            ExampleInfo(
                title="A lane without an issue",
                line="ade runs issue RUN --role orchestrator",
                error=None,
            ),
            ExampleInfo(
                title="Linear is not connected",
                line="ade runs issue RUN ENG-1 --role orchestrator",
                error=None,
            ),
            ExampleInfo(
                title="A run nobody made",
                line="ade runs issue run_none --role orchestrator",
                error="run_not_found",
            ),
        ),
        skeleton={"run": "", "issue": "", "comments": 30},
    )


def run_read_pr() -> ActionCommand:
    return ActionCommand(
        "pr",
        group="runs",
        action="run.read_pr",
        tool="readPr",
        effect="read",
        scope="project",
        aliases=(),
        summary="Read a pull request, for who leads a run.",
        description="Where GitHub is not connected the answer says so, and where the run's lane has no pull request it has none either.",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="number",
                kind="integer",
                flags=("--number",),
                metavar="NUMBER",
                help="Number of the pull request; default is that of the lane.",
                limits="an integer, 1 to 2147483647",
                positional=True,
                complete="pulls",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane whose pull request it is; default is the run's.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(RuleInfo(kind="at_most_one_of", fields=("number", "lane")),),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
        ),
        examples=(
            ExampleInfo(
                title="That of a worker's lane",
                line="ade runs pr RUN --lane fix-login --role orchestrator",
                error=None,
            ),
            ExampleInfo(
                title="A number that no pull request has",
                line="ade runs pr RUN 4000 --role orchestrator",
                error=None,
            ),
            ExampleInfo(
                title="A run nobody made",
                line="ade runs pr run_none --role orchestrator",
                error="run_not_found",
            ),
        ),
        skeleton={"run": "", "number": 1, "lane": ""},
    )


def run_record_codebase_intake() -> ActionCommand:
    return ActionCommand(
        "intake",
        group="runs",
        action="run.record_codebase_intake",
        tool="recordCodebaseIntake",
        effect="write",
        scope="project",
        aliases=(),
        summary="Tell what you found in the code, before anything is asked.",
        description="",
        guidance="Read the code first; what you tell here decides what is asked.",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="project_shape",
                kind="text",
                flags=("--project-shape",),
                metavar="TEXT",
                help="What the project is made of.",
                limits="text, 1 to 8000 characters",
                required=True,
            ),
            FieldParam(
                field="test_stack",
                kind="text",
                flags=("--test-stack",),
                metavar="TEXT",
                help="How it is tested.",
                limits="text, 1 to 4000 characters",
                required=True,
            ),
            FieldParam(
                field="in_flight_work",
                kind="text",
                flags=("--in-flight-work",),
                metavar="TEXT",
                help="What others work at.",
                limits="text, 1 to 4000 characters",
                required=True,
            ),
            FieldParam(
                field="touches_ui_surface",
                kind="boolean",
                flags=("--touches-ui-surface",),
                metavar="BOOLEAN",
                help="Whether anything visible changes; without it there is no UI round.",
                limits="true or false",
                required=True,
                off_flag="--no-touches-ui-surface",
            ),
            FieldParam(
                field="ancillary_surfaces",
                kind="text",
                flags=("--ancillary-surfaces",),
                metavar="TEXT",
                help="What else may be touched.",
                limits="a list of at most 100 items, each text, 1 to 1000 characters",
                many=True,
            ),
            FieldParam(
                field="doc_map",
                kind="text",
                flags=("--doc-map",),
                metavar="TEXT",
                help="Documents there are.",
                limits="a list of at most 200 items, each text, 1 to 1000 characters",
                many=True,
            ),
            FieldParam(
                field="ci_gates",
                kind="text",
                flags=("--ci-gates",),
                metavar="TEXT",
                help="Checks that must pass.",
                limits="a list of at most 100 items, each text, 1 to 1000 characters",
                many=True,
            ),
            FieldParam(
                field="goal_source",
                kind="text",
                flags=("--goal-source",),
                metavar="TEXT",
                help="Where the goal comes from, such as an issue.",
                limits="text, 1 to 1000 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(
                code="run_over",
                exit=5,
                summary="The run is completed, was cancelled, or is one of elsewhere that was imported.",
            ),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="run_invalid", exit=2, summary="A change would leave the manifest wrong."),
            ErrorInfo(code="stage_conflict", exit=5, summary="Planning is at another stage."),
            ErrorInfo(
                code="plan_already_approved", exit=5, summary="The plan was approved; planning is over."
            ),
            ErrorInfo(code="plan_unusable", exit=1, summary="plan.md cannot be used."),
        ),
        examples=(
            ExampleInfo(
                title="Nothing visible changes",
                line="ade runs intake RUN --project-shape Python --test-stack pytest --in-flight-work none --no-touches-ui-surface --role orchestrator",
                error=None,
            ),
            ExampleInfo(
                title="Once more",
                line="ade runs intake RUN --project-shape Python --test-stack pytest --in-flight-work none --no-touches-ui-surface --role orchestrator",
                error="stage_conflict",
            ),
        ),
        skeleton={
            "run": "",
            "project_shape": "",
            "test_stack": "",
            "in_flight_work": "",
            "touches_ui_surface": False,
            "ancillary_surfaces": [""],
            "doc_map": [""],
            "ci_gates": [""],
            "goal_source": "",
        },
    )


def run_record_planning_override() -> ActionCommand:
    return ActionCommand(
        "ask-override",
        group="runs",
        action="run.record_planning_override",
        tool="recordPlanningOverride",
        effect="write",
        scope="project",
        aliases=(),
        summary="Ask the user to let rounds of planning, validation, or the gate of one task pass.",
        description="Only the user's own answer waives anything, and it is kept word for word. The same call waits on.",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="rounds",
                kind="text",
                flags=("--rounds",),
                metavar="TEXT",
                help="Rounds to leave out.",
                limits="a list of 1 to 3 items, no two alike, each one of functional, ui, extras",
                many=True,
                choices=("functional", "ui", "extras"),
            ),
            FieldParam(
                field="validation",
                kind="boolean",
                flags=("--validation",),
                metavar="BOOLEAN",
                help="Do without validation in the whole run.",
                limits="true or false",
                off_flag="--no-validation",
            ),
            FieldParam(
                field="task",
                kind="text",
                flags=("--task",),
                metavar="TEXT",
                help="Task that may be done although its gate has not passed.",
                limits="text, 1 to 120 characters",
            ),
            FieldParam(
                field="why",
                kind="text",
                flags=("--why",),
                metavar="TEXT",
                help="What the user must know to decide.",
                limits="text, 1 to 2000 characters",
                required=True,
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
        rules=(RuleInfo(kind="exactly_one_of", fields=("rounds", "validation", "task")),),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(
                code="run_over",
                exit=5,
                summary="The run is completed, was cancelled, or is one of elsewhere that was imported.",
            ),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="run_invalid", exit=2, summary="A change would leave the manifest wrong."),
            ErrorInfo(
                code="plan_already_approved", exit=5, summary="The plan was approved; planning is over."
            ),
            ErrorInfo(code="task_not_found", exit=4, summary="The run has no such task or step."),
            ErrorInfo(code="task_over", exit=5, summary="The task has ended."),
            ErrorInfo(code="run_question_pending", exit=5, summary="The run has asked something else."),
            ErrorInfo(code="override_declined", exit=5, summary="The user keeps what was to be left out."),
            ErrorInfo(code="question_not_found", exit=4, summary="No such question."),
            ErrorInfo(code="plan_unusable", exit=1, summary="plan.md cannot be used."),
        ),
        examples=(
            ExampleInfo(
                title="Two rounds",
                line="ade runs ask-override RUN --rounds ui --rounds extras --why 'The change is small.' --wait 0s --role orchestrator",
                error=None,
            ),
        ),
        skeleton={
            "run": "",
            "rounds": ["functional"],
            "validation": False,
            "task": "",
            "why": "",
            "wait": 50,
        },
    )


def run_record_scheduled_followup() -> ActionCommand:
    return ActionCommand(
        "follow-up",
        group="runs",
        action="run.record_scheduled_followup",
        tool="recordScheduledFollowup",
        effect="write",
        scope="project",
        aliases=(),
        summary="Note work for later that the run leaves, and the schedule that brings it about.",
        description="Without a schedule it waits; with one it is armed. The same id again changes it, and what has fired stays fired. It may be noted of a completed run, too.",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="id",
                kind="text",
                flags=("--id",),
                metavar="ID",
                help="An id within the run.",
                limits="text, 1 to 120 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="prompt",
                kind="text",
                flags=("--prompt",),
                metavar="PROMPT",
                help="What is to be done then.",
                limits="text, 1 to 4000 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="status",
                kind="text",
                flags=("--status",),
                metavar="TEXT",
                help="pending, scheduled, fired or cancelled.",
                limits="one of pending, scheduled, fired, cancelled; default pending",
                choices=("pending", "scheduled", "fired", "cancelled"),
            ),
            FieldParam(
                field="schedule",
                kind="text",
                flags=("--schedule",),
                metavar="TEXT",
                help="Schedule that brings it about.",
                limits="text, 1 to 60 characters",
                complete="schedules",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(
                code="run_over",
                exit=5,
                summary="The run is completed, was cancelled, or is one of elsewhere that was imported.",
            ),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="run_invalid", exit=2, summary="A change would leave the manifest wrong."),
            ErrorInfo(code="schedule_not_found", exit=4, summary="No such schedule."),
        ),
        examples=(
            ExampleInfo(
                title="Said to be scheduled, by no schedule",
                line="ade runs follow-up RUN ci 'Look whether CI is green.' --status scheduled --role orchestrator",
                error=None,
            ),
            ExampleInfo(
                title="A schedule that does not exist",
                line="ade runs follow-up RUN ci 'Look whether CI is green.' --schedule sch_none --role orchestrator",
                error="schedule_not_found",
            ),
        ),
        skeleton={"run": "", "id": "", "prompt": "", "status": "pending", "schedule": ""},
    )


def run_record_validation_run() -> ActionCommand:
    return ActionCommand(
        "check",
        group="runs",
        action="run.record_validation_run",
        tool="recordValidationRun",
        effect="write",
        scope="project",
        aliases=(),
        summary="Record that a validation step was gone through, and what was found.",
        description="Nothing passes with a blocker or high finding. A validator who has not tried a task opens its gate; a worker records only the checks of its own work that the plan asks of it (scope per_worker).",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="step",
                kind="text",
                flags=("--step",),
                metavar="STEP",
                help="An id within the run.",
                limits="text, 1 to 120 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="task",
                kind="text",
                flags=("--task",),
                metavar="TEXT",
                help="Task that was checked; without it the run as a whole.",
                limits="text, 1 to 120 characters",
            ),
            FieldParam(
                field="passed",
                kind="boolean",
                flags=("--passed",),
                metavar="BOOLEAN",
                help="Whether it passed.",
                limits="true or false",
                required=True,
                off_flag="--no-passed",
            ),
            FieldParam(
                field="findings",
                kind="json",
                flags=("--findings",),
                metavar="JSON",
                help="What was found.",
                limits="a list of at most 200 items, each a JSON object",
                many=True,
            ),
            FieldParam(
                field="evidence",
                kind="text",
                flags=("--evidence",),
                metavar="TEXT",
                help="What shows it.",
                limits="a list of at most 100 items, each text, 1 to 4000 characters",
                many=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(
                code="run_over",
                exit=5,
                summary="The run is completed, was cancelled, or is one of elsewhere that was imported.",
            ),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="run_invalid", exit=2, summary="A change would leave the manifest wrong."),
            ErrorInfo(code="task_not_found", exit=4, summary="The run has no such task or step."),
            ErrorInfo(code="step_not_found", exit=4, summary="The run has no such validation step."),
            ErrorInfo(code="check_refused", exit=5, summary="The check does not count."),
        ),
        examples=(
            ExampleInfo(
                title="The tests pass",
                line="ade runs check RUN tests --task T-1 --passed --evidence '41 passed'",
                error=None,
            ),
            ExampleInfo(
                title="Passed in spite of a blocker",
                line='ade runs check RUN tests --task T-1 --passed --findings \'{"severity": "blocker", "title": "It deletes accounts"}\'',
                error="check_refused",
            ),
        ),
        skeleton={
            "run": "",
            "step": "",
            "task": "",
            "passed": False,
            "findings": [
                {
                    "severity": "blocker",
                    "title": "",
                    "locus": "",
                    "detail": "",
                    "fix": "",
                    "behaviorPreserving": False,
                    "regressionTestTarget": "",
                }
            ],
            "evidence": [""],
        },
    )


def run_recover_stale_tasks() -> ActionCommand:
    return ActionCommand(
        "recover",
        group="runs",
        action="run.recover_stale_tasks",
        tool="recoverStaleTasks",
        effect="write",
        scope="project",
        aliases=(),
        summary="Take back what nobody works at any more.",
        description="Claims whose lease is over or whose holder has ended wait for a claim again; agents that are silent are marked. It happens by itself, too. Tasks that you name are taken back whoever holds them.",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="tasks",
                kind="text",
                flags=("--tasks",),
                metavar="TASKS",
                help="Tasks to take back whoever holds them.",
                limits="a list of 1 to 100 items, no two alike, each text, 1 to 120 characters",
                positional=True,
                many=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(
                code="run_over",
                exit=5,
                summary="The run is completed, was cancelled, or is one of elsewhere that was imported.",
            ),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="run_invalid", exit=2, summary="A change would leave the manifest wrong."),
            ErrorInfo(code="task_not_found", exit=4, summary="The run has no such task or step."),
        ),
        examples=(
            ExampleInfo(
                title="A task is taken back",
                line="ade runs recover RUN T-1 --role orchestrator",
                error=None,
            ),
            ExampleInfo(
                title="Nothing is stale",
                line="ade runs recover RUN --role orchestrator",
                error=None,
            ),
            ExampleInfo(
                title="A task that does not exist",
                line="ade runs recover RUN T-9 --role orchestrator",
                error="task_not_found",
            ),
        ),
        skeleton={"run": "", "tasks": [""]},
    )


def run_register_asset() -> ActionCommand:
    return ActionCommand(
        "asset",
        group="runs",
        action="run.register_asset",
        tool="registerAsset",
        effect="write",
        scope="project",
        aliases=(),
        summary="Register a file or a link that the run has made.",
        description="A file lies in the artifacts folder of the run's bundle; with from, a file of your lane is copied there. The same path or link again is its next version.",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="kind",
                kind="text",
                flags=("--kind",),
                metavar="KIND",
                help="What it is.",
                limits="one of html_spec, screenshot, test_log, doc, proof_artifact, computer_use, video, pr_link, linear_issue, deeplink",
                required=True,
                positional=True,
                choices=(
                    "html_spec",
                    "screenshot",
                    "test_log",
                    "doc",
                    "proof_artifact",
                    "computer_use",
                    "video",
                    "pr_link",
                    "linear_issue",
                    "deeplink",
                ),
            ),
            FieldParam(
                field="path",
                kind="text",
                flags=("--path",),
                metavar="TEXT",
                help="File within artifacts, such as log.txt.",
                limits="text, 1 to 1000 characters",
            ),
            FieldParam(
                field="from",
                kind="text",
                flags=("--from",),
                metavar="TEXT",
                help="File of your lane that is copied there.",
                limits="text, 1 to 4096 characters",
            ),
            FieldParam(
                field="url",
                kind="text",
                flags=("--url",),
                metavar="TEXT",
                help="Address of what is elsewhere.",
                limits="text, 1 to 4096 characters, matching ^(https?|ade)://[^ ]+$",
            ),
            FieldParam(
                field="pr_number",
                kind="integer",
                flags=("--pr-number",),
                metavar="INTEGER",
                help="Number of the pull request.",
                limits="an integer, at least 1",
            ),
            FieldParam(
                field="linear_id",
                kind="text",
                flags=("--linear-id",),
                metavar="TEXT",
                help="Id of the Linear issue.",
                limits="text, 1 to 120 characters",
            ),
            FieldParam(
                field="artifact_id",
                kind="text",
                flags=("--artifact-id",),
                metavar="TEXT",
                help="Id of the proof.",
                limits="text, 1 to 120 characters",
            ),
        ),
        rules=(
            RuleInfo(kind="at_least_one_of", fields=("path", "url", "pr_number", "linear_id", "artifact_id")),
            RuleInfo(kind="requires", fields=("from", "path")),
        ),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(
                code="run_over",
                exit=5,
                summary="The run is completed, was cancelled, or is one of elsewhere that was imported.",
            ),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="run_invalid", exit=2, summary="A change would leave the manifest wrong."),
            ErrorInfo(code="asset_unusable", exit=2, summary="The asset is not there, or is elsewhere."),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
        ),
        examples=(
            ExampleInfo(
                title="A pull request",
                line="ade runs asset RUN pr_link --url https://github.com/acme/login/pull/7 --pr-number 7",
                error=None,
            ),
            ExampleInfo(
                title="A file that is not there",
                line="ade runs asset RUN test_log --path log.txt",
                error="asset_unusable",
            ),
        ),
        skeleton={
            "run": "",
            "kind": "html_spec",
            "path": "",
            "from": "",
            "url": "",
            "pr_number": 1,
            "linear_id": "",
            "artifact_id": "",
        },
    )


def run_release_task() -> ActionCommand:
    return ActionCommand(
        "release",
        group="runs",
        action="run.release_task",
        tool="releaseTask",
        effect="write",
        scope="project",
        aliases=(),
        summary="Give a task back: done, failed, for review, or for somebody else.",
        description="Done needs that its gate has passed. For review it stays yours, and you wait. Your lead is told of each.",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="task",
                kind="text",
                flags=("--task",),
                metavar="TASK",
                help="An id within the run.",
                limits="text, 1 to 120 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="status",
                kind="text",
                flags=("--status",),
                metavar="STATUS",
                help="done, failed, review, or pending for somebody else to do.",
                limits="one of done, failed, review, pending",
                required=True,
                positional=True,
                choices=("done", "failed", "review", "pending"),
            ),
            FieldParam(
                field="summary",
                kind="text",
                flags=("-s", "--summary"),
                metavar="TEXT",
                help="What came of it, or why it did not work.",
                limits="text, 1 to 4000 characters",
                required=True,
            ),
            FieldParam(
                field="evidence",
                kind="text",
                flags=("--evidence",),
                metavar="TEXT",
                help="What shows it, such as commits and logs of tests.",
                limits="a list of at most 100 items, each text, 1 to 4000 characters",
                many=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(
                code="run_over",
                exit=5,
                summary="The run is completed, was cancelled, or is one of elsewhere that was imported.",
            ),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="run_invalid", exit=2, summary="A change would leave the manifest wrong."),
            ErrorInfo(code="task_not_found", exit=4, summary="The run has no such task or step."),
            ErrorInfo(code="task_over", exit=5, summary="The task has ended."),
            ErrorInfo(
                code="task_not_held", exit=5, summary="The task is not yours to give back, or not as that."
            ),
            ErrorInfo(code="gate_not_passed", exit=5, summary="The task's gate has not passed."),
        ),
        examples=(
            ExampleInfo(
                title="It is done",
                line="ade runs release RUN T-1 done --summary 'Passkeys are stored.' --evidence 'commit 1f2e3d'",
                error=None,
            ),
            ExampleInfo(
                title="Somebody else holds it",
                line="ade runs release RUN T-1 done --summary 'Looks good.'",
                error="task_not_held",
            ),
        ),
        skeleton={"run": "", "task": "", "status": "done", "summary": "", "evidence": [""]},
    )


def run_request_plan_approval() -> ActionCommand:
    return ActionCommand(
        "ask-approval",
        group="runs",
        action="run.request_plan_approval",
        tool="requestPlanApproval",
        effect="write",
        scope="project",
        aliases=(),
        summary="Show the user plan.md and ask for approval.",
        description="Everything must be there; what is missing is listed and nobody is asked. What is approved are these very bytes. The same call waits on.",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
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
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(
                code="run_over",
                exit=5,
                summary="The run is completed, was cancelled, or is one of elsewhere that was imported.",
            ),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="run_invalid", exit=2, summary="A change would leave the manifest wrong."),
            ErrorInfo(code="stage_conflict", exit=5, summary="Planning is at another stage."),
            ErrorInfo(
                code="plan_already_approved", exit=5, summary="The plan was approved; planning is over."
            ),
            ErrorInfo(code="planning_incomplete", exit=5, summary="Something is missing before approval."),
            ErrorInfo(code="plan_not_ready", exit=5, summary="plan.md lacks something."),
            ErrorInfo(code="run_question_pending", exit=5, summary="The run has asked something else."),
            ErrorInfo(code="plan_rejected", exit=5, summary="The user did not approve the plan."),
            ErrorInfo(code="plan_changed_after_review", exit=5, summary="plan.md is not what was shown."),
            ErrorInfo(code="approval_prompt_failed", exit=1, summary="The user could not be asked."),
            ErrorInfo(code="question_not_found", exit=4, summary="No such question."),
            ErrorInfo(code="plan_unusable", exit=1, summary="plan.md cannot be used."),
        ),
        examples=(
            ExampleInfo(
                title="A plan that lacks nothing",
                line="ade runs ask-approval RUN --wait 0s --role orchestrator",
                error=None,
            ),
            ExampleInfo(
                title="A run that has hardly begun",
                line="ade runs ask-approval RUN --wait 0s --role orchestrator",
                error="planning_incomplete",
            ),
        ),
        skeleton={"run": "", "wait": 50},
    )


def run_search_workspace() -> ActionCommand:
    return ActionCommand(
        "search",
        group="runs",
        action="run.search_workspace",
        tool="searchWorkspace",
        effect="read",
        scope="project",
        aliases=(),
        summary="Search what the project holds, for who leads a run.",
        description="What cannot be searched is told in the answer and is no error.",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="query",
                kind="text",
                flags=("--query",),
                metavar="QUERY",
                help="Words to look for.",
                limits="text, 1 to 400 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="kinds",
                kind="text",
                flags=("-k", "--kind"),
                metavar="TEXT",
                help="Kinds of results; all when left out.",
                limits="a list of at most 20 items, no two alike, each one of chat, commit, issue, lane, memory, pr, proof",
                many=True,
                choices=("chat", "commit", "issue", "lane", "memory", "pr", "proof"),
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many to return at most.",
                limits="an integer, 1 to 100; default 20",
            ),
            FieldParam(
                field="cursor",
                kind="text",
                flags=("--cursor",),
                metavar="TEXT",
                help="Where to go on; next of the last answer.",
                limits="text, 1 to 20 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
        ),
        examples=(
            ExampleInfo(
                title="The run's lane by its name",
                line="ade runs search RUN fix-login --kind lane --role orchestrator",
                error=None,
            ),
            ExampleInfo(
                title="Signs without a word",
                line="ade runs search RUN '***' --role orchestrator",
                error=None,
            ),
            ExampleInfo(
                title="A run nobody made",
                line="ade runs search run_none login --role orchestrator",
                error="run_not_found",
            ),
        ),
        skeleton={"run": "", "query": "", "kinds": ["chat"], "limit": 20, "cursor": ""},
    )


def run_section() -> ActionCommand:
    return ActionCommand(
        "section",
        group="runs",
        action="run.section",
        tool="section_read",
        effect="read",
        scope="project",
        aliases=(),
        summary="Read a section of a run's manifest.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="section",
                kind="text",
                flags=("--section",),
                metavar="SECTION",
                help="A section of the manifest.",
                limits="one of phases, agents, tasks, steps, checklist, routing, assets, decisions, overrides, planning, approval, finishing and 2 more",
                required=True,
                positional=True,
                choices=(
                    "phases",
                    "agents",
                    "tasks",
                    "steps",
                    "checklist",
                    "routing",
                    "assets",
                    "decisions",
                    "overrides",
                    "planning",
                    "approval",
                    "finishing",
                    "followups",
                    "lineage",
                ),
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many rows to return at most.",
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
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
        ),
        examples=(
            ExampleInfo(
                title="Who takes part",
                line="ade runs section RUN agents",
                error=None,
            ),
        ),
        skeleton={"run": "", "section": "phases", "limit": 50, "cursor": ""},
    )


def run_show() -> ActionCommand:
    return ActionCommand(
        "show",
        group="runs",
        action="run.show",
        tool="run_show",
        effect="read",
        scope="project",
        aliases=(),
        summary="Tell how a run stands, and what is missing before its plan can be approved.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="plan_unusable", exit=1, summary="plan.md cannot be used."),
        ),
        examples=(
            ExampleInfo(
                title="A run that has just been made",
                line="ade runs show RUN",
                error=None,
            ),
            ExampleInfo(
                title="A run nobody made",
                line="ade runs show run_none",
                error="run_not_found",
            ),
        ),
        skeleton={"run": ""},
    )


def run_spawn_agent() -> ActionCommand:
    return ActionCommand(
        "spawn",
        group="runs",
        action="run.spawn_agent",
        tool="spawnAgent",
        effect="write",
        scope="project",
        aliases=(),
        summary="Start a worker or validator of the run, with a brief, in a lane of its own.",
        description="The plan must be approved and be what it was then. The agent is a managed chat with the model that the user chose for its role and tag. The same request started twice is one agent; once that one is over, it is a new one.",
        guidance="One agent for each part that nobody else touches; say in its brief what it must not touch.",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="role",
                kind="text",
                flags=("--role-value",),
                metavar="ROLE",
                help="What the agent does in the run.",
                limits="one of worker, validator",
                required=True,
                positional=True,
                choices=("worker", "validator"),
            ),
            FieldParam(
                field="name",
                kind="text",
                flags=("--name",),
                metavar="NAME",
                help="What people call it; its lane is named after it.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="brief",
                kind="text",
                flags=("--brief",),
                metavar="TEXT",
                help="What it is told, in Markdown: the headings goal, context, scope, constraints, done when and report, each with something below it.",
                limits="text, 1 to 50000 characters",
                required=True,
            ),
            FieldParam(
                field="tag",
                kind="text",
                flags=("--tag",),
                metavar="TEXT",
                help="Its speciality, such as backend.",
                limits="text, 1 to 60 characters",
            ),
            FieldParam(
                field="step",
                kind="text",
                flags=("--step",),
                metavar="TEXT",
                help="Task or validation step that it is started for.",
                limits="text, 1 to 120 characters",
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("--lane",),
                metavar="TEXT",
                help="Lane to work in, such as that of the worker whose work is validated; default is a new one.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="parent",
                kind="text",
                flags=("--parent",),
                metavar="TEXT",
                help="Lane that the new one is based on; default is the run's.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="model",
                kind="json",
                flags=("--model",),
                metavar="JSON",
                help="Model in place of the one that was chosen.",
                limits="a JSON object with provider, modelId, reasoningEffort, fastMode",
            ),
            FieldParam(
                field="budget",
                kind="json",
                flags=("--budget",),
                metavar="JSON",
                help="How much it may use; never more than the run's own budget for each agent.",
                limits="a JSON object with maxTokens, maxCostUsd, maxWallClockSeconds, maxTurns, onExceeded",
            ),
            FieldParam(
                field="permission_mode",
                kind="text",
                flags=("--permission-mode",),
                metavar="TEXT",
                help="How much the agent may do unasked. default: what the program allows by itself; auto: what its own judge allows; plan: nothing but reading; edit: edits in its lane; full-auto: everything.",
                limits="one of default, auto, plan, edit, full-auto; default edit",
                choices=("default", "auto", "plan", "edit", "full-auto"),
            ),
            FieldParam(
                field="key",
                kind="text",
                flags=("--key",),
                metavar="TEXT",
                help="Your own id of this request: the same once more gives the same agent.",
                limits="text, 1 to 120 characters",
            ),
        ),
        rules=(RuleInfo(kind="at_most_one_of", fields=("lane", "parent")),),
        errors=(
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(
                code="run_over",
                exit=5,
                summary="The run is completed, was cancelled, or is one of elsewhere that was imported.",
            ),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(code="run_invalid", exit=2, summary="A change would leave the manifest wrong."),
            ErrorInfo(
                code="plan_not_approved", exit=5, summary="Agents are started only once the plan is approved."
            ),
            ErrorInfo(code="plan_drifted", exit=5, summary="plan.md is not the one that was approved."),
            ErrorInfo(code="plan_unusable", exit=1, summary="plan.md cannot be used."),
            ErrorInfo(
                code="brief_incomplete",
                exit=5,
                summary="The brief of an agent does not say all that it needs.",
            ),
            ErrorInfo(code="task_not_found", exit=4, summary="The run has no such task or step."),
            ErrorInfo(
                code="model_not_routed", exit=5, summary="The run's routing has no model for such an agent."
            ),
            ErrorInfo(code="unknown_provider", exit=4, summary="No such provider."),
            ErrorInfo(
                code="unsupported_mode", exit=2, summary="The provider cannot hold the permission mode."
            ),
            ErrorInfo(
                code="agent_program_missing",
                exit=7,
                summary="The agent program is not installed, or not where ADE looks for it.",
            ),
            ErrorInfo(
                code="spawn_in_progress", exit=5, summary="The same agent is being started by another call."
            ),
            ErrorInfo(
                code="too_many_run_agents", exit=5, summary="The run has as many agents at work as it may."
            ),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_missing",
                exit=1,
                summary="The lane's folder is gone, or is no checkout of the project any more.",
            ),
            ErrorInfo(
                code="lane_creation_failed",
                exit=1,
                summary="The lane could not be made; nothing was left behind.",
            ),
            ErrorInfo(
                code="invalid_branch_name",
                exit=2,
                summary="The name cannot be made into a branch that git accepts.",
            ),
            ErrorInfo(
                code="repository_has_no_commits",
                exit=1,
                summary="The repository has no commit yet, and a lane has to start from one.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A brief that says too little",
                line="ade runs spawn RUN worker Store --brief 'Store passkeys.' --role orchestrator",
                error="brief_incomplete",
            ),
            ExampleInfo(
                title="Before the plan is approved",
                line="ade runs spawn RUN worker Store --brief 'Store passkeys.' --role orchestrator",
                error="plan_not_approved",
            ),
        ),
        skeleton={
            "run": "",
            "role": "worker",
            "name": "",
            "brief": "",
            "tag": "",
            "step": "",
            "lane": "",
            "parent": "",
            "model": {"provider": "", "modelId": "", "reasoningEffort": "", "fastMode": False},
            "budget": {
                "maxTokens": 1,
                "maxCostUsd": 0,
                "maxWallClockSeconds": 1,
                "maxTurns": 1,
                "onExceeded": "pause",
            },
            "permission_mode": "edit",
            "key": "",
        },
    )


def run_tasks() -> ActionCommand:
    return ActionCommand(
        "tasks",
        group="runs",
        action="run.tasks",
        tool="run_tasks",
        effect="read",
        scope="project",
        aliases=(),
        summary="List the tasks of a run.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
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
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A task that waits",
                line="ade runs tasks RUN",
                error=None,
            ),
            ExampleInfo(
                title="A run nobody made",
                line="ade runs tasks run_none",
                error="run_not_found",
            ),
        ),
        skeleton={"run": "", "limit": 50, "cursor": ""},
    )


def run_timeline() -> ActionCommand:
    return ActionCommand(
        "timeline",
        group="runs",
        action="run.timeline",
        tool="run_timeline",
        effect="read",
        scope="project",
        aliases=("gantt",),
        summary="Draw who worked at which task from when to when.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="run",
                kind="text",
                flags=("--run",),
                metavar="RUN",
                help="Id of the run.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
                complete="runs",
            ),
            FieldParam(
                field="width",
                kind="integer",
                flags=("--width",),
                metavar="INTEGER",
                help="How many columns the drawing takes.",
                limits="an integer, 40 to 400; default 80",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many attempts to draw at most.",
                limits="an integer, 1 to 500; default 100",
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
            ErrorInfo(code="run_not_found", exit=4, summary="No such run."),
            ErrorInfo(code="run_suspended", exit=1, summary="What is stored for a run is not that run's."),
            ErrorInfo(
                code="invalid_cursor", exit=2, summary="The cursor was not given by an earlier answer."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A run in which nobody has worked yet",
                line="ade runs timeline RUN",
                error=None,
            ),
        ),
        skeleton={"run": "", "width": 80, "limit": 100, "cursor": ""},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "agents": run_agents,
    "answer": run_answer,
    "approve": run_approve,
    "ask-round": run_ask_planning_round,
    "ask-models": run_ask_user_for_model_selection,
    "await": run_await_agent,
    "cancel": run_cancel,
    "finishing": run_choose_finishing_mode,
    "claim": run_claim_task,
    "create": run_create,
    "enlist": run_enlist,
    "expand": run_expand_to_full_plan,
    "export": run_export,
    "agent-transcript": run_get_agent_transcript,
    "history": run_history,
    "import": run_import,
    "lead": run_lead,
    "lineage": run_lineage,
    "list": run_list,
    "proof": run_list_proof_artifacts,
    "patch": run_manifest_patch,
    "message": run_message_agent,
    "messages": run_messages,
    "deeplink": run_mint_deeplink,
    "offer-light": run_offer_light_plan,
    "outside": run_outside,
    "plan": run_plan,
    "append-plan": run_plan_append,
    "write-plan": run_plan_write,
    "policy": run_policy,
    "propose-steps": run_propose_validation_steps,
    "issue": run_read_linear_issue,
    "pr": run_read_pr,
    "intake": run_record_codebase_intake,
    "ask-override": run_record_planning_override,
    "follow-up": run_record_scheduled_followup,
    "check": run_record_validation_run,
    "recover": run_recover_stale_tasks,
    "asset": run_register_asset,
    "release": run_release_task,
    "ask-approval": run_request_plan_approval,
    "search": run_search_workspace,
    "section": run_section,
    "show": run_show,
    "spawn": run_spawn_agent,
    "tasks": run_tasks,
    "timeline": run_timeline,
}
