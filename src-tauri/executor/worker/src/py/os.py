"""The operating system as far as a program has one: paths as text, no files, no processes, chance from the host."""

import abc
import posixpath as path
import sys
from stat import S_ISDIR, S_ISREG

name = "posix"
sep = "/"
altsep = None
extsep = "."
pathsep = ":"
curdir = "."
pardir = ".."
linesep = "\n"
defpath = ""
devnull = "/dev/null"
error = OSError
environ = {}
supports_bytes_environ = False
supports_dir_fd = supports_effective_ids = supports_fd = supports_follow_symlinks = frozenset()
F_OK, R_OK, W_OK, X_OK = 0, 4, 2, 1
O_RDONLY, O_WRONLY, O_RDWR = 0, 1, 2
O_CREAT, O_EXCL, O_TRUNC, O_APPEND = 0o100, 0o200, 0o1000, 0o2000
SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2

sys.modules["os.path"] = path


class stat_result(tuple):
    """Here for type hints: nothing has one."""


class DirEntry:
    """As `stat_result`."""


class terminal_size(tuple):
    """Columns and lines, by name as well as by number."""

    columns = property(lambda self: self[0])
    lines = property(lambda self: self[1])

    def __repr__(self):
        return f"os.terminal_size(columns={self.columns}, lines={self.lines})"


class PathLike(abc.ABC):
    """Anything with `__fspath__`."""

    @abc.abstractmethod
    def __fspath__(self):
        raise NotImplementedError

    @classmethod
    def __subclasshook__(cls, subclass):
        return True if hasattr(subclass, "__fspath__") else NotImplemented

    @classmethod
    def __class_getitem__(cls, _):
        return cls


def fspath(given):
    if isinstance(given, (str, bytes)):
        return given
    kind = type(given)
    if not hasattr(kind, "__fspath__"):
        raise TypeError(f"expected str, bytes or os.PathLike object, not {kind.__name__}")
    return kind.__fspath__(given)


def fsencode(given):
    given = fspath(given)
    return given.encode("utf-8", "surrogateescape") if isinstance(given, str) else given


def fsdecode(given):
    given = fspath(given)
    return given.decode("utf-8", "surrogateescape") if isinstance(given, bytes) else given


def getenv(key, default=None):
    return default


def getcwd():
    return "/"


def getpid():
    return 1


def cpu_count():
    return 1


process_cpu_count = cpu_count


def get_terminal_size(*_):
    return terminal_size((80, 24))


def isatty(_):
    return False


def urandom(count):
    from _session import entropy

    return entropy(count)


def strerror(code):
    return f"error {code}"


def _refused(*_, **__):
    raise PermissionError("A program has no files of its own; use the toolkit `files`")


listdir = scandir = walk = stat = lstat = open = remove = unlink = rename = replace = mkdir = makedirs = rmdir = _refused
removedirs = chdir = access = readlink = symlink = link = chmod = utime = truncate = _refused


def system(*_):
    raise PermissionError("A program cannot start programs; use a toolkit")


popen = system
