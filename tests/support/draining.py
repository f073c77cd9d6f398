"""A process that delivers what runs have promised until nothing is left; for tests of several that do it at once.

Run as ``python -m tests.support.draining HOME``: it says ``ready``, waits for a line, says ``begun`` with its first delivery,
and how many entries it has settled in the end.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from ade_runtime.machine.paths import Paths
from ade_runtime.runs import outbox
from ade_runtime.runs.delivery import Deliveries
from ade_runtime.services import Services
from ade_runtime.storage.schema import run_outbox

if TYPE_CHECKING:
    from sqlalchemy import Connection


class Telling(Deliveries):
    said = False

    async def tell(self, entry: outbox.Entry) -> Any:
        if not self.said:
            self.said = True
            print("begun", flush=True)
        return await super().tell(entry)


def left(db: Connection) -> int:
    fits = run_outbox.c.state.in_(outbox.OPEN)
    return int(db.execute(select(func.count()).select_from(run_outbox).where(fits)).scalar_one())


async def main(home: Path) -> None:
    services = Services(Paths.of_home(home))
    deliveries = Telling(services)
    await services.database.read(left)
    print("ready", flush=True)
    sys.stdin.readline()
    settled = 0
    while await services.database.read(left):
        settled += await deliveries.drain()
    print(settled, flush=True)
    await services.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
