"""Keeps programs of the peer to their work folder: they run within the process of the attempt.

smolagents' own interpreter decides what is imported and which built-ins there are. This refuses what a module would do
beyond that: files, processes, sockets. Files are reached by tools, and the network by the model's client. It is no border
against an attacker, as a container would be.
"""

import os
import sys
import sysconfig
import threading
import zoneinfo
from collections.abc import Iterator
from contextlib import contextmanager

REFUSED = ("subprocess.", "socket.", "ctypes.", "shutil.", "os.", "pty.", "sqlite3.", "tempfile.", "urllib.")
# What importing a module of the library does.
LISTING = {"os.listdir", "os.scandir"}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
PATHS = sysconfig.get_paths()
READABLE = tuple({PATHS["stdlib"], PATHS["platstdlib"], PATHS["purelib"], PATHS["platlib"], *zoneinfo.TZPATH})

trusted = threading.local()


@contextmanager
def lifted() -> Iterator[None]:
    """Within a tool or the model's client, this thread does what it likes."""
    trusted.depth = getattr(trusted, "depth", 0) + 1
    try:
        yield
    finally:
        trusted.depth -= 1


def readable(path: object) -> bool:
    return isinstance(path, str) and os.path.abspath(path).startswith(READABLE)


def refuse(event: str, arguments: tuple) -> None:
    """Programs run in threads of their own, and what they define may be called anywhere."""
    if getattr(trusted, "depth", 0):
        return
    if event == "open":
        path, mode, flags = arguments
        reads = not (flags or 0) & WRITING and not set(mode or "") & set("wax+")
        if not (reads and readable(path)):
            raise PermissionError("Files are reached by the tools alone, such as files_read and files_write")
    elif event in LISTING:
        if not readable(arguments[0]):
            raise PermissionError("Folders are reached by the tools alone, such as files_list")
    elif event.startswith(REFUSED):
        raise PermissionError(f"{event} is not there for programs")


def begin() -> None:
    """Guards this process for the rest of its life."""
    sys.addaudithook(refuse)
