"""datamodel-code-generator over one bundle: in this process, or in one of its own that gets ready while the specs are read and
works while other products are made.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from codegen.failure import GenerationError
from codegen.naming import py_name

WORKER = Path(__file__).with_name("worker.py")


def begin(document: Mapping[str, object]) -> Callable[[], str]:
    """Start a run; what is returned waits for its Python source. Raises GenerationError."""
    given = {"document": document, "aliases": _aliases(document)}
    worker = _WORKER.get()
    return (lambda: _run_here(given)) if worker is None else worker.begin(given)


@contextmanager
def ahead() -> Iterator[None]:
    """Have the next run done by a process of its own, which is started now: importing the generator takes a while."""
    worker = _Worker()
    token = _WORKER.set(worker)
    try:
        yield
    finally:
        _WORKER.reset(token)
        worker.close()


class _Worker:
    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self._pool = ThreadPoolExecutor(1)

    def begin(self, given: Mapping[str, object]) -> Callable[[], str]:
        _WORKER.set(None)
        done: Future[tuple[str, str]] = self._pool.submit(self._process.communicate, json.dumps(given))

        def wait() -> str:
            source, told = done.result()
            if self._process.returncode:
                raise _failed(told.strip())
            return source

        return wait

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._pool.shutdown()
        self._process.communicate()


_WORKER: ContextVar[_Worker | None] = ContextVar("worker", default=None)


def _run_here(given: Mapping[str, object]) -> str:
    from codegen.modelgen.worker import run

    try:
        return run(given)
    except Exception as problem:
        raise _failed(problem) from problem


def _failed(why: object) -> GenerationError:
    return GenerationError(f"datamodel-code-generator failed:\n{why}")


def _aliases(document: Mapping[str, object]) -> dict[str, str]:
    definitions = document["$defs"]
    assert isinstance(definitions, dict)
    names = {name for definition in definitions.values() for name in definition["properties"]}
    return {name: python for name in sorted(names) if (python := py_name(name)) != name}
