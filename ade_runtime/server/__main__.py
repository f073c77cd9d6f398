"""How the runtime is started: by a command (``--ceiling ROLE``) or by a service manager (``--service``)."""

import sys

if sys.argv[1:] == ["--service"]:
    from ade_runtime.server.activation import main
else:
    from ade_runtime.server.detached import main

main()
