"""``python -I -m ade_runtime.server --ceiling ROLE``: how a command starts the runtime."""

from ade_runtime.server.detached import main

main()
