"""What a process touches, seen by an audit hook: files, connections, other processes, code made from text.

Permission bits don't hold root and a firewall needs root; a hook holds everybody, on every system. It can't be taken
away again, so watch() is for a process of its own. It sees what Python opens, not what a C library opens by itself:
the zmq sockets between a kernel and its client are of that kind.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Events that change the file system, and how many of their arguments are paths.
CHANGES = {"os.mkdir": 1, "os.remove": 1, "os.rmdir": 1, "os.truncate": 1, "os.rename": 2, "os.link": 2}
# Events that reach for another machine, and which of their arguments says which.
CONNECTIONS = {"socket.connect": 1, "socket.sendto": 1, "socket.getaddrinfo": 0, "socket.gethostbyname": 0}
STARTS = {"subprocess.Popen", "pty.spawn"} | {
    f"os.{name}" for name in ("system", "exec", "spawn", "posix_spawn", "startfile", "fork", "forkpty")
}
LOOPBACK = ("127.0.0.1", "::1", "localhost")


@dataclass
class Touches:
    """Paths are absolute. evaluated: "exec" or "compile" for each time that code of `package` made code from text."""

    read: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    connected: list[str] = field(default_factory=list)
    started: list[str] = field(default_factory=list)
    evaluated: list[str] = field(default_factory=list)


def watch(package: str = "", read_only: str | None = None, offline: bool = False) -> Touches:
    """What this process touches from now on.

    package: part of the paths of the files whose exec and eval are noted. read_only: the folder below which every
    change raises PermissionError. offline: connections to any machine but this one raise ConnectionError.
    Whatever was refused is noted as well.
    """
    seen = Touches()
    closed = read_only and os.path.realpath(read_only)

    def write(path: object) -> None:
        seen.written.append(_absolute(path))
        if closed and seen.written[-1].startswith(closed + os.sep):
            raise PermissionError(f"{seen.written[-1]} is in a folder that is read-only for this test")

    def connect(address: object) -> None:
        host = address[0] if isinstance(address, tuple) else address
        # A string in place of a tuple is a socket in the file system.
        if host is None or host in LOOPBACK or str(address).startswith("/"):
            return
        seen.connected.append(str(address))
        if offline:
            raise ConnectionError(f"{address} is another machine, and this test has no network")

    def hook(event: str, arguments: tuple) -> None:
        if event == "open":
            path, _, flags = arguments
            if isinstance(path, int):  # an open file, wrapped
                return
            write(path) if flags & WRITING else seen.read.append(_absolute(path))
        elif event in CHANGES:
            for path in arguments[: CHANGES[event]]:
                write(path)
        elif event in CONNECTIONS:
            connect(arguments[CONNECTIONS[event]])
        elif event in STARTS:
            seen.started.append(f"{event} {arguments[:2]}")
        elif event in ("exec", "compile") and package and package in sys._getframe(1).f_code.co_filename:
            seen.evaluated.append(event)

    sys.addaudithook(hook)
    return seen


def _absolute(path: object) -> str:
    return os.path.realpath(os.fsdecode(path))
