"""Commands of the linear group. Generated from specs/domains/linear_sync.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam, RuleInfo


def linear_sync_dashboard() -> ActionCommand:
    return ActionCommand(
        "dashboard",
        group="linear",
        action="linear_sync.dashboard",
        tool="getLinearSyncDashboard",
        effect="read",
        scope="project",
        aliases=(),
        summary="Show how the connection to Linear stands, what waits, and what wants a decision.",
        description="",
        guidance="",
        fields=(),
        rules=(),
        errors=(),
        examples=(
            ExampleInfo(
                title="Two issues that nobody decided about",
                line="ade linear dashboard --role cto",
                error=None,
            ),
        ),
        skeleton={},
    )


def linear_sync_ensure_webhook() -> ActionCommand:
    return ActionCommand(
        "ensure-webhook",
        group="linear",
        action="linear_sync.ensure_webhook",
        tool="ensureLinearWebhook",
        effect="write",
        scope="project",
        aliases=(),
        summary="Have Linear tell this project what happens, at a public address that leads to this machine.",
        description="A tunnel or proxy of yours must lead from the address to the port that comes back. Repeating it finds the webhook and puts it right.",
        guidance="",
        fields=(
            FieldParam(
                field="url",
                kind="text",
                flags=("--url",),
                metavar="URL",
                help="Public address, such as https://hooks.example.org.",
                limits="text, 9 to 1000 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="team",
                kind="text",
                flags=("--team",),
                metavar="TEXT",
                help="Key or id of the only team to hear of; default is all public ones.",
                limits="text, 1 to 60 characters",
            ),
            FieldParam(
                field="port",
                kind="integer",
                flags=("--port",),
                metavar="INTEGER",
                help="Port of this machine to listen at; default is a free one.",
                limits="an integer, 1024 to 65535",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="webhook_address_unsafe", exit=1, summary="Linear must not be given such an address."
            ),
            ErrorInfo(
                code="secret_store_failed",
                exit=7,
                summary="The keyring or the encrypted file did not work; nothing was changed.",
            ),
            ErrorInfo(code="linear_key_missing", exit=3, summary="There is no key for Linear."),
            ErrorInfo(
                code="linear_key_malformed",
                exit=3,
                summary="What is set as the key for Linear cannot be one.",
            ),
            ErrorInfo(code="linear_key_refused", exit=3, summary="Linear does not accept the key."),
            ErrorInfo(
                code="linear_address_unsafe",
                exit=1,
                summary="The configured address of Linear must not be sent a key.",
            ),
            ErrorInfo(code="linear_forbidden", exit=3, summary="The account may not do that in Linear."),
            ErrorInfo(code="linear_rate_limited", exit=6, summary="Linear wants fewer requests for a while."),
            ErrorInfo(
                code="linear_unavailable", exit=7, summary="Linear could not be reached, or did not answer."
            ),
            ErrorInfo(code="linear_refused", exit=1, summary="Linear refused the request."),
        ),
        examples=(
            ExampleInfo(
                title="The first time",
                line="ade linear ensure-webhook https://hooks.example.org/ --role cto",
                error=None,
            ),
            ExampleInfo(
                title="An address without encryption",
                line="ade linear ensure-webhook http://hooks.example.org --role cto",
                error="webhook_address_unsafe",
            ),
        ),
        skeleton={"url": "", "team": "", "port": 1024},
    )


def linear_sync_ingress_events() -> ActionCommand:
    return ActionCommand(
        "ingress-events",
        group="linear",
        action="linear_sync.ingress_events",
        tool="listLinearIngressEvents",
        effect="read",
        scope="project",
        aliases=(),
        summary="List what was heard from Linear, the newest first.",
        description="",
        guidance="",
        fields=(
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
                limits="text, 1 to 200 characters",
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
                title="Three issues",
                line="ade linear ingress-events --role cto",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade linear ingress-events --cursor nowhere --role cto",
                error="invalid_cursor",
            ),
        ),
        skeleton={"limit": 50, "cursor": ""},
    )


def linear_sync_ingress_status() -> ActionCommand:
    return ActionCommand(
        "ingress-status",
        group="linear",
        action="linear_sync.ingress_status",
        tool="getLinearIngressStatus",
        effect="read",
        scope="project",
        aliases=(),
        summary="Show where deliveries of Linear come in, and how many were taken or rejected.",
        description="",
        guidance="",
        fields=(),
        rules=(),
        errors=(),
        examples=(
            ExampleInfo(
                title="Before there is a webhook",
                line="ade linear ingress-status --role cto",
                error=None,
            ),
        ),
        skeleton={},
    )


def linear_sync_policy_get() -> ActionCommand:
    return ActionCommand(
        "policy-get",
        group="linear",
        action="linear_sync.policy_get",
        tool="getFlowPolicy",
        effect="read",
        scope="project",
        aliases=(),
        summary="Show the flow policy in force, or an earlier one, and who saved which.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="revision",
                kind="integer",
                flags=("--revision",),
                metavar="INTEGER",
                help="An earlier one; default is the one in force.",
                limits="an integer, at least 1",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="flow_policy_not_found",
                exit=4,
                summary="There never was such a revision of the flow policy.",
            ),
            ErrorInfo(
                code="flow_policy_unreadable",
                exit=1,
                summary="The file of the flow policy cannot be read or written.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="A policy that was saved",
                line="ade linear policy-get --role cto",
                error=None,
            ),
            ExampleInfo(
                title="A revision that there never was",
                line="ade linear policy-get --revision 9 --role cto",
                error="flow_policy_not_found",
            ),
        ),
        skeleton={"revision": 1},
    )


def linear_sync_policy_save() -> ActionCommand:
    return ActionCommand(
        "policy-save",
        group="linear",
        action="linear_sync.policy_save",
        tool="saveFlowPolicy",
        effect="write",
        scope="project",
        aliases=(),
        summary="Put a flow policy in force, or back in force.",
        description="It is checked as a whole first. What waits is decided about anew; what was handed on stays.",
        guidance="",
        fields=(
            FieldParam(
                field="policy",
                kind="text",
                flags=("--policy",),
                metavar="TEXT",
                help="Its text, YAML.",
                limits="text, 1 to 65536 characters",
            ),
            FieldParam(
                field="from_file",
                kind="boolean",
                flags=("--from-file",),
                metavar="BOOLEAN",
                help="Take it from .ade/linear-flow.yaml of the project.",
                limits="true or false",
                off_flag="--no-from-file",
            ),
            FieldParam(
                field="rollback_to",
                kind="integer",
                flags=("--rollback-to",),
                metavar="INTEGER",
                help="Take an earlier revision.",
                limits="an integer, at least 1",
            ),
            FieldParam(
                field="expected_revision",
                kind="integer",
                flags=("--expected-revision",),
                metavar="INTEGER",
                help="Refuse where another one is in force.",
                limits="an integer, at least 0",
            ),
            FieldParam(
                field="note",
                kind="text",
                flags=("--note",),
                metavar="TEXT",
                help="Why.",
                limits="text, 1 to 500 characters",
            ),
        ),
        rules=(RuleInfo(kind="exactly_one_of", fields=("policy", "from_file", "rollback_to")),),
        errors=(
            ErrorInfo(code="flow_policy_invalid", exit=1, summary="The flow policy cannot be used."),
            ErrorInfo(
                code="flow_policy_changed",
                exit=5,
                summary="Another revision of the flow policy is in force than was expected.",
            ),
            ErrorInfo(
                code="flow_policy_not_found",
                exit=4,
                summary="There never was such a revision of the flow policy.",
            ),
            ErrorInfo(
                code="flow_policy_unreadable",
                exit=1,
                summary="The file of the flow policy cannot be read or written.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="Bugs go to workers",
                line="ade linear policy-save --policy 'version: 1\nrules:\n  - name: bugs\n    when: {labels: [Bug]}\n    route: worker\n' --role cto",
                error=None,
            ),
            ExampleInfo(
                title="A route that does not exist",
                line="ade linear policy-save --policy 'version: 1\notherwise: nowhere\n' --role cto",
                error="flow_policy_invalid",
            ),
        ),
        skeleton={"policy": "", "from_file": False, "rollback_to": 1, "expected_revision": 0, "note": ""},
    )


def linear_sync_queue_list() -> ActionCommand:
    return ActionCommand(
        "queue-list",
        group="linear",
        action="linear_sync.queue_list",
        tool="listLinearSyncQueue",
        effect="read",
        scope="project",
        aliases=(),
        summary="List issues that wait to be handed on, or were, the newest first.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="state",
                kind="text",
                flags=("--state",),
                metavar="TEXT",
                help="Only those in this state.",
                limits="one of waiting, routing, routed, failed, dismissed, over",
                choices=("waiting", "routing", "routed", "failed", "dismissed", "over"),
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
                limits="text, 1 to 200 characters",
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
                title="What waits",
                line="ade linear queue-list --state waiting --role cto",
                error=None,
            ),
            ExampleInfo(
                title="A cursor that no answer gave",
                line="ade linear queue-list --cursor nowhere --role cto",
                error="invalid_cursor",
            ),
        ),
        skeleton={"state": "waiting", "limit": 50, "cursor": ""},
    )


def linear_sync_queue_resolve() -> ActionCommand:
    return ActionCommand(
        "queue-resolve",
        group="linear",
        action="linear_sync.queue_resolve",
        tool="resolveLinearSyncQueueItem",
        effect="write",
        scope="project",
        aliases=(),
        summary="Give up an item, or let it be handed on again.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="item",
                kind="text",
                flags=("--item",),
                metavar="ITEM",
                help="Id of the item, as `ade linear queue-list` shows it.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="resolution",
                kind="text",
                flags=("--resolution",),
                metavar="TEXT",
                help="dismiss: nothing is done about it; requeue: it waits again, also when it was handed on or failed.",
                limits="one of dismiss, requeue",
                required=True,
                choices=("dismiss", "requeue"),
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="linear_item_not_found",
                exit=4,
                summary="There is no such item in the queue of Linear's issues.",
            ),
            ErrorInfo(
                code="linear_item_closed",
                exit=5,
                summary="The item was handed on or given up, or somebody is at it.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="Nothing to do about it",
                line="ade linear queue-resolve ITEM --resolution dismiss --role cto",
                error=None,
            ),
            ExampleInfo(
                title="An item that does not exist",
                line="ade linear queue-resolve lin_none --resolution dismiss --role cto",
                error="linear_item_not_found",
            ),
        ),
        skeleton={"item": "", "resolution": "dismiss"},
    )


def linear_sync_route_to_cto() -> ActionCommand:
    return ActionCommand(
        "route-to-cto",
        group="linear",
        action="linear_sync.route_to_cto",
        tool="linear_sync_route_to_cto",
        effect="write",
        scope="project",
        aliases=(),
        summary="Hand an issue to the CTO, as a message to its chat.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="item",
                kind="text",
                flags=("--item",),
                metavar="ITEM",
                help="Id of the item, as `ade linear queue-list` shows it.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="session",
                kind="text",
                flags=("-s", "--session"),
                metavar="TEXT",
                help="Chat to tell; default is the newest one of role cto.",
                limits="text, 1 to 60 characters",
                complete="chats",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="linear_item_not_found",
                exit=4,
                summary="There is no such item in the queue of Linear's issues.",
            ),
            ErrorInfo(
                code="linear_item_closed",
                exit=5,
                summary="The item was handed on or given up, or somebody is at it.",
            ),
            ErrorInfo(code="linear_no_cto", exit=4, summary="No chat of the project is the CTO's."),
            ErrorInfo(code="chat_not_found", exit=4, summary="No such chat."),
            ErrorInfo(code="chat_ended", exit=5, summary="The chat is over."),
            ErrorInfo(code="too_many_messages", exit=5, summary="Too many messages wait."),
        ),
        examples=(
            ExampleInfo(
                title="A chat that is paused",
                line="ade linear route-to-cto ITEM --session CHAT --role cto",
                error=None,
            ),
            ExampleInfo(
                title="Nobody is the CTO",
                line="ade linear route-to-cto ITEM --role cto",
                error="linear_no_cto",
            ),
        ),
        skeleton={"item": "", "session": ""},
    )


def linear_sync_route_to_run() -> ActionCommand:
    return ActionCommand(
        "route-to-run",
        group="linear",
        action="linear_sync.route_to_run",
        tool="linear_sync_route_to_run",
        effect="write",
        scope="project",
        aliases=(),
        summary="Make a run for an issue.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="item",
                kind="text",
                flags=("--item",),
                metavar="ITEM",
                help="Id of the item, as `ade linear queue-list` shows it.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane its files are in; default is the primary one.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="linear_item_not_found",
                exit=4,
                summary="There is no such item in the queue of Linear's issues.",
            ),
            ErrorInfo(
                code="linear_item_closed",
                exit=5,
                summary="The item was handed on or given up, or somebody is at it.",
            ),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
        ),
        examples=(
            ExampleInfo(
                title="An issue of several parts",
                line="ade linear route-to-run ITEM --role cto",
                error=None,
            ),
            ExampleInfo(
                title="An item that does not exist",
                line="ade linear route-to-run lin_none --role cto",
                error="linear_item_not_found",
            ),
        ),
        skeleton={"item": "", "lane": ""},
    )


def linear_sync_route_to_worker() -> ActionCommand:
    return ActionCommand(
        "route-to-worker",
        group="linear",
        action="linear_sync.route_to_worker",
        tool="linear_sync_route_to_worker",
        effect="write",
        scope="project",
        aliases=(),
        summary="Make a lane for an issue, link it, and have a chat work on it there.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="item",
                kind="text",
                flags=("--item",),
                metavar="ITEM",
                help="Id of the item, as `ade linear queue-list` shows it.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="lane",
                kind="text",
                flags=("-l", "--lane"),
                metavar="TEXT",
                help="Lane to work in; default is a new one named after the issue.",
                limits="text, 1 to 200 characters",
                complete="lanes",
            ),
            FieldParam(
                field="provider",
                kind="text",
                flags=("-p", "--provider"),
                metavar="TEXT",
                help="Agent program, as `ade chats capabilities` lists them.",
                limits="text, 1 to 40 characters",
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
                field="start",
                kind="boolean",
                flags=("--start",),
                metavar="BOOLEAN",
                help="Begin at once; without it the chat is paused with its message waiting.",
                limits="true or false; default true",
                off_flag="--no-start",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="linear_item_not_found",
                exit=4,
                summary="There is no such item in the queue of Linear's issues.",
            ),
            ErrorInfo(
                code="linear_item_closed",
                exit=5,
                summary="The item was handed on or given up, or somebody is at it.",
            ),
            ErrorInfo(code="lane_not_found", exit=4, summary="No lane of the project has that id or name."),
            ErrorInfo(
                code="lane_name_taken",
                exit=5,
                summary="Another lane has that name, or one that differs only in case or Unicode form.",
            ),
            ErrorInfo(code="unknown_provider", exit=4, summary="No such provider."),
            ErrorInfo(
                code="unsupported_mode", exit=2, summary="The provider cannot hold the permission mode."
            ),
        ),
        examples=(
            ExampleInfo(
                title="A worker that waits for a word",
                line="ade linear route-to-worker ITEM --provider claude --no-start --role cto",
                error=None,
            ),
            ExampleInfo(
                title="A program that there is not",
                line="ade linear route-to-worker ITEM --provider nobody --role cto",
                error="unknown_provider",
            ),
        ),
        skeleton={"item": "", "lane": "", "provider": "", "model": "", "start": True},
    )


def linear_sync_run_detail() -> ActionCommand:
    return ActionCommand(
        "run-detail",
        group="linear",
        action="linear_sync.run_detail",
        tool="getLinearWorkflowRunDetail",
        effect="read",
        scope="project",
        aliases=(),
        summary="Show an item with what whoever gets it is told, and what was heard about its issue.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="item",
                kind="text",
                flags=("--item",),
                metavar="ITEM",
                help="Id of the item, as `ade linear queue-list` shows it.",
                limits="text, 1 to 60 characters",
                required=True,
                positional=True,
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="linear_item_not_found",
                exit=4,
                summary="There is no such item in the queue of Linear's issues.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="An item that waits",
                line="ade linear run-detail ITEM --role cto",
                error=None,
            ),
            ExampleInfo(
                title="An item that does not exist",
                line="ade linear run-detail lin_none --role cto",
                error="linear_item_not_found",
            ),
        ),
        skeleton={"item": ""},
    )


def linear_sync_run_now() -> ActionCommand:
    return ActionCommand(
        "run-now",
        group="linear",
        action="linear_sync.run_now",
        tool="runLinearSyncNow",
        effect="write",
        scope="project",
        aliases=(),
        summary="Ask Linear what has changed, and hand on what the flow policy sends somewhere.",
        description="What a webhook told already is known and does nothing again. A schedule that runs this action is the fall-back where no webhook can reach this machine.",
        guidance="",
        fields=(
            FieldParam(
                field="route",
                kind="boolean",
                flags=("--route",),
                metavar="BOOLEAN",
                help="Hand on, too; without it, only ask.",
                limits="true or false; default true",
                off_flag="--no-route",
            ),
            FieldParam(
                field="limit",
                kind="integer",
                flags=("--limit",),
                metavar="INTEGER",
                help="How many to hand on at most.",
                limits="an integer, 1 to 100; default 20",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="linear_key_missing", exit=3, summary="There is no key for Linear."),
            ErrorInfo(
                code="linear_key_malformed",
                exit=3,
                summary="What is set as the key for Linear cannot be one.",
            ),
            ErrorInfo(code="linear_key_refused", exit=3, summary="Linear does not accept the key."),
            ErrorInfo(
                code="linear_address_unsafe",
                exit=1,
                summary="The configured address of Linear must not be sent a key.",
            ),
            ErrorInfo(code="linear_forbidden", exit=3, summary="The account may not do that in Linear."),
            ErrorInfo(code="linear_rate_limited", exit=6, summary="Linear wants fewer requests for a while."),
            ErrorInfo(
                code="linear_unavailable", exit=7, summary="Linear could not be reached, or did not answer."
            ),
            ErrorInfo(code="linear_refused", exit=1, summary="Linear refused the request."),
        ),
        examples=(
            ExampleInfo(
                title="The first time",
                line="ade linear run-now --no-route --role cto",
                error=None,
            ),
        ),
        skeleton={"route": True, "limit": 20},
    )


def linear_sync_sign_in() -> ActionCommand:
    return ActionCommand(
        "sign-in",
        group="linear",
        action="linear_sync.sign_in",
        tool="linear_sync_sign_in",
        effect="write",
        scope="machine",
        aliases=(),
        summary="Sign this machine in to Linear by OAuth, in a browser.",
        description="Gives the address to open at once; call it again, with a time to wait, for how it ended. It takes the client id of an application that was made in Linear, with the address that is shown as one to come back to. Its tokens are kept as a secret of the machine, and refreshed.",
        guidance="",
        fields=(
            FieldParam(
                field="client_id",
                kind="text",
                flags=("--client-id",),
                metavar="TEXT",
                help="Client id of the application; leave it out to hear of the sign-in that was begun.",
                limits="text, 4 to 200 characters, matching ^[A-Za-z0-9._-]+$",
            ),
            FieldParam(
                field="port",
                kind="integer",
                flags=("--port",),
                metavar="INTEGER",
                help="Port of this machine that the browser comes back to; default is 41765, and 0 is a free one.",
                limits="an integer, 0 to 65535",
            ),
            FieldParam(
                field="wait",
                kind="duration",
                flags=("-w", "--wait"),
                metavar="DURATION",
                help="Seconds to wait for the person in the browser.",
                limits="such as 90s, 12m or 2h30m, 0s to 10m; default 0s",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="linear_sign_in_denied", exit=3, summary="The person did not allow ADE to use Linear."
            ),
            ErrorInfo(code="linear_sign_in_failed", exit=1, summary="The sign-in at Linear came to no end."),
            ErrorInfo(code="linear_sign_in_over", exit=3, summary="The sign-in at Linear is good no longer."),
            ErrorInfo(
                code="linear_sign_in_port_taken",
                exit=5,
                summary="The port that the browser comes back to is taken.",
            ),
            ErrorInfo(code="linear_not_signed_in", exit=4, summary="Nobody is signed in to Linear by OAuth."),
            ErrorInfo(
                code="linear_address_unsafe",
                exit=1,
                summary="The configured address of Linear must not be sent a key.",
            ),
            ErrorInfo(
                code="linear_unavailable", exit=7, summary="Linear could not be reached, or did not answer."
            ),
            ErrorInfo(
                code="linear_key_malformed",
                exit=3,
                summary="What is set as the key for Linear cannot be one.",
            ),
            ErrorInfo(code="linear_key_refused", exit=3, summary="Linear does not accept the key."),
            ErrorInfo(code="linear_forbidden", exit=3, summary="The account may not do that in Linear."),
            ErrorInfo(code="linear_rate_limited", exit=6, summary="Linear wants fewer requests for a while."),
            ErrorInfo(code="linear_refused", exit=1, summary="Linear refused the request."),
            ErrorInfo(
                code="secret_store_failed",
                exit=7,
                summary="The keyring or the encrypted file did not work; nothing was changed.",
            ),
            ErrorInfo(
                code="secret_not_found",
                exit=4,
                summary="There is no secret of that name that the caller may have.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="The address to open",
                line="ade linear sign-in --client-id 0a1b2c3d4e5f --port 0 --role cto",
                error=None,
            ),
            ExampleInfo(
                title="Nothing was begun",
                line="ade linear sign-in --role cto",
                error="linear_not_signed_in",
            ),
        ),
        skeleton={"client_id": "", "port": 0, "wait": 0},
    )


def linear_sync_sign_out() -> ActionCommand:
    return ActionCommand(
        "sign-out",
        group="linear",
        action="linear_sync.sign_out",
        tool="linear_sync_sign_out",
        effect="destructive",
        scope="machine",
        aliases=(),
        summary="Have Linear revoke what it gave this machine by OAuth, and forget it.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="force",
                kind="boolean",
                flags=("--force",),
                metavar="BOOLEAN",
                help="Forget it even where Linear cannot be reached; then it ends by itself, or in Linear's settings.",
                limits="true or false; default false",
                off_flag="--no-force",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(code="linear_not_signed_in", exit=4, summary="Nobody is signed in to Linear by OAuth."),
            ErrorInfo(
                code="linear_unavailable", exit=7, summary="Linear could not be reached, or did not answer."
            ),
            ErrorInfo(
                code="linear_address_unsafe",
                exit=1,
                summary="The configured address of Linear must not be sent a key.",
            ),
            ErrorInfo(
                code="secret_store_failed",
                exit=7,
                summary="The keyring or the encrypted file did not work; nothing was changed.",
            ),
            ErrorInfo(
                code="secret_not_found",
                exit=4,
                summary="There is no secret of that name that the caller may have.",
            ),
        ),
        examples=(
            ExampleInfo(
                title="Somebody who is signed in",
                line="ade linear sign-out --role cto",
                error=None,
            ),
            ExampleInfo(
                title="Nobody is signed in",
                line="ade linear sign-out --role cto",
                error="linear_not_signed_in",
            ),
        ),
        skeleton={"force": False},
    )


def linear_sync_simulate_route() -> ActionCommand:
    return ActionCommand(
        "simulate-route",
        group="linear",
        action="linear_sync.simulate_route",
        tool="simulateFlowRoute",
        effect="read",
        scope="project",
        aliases=(),
        summary="Tell where an issue would go, without doing anything.",
        description="",
        guidance="",
        fields=(
            FieldParam(
                field="issue",
                kind="text",
                flags=("--issue",),
                metavar="ISSUE",
                help="Issue, such as ENG-123.",
                limits="text, 3 to 60 characters, matching ^([A-Za-z][A-Za-z0-9]*-[1-9][0-9]*|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
                required=True,
                positional=True,
            ),
            FieldParam(
                field="policy",
                kind="text",
                flags=("--policy",),
                metavar="TEXT",
                help="Policy to try, YAML; default is the one in force.",
                limits="text, 1 to 65536 characters",
            ),
        ),
        rules=(),
        errors=(
            ErrorInfo(
                code="issue_not_found", exit=4, summary="Linear has no such issue that the account may see."
            ),
            ErrorInfo(code="flow_policy_invalid", exit=1, summary="The flow policy cannot be used."),
            ErrorInfo(code="linear_key_missing", exit=3, summary="There is no key for Linear."),
            ErrorInfo(
                code="linear_key_malformed",
                exit=3,
                summary="What is set as the key for Linear cannot be one.",
            ),
            ErrorInfo(code="linear_key_refused", exit=3, summary="Linear does not accept the key."),
            ErrorInfo(
                code="linear_address_unsafe",
                exit=1,
                summary="The configured address of Linear must not be sent a key.",
            ),
            ErrorInfo(code="linear_forbidden", exit=3, summary="The account may not do that in Linear."),
            ErrorInfo(code="linear_rate_limited", exit=6, summary="Linear wants fewer requests for a while."),
            ErrorInfo(
                code="linear_unavailable", exit=7, summary="Linear could not be reached, or did not answer."
            ),
            ErrorInfo(code="linear_refused", exit=1, summary="Linear refused the request."),
        ),
        examples=(
            ExampleInfo(
                title="A bug",
                line="ade linear simulate-route ENG-2 --role cto",
                error=None,
            ),
            ExampleInfo(
                title="An issue that Linear does not have",
                line="ade linear simulate-route ENG-99 --role cto",
                error="issue_not_found",
            ),
        ),
        skeleton={"issue": "", "policy": ""},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "dashboard": linear_sync_dashboard,
    "ensure-webhook": linear_sync_ensure_webhook,
    "ingress-events": linear_sync_ingress_events,
    "ingress-status": linear_sync_ingress_status,
    "policy-get": linear_sync_policy_get,
    "policy-save": linear_sync_policy_save,
    "queue-list": linear_sync_queue_list,
    "queue-resolve": linear_sync_queue_resolve,
    "route-to-cto": linear_sync_route_to_cto,
    "route-to-run": linear_sync_route_to_run,
    "route-to-worker": linear_sync_route_to_worker,
    "run-detail": linear_sync_run_detail,
    "run-now": linear_sync_run_now,
    "sign-in": linear_sync_sign_in,
    "sign-out": linear_sync_sign_out,
    "simulate-route": linear_sync_simulate_route,
}
