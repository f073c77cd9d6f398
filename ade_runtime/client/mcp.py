"""``ade mcp``: standard input and output are an MCP server, whose work the machine's runtime does.

It carries bytes and understands none of them. Every client starts one of its own and waits for it, so this imports nothing that
is not needed: what speaks MCP is loaded once, in the runtime.
"""

import errno
import sys

from ade_runtime.client.address import resolved_socket, wanted_socket
from ade_runtime.client.main import START_TRIES, Gone, line_params, reach, replace_older
from ade_runtime.client.stdio import Pump
from ade_runtime.client.wire import Lines, Socket, decode, encode

VALUES = ("--role", "--project", "--lane", "--shape", "--tools", "--socket")
USAGE = """Usage: ade mcp [serve] [OPTIONS]

Serve ADE's tools over standard input and output to a client of the Model
Context Protocol, as the session or the owner that this process belongs to.
Clients start it themselves: see `ade mcp config --help`.

  --tools first|all  first: about a dozen tools, by which the others are found
                     and called (default); all: every tool.
  --shape text|both  text: results are text alone (default); both: with the
                     structured part, which holds the same facts.
  --role ROLE        Role to act in, at most your own.
  --project PATH     Project to work on; default is the one of the folder.
  --lane LANE        Lane to work in; default is the one of the folder.
  --socket PATH      Ask the runtime at this socket.

Examples:
  ade mcp                            # as a client starts it
  ade mcp --tools all --shape both   # for one that loads tools when needed
"""


def run_mcp(args: "list[str]", environ: "dict[str, str]") -> int:
    """Carry messages until either side ends; gives the exit code. What is wrong is said on standard error, since standard
    output is the protocol's."""
    if "--help" in args or "-h" in args:
        sys.stdout.write(USAGE)
        return 0
    given = _options(args)
    if isinstance(given, str):
        sys.stderr.write(f"error: {given}\nhint: See `ade mcp serve --help`.\n")
        return 2
    path = resolved_socket(wanted_socket(environ))
    line = line_params([], environ)
    params: dict[str, object] = {name: line[name] for name in ("cwd", "env", "build", "protocol")}
    params.update(given)
    connection = _connected(path, params, environ)
    if isinstance(connection, int):
        return connection
    try:
        Pump(connection).run()
    finally:
        connection.close()
    return 0


def _options(args: "list[str]") -> "dict[str, str] | str":
    """The options by name, or what is wrong with the line."""
    found: dict[str, str] = {}
    rest = list(args[1:] if args[:1] == ["serve"] else args)
    while rest:
        name, equals, value = rest.pop(0).partition("=")
        if name not in VALUES:
            return f"ade mcp does not take {name!a}."
        if not (equals or rest):
            return f"{name} needs a value."
        found[name[2:]] = value if equals else rest.pop(0)
    found.pop("socket", None)  # it has been read already, as of every command
    return found


def _connected(path: str, params: "dict[str, object]", environ: "dict[str, str]") -> "Socket | int":
    """A connection on which the runtime speaks MCP, or the exit code once an error was shown."""
    for _ in range(START_TRIES):
        try:
            connection = reach(path, environ)
            if isinstance(connection, int):
                return connection
            answer = _ask(connection, params)
        except Gone:
            continue
        except OSError as problem:
            from ade_runtime.client.trouble import unreachable

            return unreachable(problem, path, environ)
        if isinstance(answer, int):
            connection.close()
            return answer
        if not answer.get("stale"):
            return connection
        connection.close()
        failed = replace_older(path, params, environ)
        if failed is not None:
            return failed
    from ade_runtime.client.local import show_unavailable

    return show_unavailable("it ended again and again", environ)


def _ask(connection: Socket, params: "dict[str, object]") -> "dict[str, object] | int":
    message = {"jsonrpc": "2.0", "id": 1, "method": "mcp/connect", "params": params}
    connection.sendall((encode(message) + "\n").encode())
    line = Lines(connection).next()
    if not line:
        raise OSError(errno.ECONNRESET, "the runtime ended before it answered")
    answer = decode(line)
    if answer.get("method") == "runtime/closing":
        raise Gone
    result, error = answer.get("result"), answer.get("error")
    if isinstance(result, dict):
        return result
    data = error.get("data") if isinstance(error, dict) else None
    if isinstance(data, dict) and data.get("code") == "shutting_down":
        raise Gone
    from ade_runtime.client.local import show_error

    return show_error(data if isinstance(data, dict) else {"code": "internal_error", "message": str(error)})
