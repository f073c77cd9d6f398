"""One signed-in connection to GitHub: reads that are conditional and repeated, writes that are tried once and looked up."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from ade_generated import errors
from ade_runtime.integrations.echoes import without
from ade_runtime.integrations.github.address import is_local
from ade_runtime.integrations.github.answers import Answer, Answers
from ade_runtime.integrations.github.problems import (
    Asked,
    LedElsewhere,
    Refused,
    Unanswered,
    judge,
    limited,
    make_readable,
    shorten,
    stay_here,
    wait_of,
)

if TYPE_CHECKING:
    from githubkit import GitHub, TokenAuthStrategy
    from httpx import Response

    from ade_runtime.integrations.github.signin import Token
    from ade_runtime.integrations.github.transport import Shared

T = TypeVar("T")
Found = Callable[[], Awaitable["T | None"]]
"""Looks whether what was asked for has been done after all, and gives it."""
Read = Callable[[str], Any]
"""Reads an answer's text; raises :class:`Unanswered` for one that is none."""

TRIES = 4
PAUSES = (0.05, 0.3, 1.0)
"""Seconds before the second try of something and the ones after it."""
LOOKS = (0.0, 0.2)
"""Seconds before each look for what may have been done, before it is done again."""
PATIENCE = 10.0
"""Seconds a call waits for a limit to pass; a longer wait is the caller's to decide."""
PAGE = 100
MOST_PAGES = 30
TIMEOUT = 30.0
VERSION = "2022-11-28"
"""Of the REST interface: servers of GitHub Enterprise know it, too."""

log = logging.getLogger("ade.github")


class Client:
    """``base`` is the address of the REST interface. ``requests`` counts what was sent."""

    def __init__(self, base: str, host: str, token: Token, answers: Answers) -> None:
        self.base, self.host = base.rstrip("/"), host
        self._token, self._answers = token, answers
        self._github: GitHub[TokenAuthStrategy] | None = None
        self._transport: Shared | None = None
        self._closed_until = 0.0
        self.requests = 0

    @property
    def fingerprint(self) -> str:
        return f"{self._token.fingerprint}@{self.base}"

    async def close(self) -> None:
        if self._transport is not None:
            await self._transport.end()
        self._github = self._transport = None

    async def get(
        self, path: str, what: str, params: Mapping[str, Any] | None = None, *, kind: type = dict
    ) -> Any:
        """The document at a path, of that kind; raises :class:`Refused` and ``github_unreachable``."""
        return (await self._read(self._url(path, params), what, lambda text: _document(text, kind)))[0]

    async def pages(
        self, path: str, what: str, params: Mapping[str, Any] | None = None, *, of: str | None = None
    ) -> list[Any]:
        """The elements of all pages, :data:`MOST_PAGES` at most; ``of`` names the list in each page's document."""
        url: str | None = self._url(path, {"per_page": PAGE, **(params or {})})
        found: list[Any] = []
        for _ in range(MOST_PAGES):
            if url is None or not url.startswith(f"{self.base}/"):  # a token goes nowhere else
                break
            page, url = await self._read(url, what, lambda text: _page(text, of))
            found += page
        return found

    async def write(
        self,
        method: str,
        path: str,
        what: str,
        body: Any = None,
        *,
        found: Found[Any] | None = None,
    ) -> Any:
        """Have something done once. Where no whole answer comes, ``found`` looks whether it was before it is tried again.

        Without ``found`` doing it twice must be the same as once.
        """
        url = self._url(path, None)
        return await self._once(lambda: self._send(method, url, what, body), what, found)

    async def query(self, text: str, variables: Mapping[str, Any], what: str) -> Any:
        """The data of a GraphQL query; raises :class:`Refused` and ``github_unreachable``."""
        return await self._repeat(lambda: self._graphql(text, variables, what))

    async def mutate(
        self, text: str, variables: Mapping[str, Any], what: str, *, found: Found[Any] | None = None
    ) -> Any:
        """As :meth:`write`, in GraphQL."""
        return await self._once(lambda: self._graphql(text, variables, what), what, found)

    async def _once(self, attempt: Callable[[], Awaitable[Any]], what: str, found: Found[Any] | None) -> Any:
        for number in range(TRIES):
            try:
                return await attempt()
            except Unanswered as problem:
                log.info("no answer to a try to %s: %s", what, problem.reason)
                last = problem
            if found is not None and not last.never_sent:
                for pause in LOOKS:
                    await asyncio.sleep(pause)
                    if (done := await found()) is not None:
                        return done
            if number < len(PAUSES):
                await asyncio.sleep(PAUSES[number])
        raise errors.GithubUnreachable(host=self.host, reason=last.reason)

    async def _repeat(self, attempt: Callable[[], Awaitable[T]]) -> T:
        for pause in (*PAUSES, None):
            try:
                return await attempt()
            except Unanswered as problem:
                if pause is None:
                    raise errors.GithubUnreachable(host=self.host, reason=problem.reason) from None
            await asyncio.sleep(pause)
        raise AssertionError("unreachable")

    async def _read(self, url: str, what: str, read: Read) -> tuple[Any, str | None]:
        key = Answers.key(self.fingerprint, url)
        kept = await self._answers.get(key)
        return await self._repeat(lambda: self._read_once(url, what, read, key, kept))

    async def _read_once(
        self, url: str, what: str, read: Read, key: str, kept: Answer | None
    ) -> tuple[Any, str | None]:
        headers = {"If-None-Match": kept.etag} if kept is not None else {}
        response = await self._request("GET", url, what, headers=headers)
        if response.status_code == 304 and kept is not None:
            try:
                return read(kept.body), _next(kept.link)
            except Unanswered:  # damaged here, so that asking with its tag would give it again and again
                await self._answers.drop(key)
                return await self._read_once(url, what, read, key, None)
        if response.status_code >= 400:
            raise judge(response, self._asked(what))
        document = read(response.text)
        etag, link = response.headers.get("etag"), response.headers.get("link")
        if etag:
            await self._answers.put(key, Answer(etag, link, response.text))
        return document, _next(link)

    async def _send(self, method: str, url: str, what: str, body: Any) -> Any:
        response = await self._request(method, url, what, body=body)
        if any(earlier.request.method != response.request.method for earlier in response.history):
            reason = "the repository was moved; set the remote to its new address"
            raise Refused(301, reason, errors.GithubRefused(operation=what, reason=reason))
        if response.status_code >= 400:
            raise judge(response, self._asked(what))
        return _json(response.text) if response.text else None

    async def _graphql(self, text: str, variables: Mapping[str, Any], what: str) -> Any:
        base = self.base.removesuffix("/api/v3")
        url = f"{base}/api/graphql" if base != self.base else f"{base}/graphql"
        response = await self._request("POST", url, what, body={"query": text, "variables": dict(variables)})
        if response.status_code >= 400:
            raise judge(response, self._asked(what))
        document = _document(response.text, dict)
        problems = _problems(document.get("errors"))
        if any(one.get("type") in ("RATE_LIMIT", "RATE_LIMITED") for one in problems):
            raise limited(self.host, self._note_limit(60.0))
        if problems:
            said = "; ".join(str(one.get("message")) for one in problems)
            reason = shorten(without(said, self._token.value))
            missing = any(one.get("type") == "NOT_FOUND" for one in problems)
            error = errors.GithubRefused(operation=what, reason=reason)
            raise Refused(404 if missing else 422, reason, error)
        if not isinstance(document.get("data"), dict):
            raise Unanswered("what it answered is not what was asked for")
        return document["data"]

    async def _request(
        self, method: str, url: str, what: str, *, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> Response:
        """One answer of GitHub, whatever it says, 5xx and limits aside; waits out a limit that passes soon."""
        waited = 0.0
        while True:
            waited += await self._until_open(waited)
            response = await self._transfer(method, url, body, headers)
            wait = wait_of(response)
            if wait is not None:
                log.info("GitHub wants to be left alone for %.1f s after a try to %s", wait, what)
                self._note_limit(wait)
                continue
            if response.status_code >= 500:
                raise Unanswered(f"it answered with status {response.status_code}")
            return response

    async def _until_open(self, waited: float) -> float:
        left = self._closed_until - time.monotonic()
        if left <= 0:
            return 0.0
        if waited + left > PATIENCE:
            raise limited(self.host, left)
        await asyncio.sleep(left)
        return left

    def _note_limit(self, seconds: float) -> float:
        self._closed_until = max(self._closed_until, time.monotonic() + seconds)
        return seconds

    async def _transfer(
        self, method: str, url: str, body: Any, headers: Mapping[str, str] | None
    ) -> Response:
        from githubkit.exception import GitHubException, RequestError, RequestFailed
        from httpx import ConnectError, ConnectTimeout

        github = self._opened()
        self.requests += 1
        try:
            named = {"X-GitHub-Api-Version": VERSION, **(headers or {})}
            answer = await github.arequest(method, url, json=body, headers=named)
            response: Response = answer.raw_response
        except RequestFailed as problem:
            response = problem.response.raw_response
        except RequestError as problem:
            never = isinstance(problem.exc, (ConnectError, ConnectTimeout))
            reason = "it could not be reached" if never else "the connection ended before the answer did"
            if isinstance(problem.exc, LedElsewhere):
                reason = "it led to another server"
            raise Unanswered(reason, never_sent=never) from None
        except GitHubException as problem:
            raise Unanswered(type(problem).__name__) from None
        return response

    def _opened(self) -> GitHub[TokenAuthStrategy]:
        if self._github is None:
            from githubkit import GitHub, TokenAuthStrategy

            from ade_runtime.integrations.github.transport import Shared, is_proxied

            direct = is_local(self.base) or not is_proxied(self.base)
            self._transport = Shared() if direct else None
            self._github = GitHub(
                TokenAuthStrategy(self._token.value),
                base_url=self.base,
                user_agent="ade-control-plane",
                http_cache=False,
                auto_retry=False,
                timeout=TIMEOUT,
                async_transport=self._transport,
                async_event_hooks={"response": [make_readable, stay_here]},
            )
        return self._github

    def _asked(self, what: str) -> Asked:
        return Asked(self.host, what, self._token.source, self._token.value)

    def _url(self, path: str, params: Mapping[str, Any] | None) -> str:
        from httpx import URL

        url = URL(f"{self.base}{path}")
        return str(url.copy_merge_params(dict(params)) if params else url)


def _json(text: str) -> Any:
    """A document; one that is cut short or is none is no answer."""
    import orjson

    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        raise Unanswered("what it answered is no JSON") from None


def _document(text: str, kind: type) -> Any:
    """A document of that kind; another one comes from a machine in between, or is damaged."""
    document = _json(text)
    if not isinstance(document, kind):
        raise Unanswered("what it answered is not what was asked for")
    return document


def _page(text: str, of: str | None) -> list[Any]:
    """The documents of a page; ``of`` names the list of them where it is not the page itself."""
    page = _document(text, list) if of is None else _document(text, dict).get(of)
    if not isinstance(page, list) or not all(isinstance(one, dict) for one in page):
        raise Unanswered("what it answered is not what was asked for")
    return page


def _problems(said: Any) -> list[Mapping[str, Any]]:
    """What a GraphQL answer says is wrong."""
    return [
        one if isinstance(one, dict) else {"message": one}
        for one in (said if isinstance(said, list) else [said])
        if one
    ]


def _next(link: str | None) -> str | None:
    """The address of the next page in a Link header."""
    for part in (link or "").split(","):
        address, _, rest = part.partition(";")
        if 'rel="next"' in rest:
            return address.strip().strip("<>")
    return None
