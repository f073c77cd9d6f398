"""Sixty-odd specs with one fault each, at least one for every diagnostic there is."""

from __future__ import annotations

from collections.abc import Mapping

from tests.unit.codegen.specs_on_disk import ERRORS, NOTE, ROLES, TOOLSETS

Files = Mapping[str, "str | bytes | None"]
D = "domains/note.yaml"
TEXT = "text: {type: string, minLength: 1, maxLength: 500, description: What to remember.}"
OUTPUT = "output: {type: object, properties: {id: {type: string}}, required: [id]}"
TOOL = "external_tools: {toy: {title: Toy, programs: [toy], version_args: [--version], version_pattern: '^([0-9]+)$'}}\n"
PROVIDER = (
    "providers:\n  toy: {title: Toy, summary: A toy., program: toy, adapter: toy, tools: mcp, steer: false, "
    "permission_modes: {default: ask}, hint: Install it.}\n"
)
SKILL = "---\ndescription: Notes.\ndomains: [note]\n---\n"


def note(old: str, new: str) -> Files:
    assert old in NOTE, old
    return {D: NOTE.replace(old, new, 1)}


def field(spec: str) -> Files:
    """The domain with one more input field, called ``more``."""
    return note("      count:", f"      more: {spec}\n      count:")


def types(text: str, use: str = "") -> Files:
    return {"types/all.yaml": f"types:\n{text}", **(field(use) if use else {})}


CASES: dict[str, Files] = {
    "yaml-syntax": note("cli: {group: notes}", "cli: {group: notes"),
    "yaml-encoding": {"rate_limits.yaml": b"rate_limits:\n  a: {summary: caf\xe9.}\n"},
    "yaml-empty": {"rate_limits.yaml": "# nothing yet\n"},
    "yaml-document": {"rate_limits.yaml": "rate_limits: {}\n---\nrate_limits: {}\n"},
    "yaml-not-mapping": {"rate_limits.yaml": "- often\n"},
    "yaml-duplicate-key": note("    effect: write\n", "    effect: write\n    effect: read\n"),
    "yaml-tab": note("    effect: write", "\teffect: write"),
    "yaml-anchor": note("input: {text: hello}", "input: &a {text: hello}"),
    "yaml-depth": field("{type: array, items: " * 120 + "{type: string}" + "}" * 120),
    "yaml-directive": {"rate_limits.yaml": "%YAML 1.1\n---\nrate_limits: {}\n"},
    "number-range": field("{type: integer, optional: true, maximum: 99999999999999999999}"),
    "yaml-merge-key": note("    effect: write\n", "    <<: {effect: write}\n    effect: write\n"),
    "yaml-tag": note("summary: Add a note.", "summary: !!str Add a note."),
    "yaml-key": note("    effect: write\n", "    effect: write\n    [a, b]: c\n"),
    "yaml-character": note("summary: Add a note.", 'summary: "Add a \\u202e note."'),
    "unknown-file: misspelt": {"rate_limit.yaml": "rate_limits: {}\n"},
    "unknown-file: named otherwise": {D: None, "domains/notes.yaml": NOTE},
    "unreadable-file": {"rate_limits.yaml/folder": ""},
    "acp-adapter": {
        "external_tools.yaml": TOOL,
        "providers.yaml": PROVIDER.replace("adapter: toy", "adapter: acp"),
    },
    "terminal-modes": {
        "external_tools.yaml": TOOL,
        "providers.yaml": PROVIDER.replace(
            "hint:", "terminal: {permission_modes: {plan: []}, model: --model}, hint:"
        ),
    },
    "unknown-key": note("effect: write", "efect: write"),
    "unknown-key: missing blank": note("toolset: base", "toolset: base\n    timeout:10s:"),
    "misplaced-key": field("{type: integer, optional: true, minLength: 3}"),
    "misplaced-key: secret": field("{type: string, optional: true, secret: true}"),
    "misplaced-key: a read that moves refs": note(
        "    effect: write\n    idempotency: request_id\n", "    effect: read\n    moves_refs: true\n"
    ),
    "misplaced-key: positional": field("{type: boolean, optional: true, cli: {positional: true}}"),
    "missing-key": note("    summary: Add a note.\n", ""),
    "wrong-type": note("maxLength: 500", 'maxLength: "500"'),
    "wrong-type: unquoted": field("{type: string, optional: true, enum: [yes, true]}"),
    "wrong-type: no unit": note("toolset: base", "toolset: base\n    timeout: 60"),
    "wrong-value": note("effect: write", "effect: writes"),
    "wrong-value: deprecated": note(
        "toolset: base", "toolset: base\n    deprecated: {since: 0.2.0, remove_after: 0.1.0}"
    ),
    "bad-duration": note("toolset: base", "toolset: base\n    timeout: 25h"),
    "bad-name": note("  add:\n", "  addNote:\n"),
    "unknown-ref": field("{$ref: wrod, optional: true}"),
    "recursive-ref": types("  Tree: {type: object, properties: {inner: {$ref: Tree}}, required: [inner]}\n"),
    "unknown-error": note("errors: [invalid_arguments]", "errors: [invalid_argument]"),
    "unknown-role": note("toolset: base", "toolset: base\n    min_role: agnet"),
    "unknown-toolset": note("toolset: base", "toolset: bass"),
    "unknown-rate-limit": note("toolset: base", "toolset: base\n    rate_limit: often"),
    "unknown-layout": note("toolset: base", "toolset: base\n    text: card"),
    "unknown-completer": field("{type: string, optional: true, cli: {complete: notes}}"),
    "unknown-fixture": note(
        "      - title: A plain note\n", "      - title: A plain note\n        given: [shelf]\n"
    ),
    "unknown-action": {
        "completions.yaml": "completers:\n  notes: {action: note.list, items: items, value: id}\n"
    },
    "unknown-program": {
        "external_tools.yaml": TOOL,
        "providers.yaml": PROVIDER.replace("program: toy", "program: tyo"),
    },
    "unknown-rule": {
        "released/announced.yaml": "announced:\n  - {rule: input-narowed, where: note.add.text, why: It was too long.}\n"
    },
    "unknown-field": note("    output:", "    rules: [{at_most_one_of: [count, cuont]}]\n    output:"),
    "schema-keyword": field("{type: string, optional: true, multipleOf: 2}"),
    "schema-bounds": note("minimum: 1, maximum: 9", "minimum: 9, maximum: 1"),
    "schema-pattern": field("{type: string, optional: true, pattern: '^\\d+$'}"),
    "schema-enum": field("{type: string, optional: true, enum: [a, b, a]}"),
    "schema-default": note("default: low", "default: hihg"),
    "schema-union": types(
        "  Dot: {type: object, properties: {of: {type: string, const: dot}}, required: [of]}\n"
        "  Line: {type: object, properties: {of: {type: string}}, required: [of]}\n",
        "{oneOf: [{$ref: Dot}, {$ref: Line}], discriminator: of, optional: true}",
    ),
    "schema-root": note(OUTPUT, "output: {type: array, items: {type: string}}"),
    "schema-optional": note("required: [id]", "required: []"),
    "name-collision": note(
        "      count:", "      Level: {type: string, optional: true, cli: {flag: --other}}\n      count:"
    ),
    "reserved-name": field("{type: string, optional: true, cli: {flag: --json}}"),
    "no-success-example": note(
        "      - title: A plain note\n        input: {text: hello}\n        output: {id: n1}\n", ""
    ),
    "no-failure-example": note(
        '      - title: Empty text\n        input: {text: ""}\n        error: {code: invalid_arguments}\n', ""
    ),
    "bad-fixture": {
        "fixtures.yaml": "fixtures:\n  shelf: {summary: A shelf., steps: [{call: note.add, input: {text: 1}}]}\n"
    },
    "duplicate-value": note("errors: [invalid_arguments]", "errors: [invalid_arguments, invalid_arguments]"),
    "bad-example": note("output: {id: n1}", "output: {id: 1}"),
    "bad-example: valid": note('input: {text: ""}', "input: {text: full}"),
    "bad-rule": note("    output:", "    rules: [{at_most_one_of: [text, count]}]\n    output:"),
    "bad-slot": {
        "errors.yaml": ERRORS
        + "  full: {summary: Full., message: 'Full of {waht}.', hint: Drop one., exit: failed}\n"
    },
    "too-long": {"guidance/agent.md": "Much to say.\n" * 300},
    "too-long: skill": {"skills/ade-note.md": SKILL.replace("Notes.", "Much to say. " * 200)},
    "unknown-command": {"guidance/agent.md": "# Notes\n\nSee `ade notes list` first.\n"},
    "unknown-command: within": note("cli: {group: notes}", "cli: {group: notes, within: [shelves notes]}"),
    "duplicate-value: roles": {"roles.yaml": ROLES.replace("rank: 1", "rank: 0")},
    "unknown-role: toolset": {"toolsets.yaml": TOOLSETS.replace("agent]", "agnet]")},
}
"""By the code that is reported, with a word behind a colon where one code has several."""
