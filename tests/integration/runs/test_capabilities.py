"""What who leads a run reads of the project beside it: an answer in any case, and for nobody else."""

from __future__ import annotations

from typing import Any

import pytest

from ade_generated import errors
from ade_generated.dispatch import ACTIONS
from ade_runtime.contracts import Effect
from ade_runtime.pipeline.handlers import Handlers
from tests.integration.runs.conftest import House
from tests.integration.runs.test_planning import refused

READS: dict[str, tuple[str, dict[str, Any]]] = {
    "search_workspace": ("search.workspace", {"query": "login"}),
    "read_linear_issue": ("issue.show", {"issue": "ENG-1"}),
    "read_pr": ("pr.show", {"number": 1}),
    "list_proof_artifacts": ("proof.list", {}),
    "mint_deeplink": ("deeplink.mint", {}),
}
"""By action of the run: what it reads with, and what it may be asked."""

TOOLS = {ACTIONS[f"run.{name}"].tool for name in READS}


def test_they_have_the_names_that_leads_know_and_change_nothing() -> None:
    assert {"searchWorkspace", "readLinearIssue", "readPr", "listProofArtifacts", "mintDeeplink"} == TOOLS
    assert {ACTIONS[f"run.{name}"].effect for name in READS} == {Effect.READ}


@pytest.mark.parametrize("name", READS)
async def test_case_66_fault_o25_what_is_not_there_is_listed_and_answers_unavailable(
    house: House, name: str
) -> None:
    reads_with, asked = READS[name]
    visibility, token = house.runtime.services.pipeline.visibility, await house.token_of_lead()
    hidden = visibility.why_hidden

    def without(entry: Any, *asker: Any) -> str | None:
        return "Its service is absent." if entry.id == reads_with else hidden(entry, *asker)

    house.monkeypatch.setattr(visibility, "why_hidden", without)
    answer = await house.call(name, token=token, **asked)
    assert (answer["ok"], answer["error"]) == (False, "unavailable")
    assert answer["reason"]["message"] == "Its service is absent."
    assert not answer.get("items"), "the rest is there, and empty"
    await refused("run_not_found", house.call(name, run="run_none", **asked))


@pytest.mark.parametrize("name", READS)
async def test_case_66_what_goes_wrong_answers_read_failed(house: House, name: str) -> None:
    reads_with, asked = READS[name]
    services = house.runtime.services
    services.pipeline.visibility.change_capabilities({"github", "linear"})
    of = Handlers.of

    async def broken(call: Any, args: Any) -> Any:
        raise RuntimeError("no")

    house.monkeypatch.setattr(
        Handlers, "of", lambda self, entry: broken if entry.id == reads_with else of(self, entry)
    )
    answer = await house.call(name, **asked)
    assert (answer["ok"], answer["error"]) == (False, "read_failed")
    assert answer["reason"]["code"] == "internal_error"


async def test_an_account_that_is_missing_is_no_failure_of_the_read(house: House) -> None:
    house.runtime.services.pipeline.visibility.change_capabilities({"github", "linear"})
    for variable in ("LINEAR_API_KEY", "GH_TOKEN", "GITHUB_TOKEN"):
        house.monkeypatch.delenv(variable, raising=False)
    answer = await house.call("read_linear_issue", issue="ENG-1")
    assert (answer["error"], answer["reason"]["code"]) == ("unavailable", errors.LinearKeyMissing.code)
    answer = await house.call("read_pr", number=1)
    assert (answer["error"], answer["reason"]["code"]) == ("unavailable", errors.NotAtGithub.code)
    answer = await house.call("read_linear_issue")
    assert (answer["ok"], answer["issue"]) == (True, None), (
        "the run's lane has no issue, and that is an answer"
    )


@pytest.mark.parametrize("role", ["worker", "validator"])
async def test_case_66_workers_and_validators_do_not_have_them(house: House, role: str) -> None:
    token = await house.join(role)
    listed = await house.call("actions.list", token=token, limit=1000)
    assert TOOLS.isdisjoint(one["tool"] for one in listed["items"])
    for name, (_, asked) in READS.items():
        await refused("unknown_action", house.call(name, token=token, **asked))
        run = {"action": f"run.{name}", "arguments": {"run": house.run, **asked}}
        await refused("unknown_action", house.call("actions.run", token=token, **run))


async def test_the_lead_of_one_run_reads_in_no_other(house: House) -> None:
    token = await house.token_of_lead()
    other = (await house.call("create", title="Other", goal="Something else."))["id"]
    for name, (_, asked) in READS.items():
        await refused("policy_denied", house.call(name, run=other, token=token, **asked))
