"""Files as Python has them, by the toolkit `files`.

Models write `open(path)`, `os.listdir` and `Path.read_text`, whatever a prompt says. Each becomes the call of `files`
that does the same, so that it is asked for, recorded and undone like any other. Without that toolkit all are refused.
The library looks for files on its own account, too, and lives with a no: only what a program asks for is done.
"""

import errno
import io
import os
import posixpath
import sys
import types

from _text_file import BytesFile, Entries, Hold, TextFile, is_end

REFUSED = "A program has no files of its own; use the toolkit `files`"
CUT = "[cut: "
"""How the last line or entry begins of an answer that is not all there is."""
PASSING = frozenset(
    (
        "_file_library",
        "_files",
        "_text_file",
        "os",
        "posixpath",
        "genericpath",
        "pathlib",
        "glob",
        "shutil",
        "configparser",
    )
)
"""Modules that ask in the name of whoever called them."""
MODES = ("r", "w", "a", "x")
UTF_8 = ("utf8", "ascii", "usascii", "locale")
FAMILIES = (
    ("gbk", "gb2312", "gb18030", "cp936"),
    ("big5", "cp950", "big5hkscs"),
    ("shiftjis", "sjis", "cp932", "windows31j"),
    ("euckr", "cp949", "ksc5601"),
    ("windows1252", "cp1252", "latin1", "iso88591"),
)
"""Names of encodings that are told apart by a few signs alone."""
MARKED_UTF_8 = "utf8sig"
BYTE_ORDER_MARK = "\ufeff"
MAGIC = frozenset("*?[")
RELPATH, ABSPATH = posixpath.relpath, posixpath.abspath
GONE = (FileNotFoundError, NotADirectoryError)
NUMBERS = {
    FileNotFoundError: errno.ENOENT,
    FileExistsError: errno.EEXIST,
    IsADirectoryError: errno.EISDIR,
    NotADirectoryError: errno.ENOTDIR,
    PermissionError: errno.EACCES,
}

# `ask` makes a call of the toolkit; `methods` are those that the running program may call. `opened_at` is where a file was
# opened that is being saved late. `root` is the whole path of the work folder, once somebody has asked for it.
Place = types.SimpleNamespace(ask=None, methods=frozenset(), writers=[], opened_at=None, root=None)


def module_of(frame):
    return frame.f_globals.get("__name__", "").partition(".")[0]


def is_of_program(frame):
    return frame.f_code.co_filename.startswith("<program")


def is_asked_by_program():
    frame = sys._getframe(1)
    while frame is not None:
        if is_of_program(frame):
            return True
        if module_of(frame) not in PASSING:
            return False
        frame = frame.f_back
    return False


def refused():
    """The error for whoever gets no file. The module that the program called is named: it does nothing here."""
    frame, module = sys._getframe(1), "_"
    while frame is not None and not is_of_program(frame):
        if module_of(frame) not in PASSING:
            module = module_of(frame)
        frame = frame.f_back
    whose = "" if module.startswith("_") else f", so `{module}` opens none"
    return numbered(PermissionError(REFUSED.replace(";", f"{whose};", 1)))


def place_of_program():
    """The file, function and line of the program that led here."""
    frame = sys._getframe(1)
    while frame is not None and not is_of_program(frame):
        frame = frame.f_back
    return frame and (frame.f_code.co_filename, frame.f_code.co_name, frame.f_lineno)


def numbered(error):
    error.errno = NUMBERS.get(type(error))
    return error


def call(method, *positional, **named):
    if method not in Place.methods or not is_asked_by_program():
        raise refused()
    save_left()
    try:
        return Place.ask(method, positional, named)
    except OSError as error:
        raise numbered(error)


def name_of(path):
    name = os.fspath(path)
    return name.decode() if isinstance(name, bytes) else name


# What stands in a file.


def rest_of(part, first):
    """A part of a file without the line that says where it goes on, and the number of that line."""
    lines, _, last = part.rpartition("\n")
    if not last.startswith(CUT):
        return part, None
    if " is longer than " in last:
        raise OSError(last)
    number = last.rpartition("offset_line=")[2].rstrip("]")
    if number != str(first + lines.count("\n") + 1):
        return part, None
    return lines + "\n", int(number)


def save_late(writer, save):
    """Saves a file elsewhere than where it was written. What goes wrong then is told at the line that opened it."""
    Place.opened_at = writer.opened_at
    try:
        save()
    except Exception as error:
        error._shidi_opened_at = writer.opened_at
        raise
    finally:
        Place.opened_at = None


def save_each(writers):
    """Saves and closes files, also those behind one that could not be saved. The error is the first one's alone."""
    troubles = []
    for writer in writers:
        try:
            save_late(writer, writer.end)
        except Exception as trouble:
            troubles.append((writer, trouble))
    for writer, trouble in troubles if len(troubles) > 1 else ():
        _, _, line = writer.opened_at or ("", "", 0)
        print(f"[not saved: {writer.name!r} (line {line}): {type(trouble).__name__}: {trouble}]")
    if troubles:
        raise troubles[0][1]


def save_left():
    """Saves the files that the program let go without closing them: whatever it does next may look at them."""
    left = [writer for writer in Place.writers if writer.is_left]
    Place.writers = [writer for writer in Place.writers if not writer.is_left and not writer.closed]
    save_each(left)


def settled(path):
    """The name of a file or folder, once all is saved that the program wrote there and has not closed.

    `json.dump(data, open(path, "w"))` leaves it so. Saved later, it would undo what is done with the file meanwhile.
    """
    name = name_of(path)
    place = posixpath.normpath(name)
    for writer in Place.writers:
        own = posixpath.normpath(writer.name)
        if own == place or own.startswith(place + "/"):
            save_late(writer, writer.save_changes)
    return name


def whole(path):
    settled(path)
    text, first = "", 1
    while first is not None:
        part, first = rest_of(call("read", path, offset_line=first), first)
        text += part
    return text


def whole_in_bytes(path):
    """The bytes of a text in UTF-8. A file of anything else, or with mixed line ends, would come as what it is not."""
    found = call("info", settled(path))
    if found["kind"] == "folder":
        raise numbered(IsADirectoryError(f"'{path}' is a folder"))
    encoding = plain_name(found["encoding"] or "none")
    if encoding not in ("utf8", MARKED_UTF_8):
        raise io.UnsupportedOperation(
            f"files are read as text: '{path}' is no plain text in UTF-8, so it gives no bytes"
        )
    mark = BYTE_ORDER_MARK.encode() if encoding == MARKED_UTF_8 else b""
    data = whole(path).encode()
    # The text has no mark, and "\n" alone at the ends of lines.
    missing = found["bytes"] - len(mark) - len(data)
    if missing == 0:
        return mark + data
    if missing == data.count(b"\n"):
        return mark + data.replace(b"\n", b"\r\n")
    raise io.UnsupportedOperation(
        f"files are read as text: the lines of '{path}' end in more than one way, which its text leaves out, "
        "so it gives no bytes"
    )


def plain_name(encoding):
    return (encoding or "utf-8").lower().replace("-", "").replace("_", "")


def check_encoding(path, encoding, look=None):
    """Refuses a file that the toolkit takes for one of another old encoding: its text would be another one."""
    name = plain_name(encoding)
    if name in UTF_8 or name == MARKED_UTF_8:
        return
    found = ((look or facts)(path) or {}).get("encoding")
    other = plain_name(found)
    is_known = not found or other.startswith("utf") or name == other
    if not is_known and not any(name in family and other in family for family in FAMILIES):
        raise ValueError(f"'{path}' looks like {found}, not like {encoding}; open it without encoding")


def mark_of(path, encoding, mode):
    """What a file begins with that is written in an encoding. What is added has the file's own."""
    name = plain_name(encoding)
    if mode == "a":
        check_encoding(path, encoding)
    elif name == MARKED_UTF_8:
        return BYTE_ORDER_MARK
    elif name not in UTF_8:
        raise ValueError(f"files are written as UTF-8, not as {encoding}; leave out `encoding` where you write")
    return ""


def opened(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):
    path = name_of(file)
    kind = mode.replace("t", "")
    if "read" not in Place.methods or not is_asked_by_program():
        raise refused()
    if kind == "rb" and "info" in Place.methods:
        return BytesFile(path, whole_in_bytes(path))
    if kind not in MODES:
        raise io.UnsupportedOperation(f"files are read and written as text: mode 'r', 'w', 'a' or 'x', not {mode!r}")
    if kind == "r":
        check_encoding(path, encoding)
        return TextFile(path, kind, whole(path))
    if "write" not in Place.methods:
        raise refused()
    if path.endswith("/"):
        raise numbered(IsADirectoryError(f"'{path}' is the name of a folder, not of a file"))
    settled(path)
    mark = mark_of(path, encoding, kind)
    if kind == "x" and exists(path):
        raise numbered(FileExistsError(f"'{path}' exists already"))
    line_end = newline if newline in ("\r", "\r\n") else "\n"
    writer = TextFile(path, kind, "", lambda text, named: saved(path, mark + text.replace("\n", line_end), named))
    writer.opened_at = place_of_program()
    Place.writers.append(writer)
    return Hold(writer)


def saved(path, text, named):
    # Not `call`: what a program has left open is saved after its end.
    try:
        Place.ask("write", (path, text), named)
    except OSError as error:
        raise numbered(error)


def begin(methods):
    Place.methods = frozenset(methods)
    Place.writers = []
    Place.root = None


def finish(error=None):
    """Saves what the program left open. One that failed left some half-written: those stay as they were, and are named."""
    writers, Place.writers = Place.writers, []
    is_done = error is None or is_end(error)
    lost, left = [], []
    for writer in writers:
        if is_done or (writer.is_left and not writer.is_part):
            left.append(writer)
            continue
        if writer.is_changed:
            lost.append(writer.name)
        writer.closed = True
    if lost:
        names = ", ".join(map(repr, dict.fromkeys(lost)))
        print(f"[not saved, since the program failed while it wrote: {names}]")
    save_each(left)


# What is there.


def facts(path):
    try:
        return call("info", settled(path), missing_ok=True)
    except GONE:
        return None


def exists(path):
    return facts(path) is not None


def is_of_kind(path, kind):
    found = facts(path)
    return found is not None and found["kind"] == kind


def isfile(path):
    return is_of_kind(path, "file")


def isdir(path):
    return is_of_kind(path, "folder")


def is_never(path):
    """Links and mounts are followed by the toolkit: a program sees none."""
    name_of(path)
    if "info" not in Place.methods:
        raise refused()
    return False


def absolute(path):
    """The whole path of a name. Without a work folder, or without facts of files, there is none: `.` stays."""
    name = name_of(path)
    if not posixpath.isabs(name) and "info" in Place.methods:
        if Place.root is None:
            Place.root = root()
        if Place.root:
            return posixpath.normpath(posixpath.join(Place.root, name))
    return ABSPATH(path)


def root():
    try:
        return call("info", ".").get("absolute", "")
    except Exception:
        return ""


def resolved(path, *, strict=False):
    return absolute(name_of(path))


class Stat:
    """Size, time of the last change and kind; nobody owns a file."""

    st_ino = st_dev = st_uid = st_gid = 0
    st_nlink = 1

    def __init__(self, found):
        from datetime import datetime
        from stat import S_IFDIR, S_IFREG

        changed = found["modified"]
        self.st_size = found["bytes"]
        self.st_mode = (S_IFDIR | 0o755) if found["kind"] == "folder" else (S_IFREG | 0o644)
        self.st_mtime = datetime.fromisoformat(changed).timestamp() if changed else 0.0
        self.st_atime = self.st_ctime = self.st_mtime


def stat(path, *, dir_fd=None, follow_symlinks=True):
    return Stat(call("info", settled(path)))


def access(path, mode, **_):
    return exists(path)


class Entry:
    def __init__(self, folder, found):
        self.name = posixpath.basename(found["path"].rstrip("/"))
        self.path = self.name if folder == "." else posixpath.join(folder, self.name)
        self.kind = found["kind"]

    def __fspath__(self):
        return self.path

    def __repr__(self):
        return f"<DirEntry {self.name!r}>"

    def is_file(self, *, follow_symlinks=True):
        return self.kind == "file"

    def is_dir(self, *, follow_symlinks=True):
        return self.kind == "folder"

    def is_symlink(self):
        return self.kind == "link"

    def is_junction(self):
        return False

    def stat(self, *, follow_symlinks=True):
        return stat(self.path)


def complete(found, text_of):
    """The answer of a call, if it is all there is."""
    if found and text_of(found[-1]).startswith(CUT):
        raise OSError(text_of(found[-1]))
    return found


def scandir(path="."):
    # What `dirname` makes of a name alone.
    folder = name_of(path) or "."
    found = complete(call("list", folder), lambda entry: entry["path"])
    return Entries(Entry(folder, entry) for entry in found)


def listdir(path="."):
    return [entry.name for entry in scandir(path)]


def walk(top, topdown=True, onerror=None, followlinks=False):
    try:
        entries = scandir(top)
    except OSError as error:
        if onerror is not None:
            onerror(error)
        return
    folders = [entry.name for entry in entries if entry.is_dir()]
    files = [entry.name for entry in entries if not entry.is_dir()]
    if topdown:
        yield top, folders, files
    for folder in folders:
        yield from walk(posixpath.join(name_of(top), folder), topdown, onerror)
    if not topdown:
        yield top, folders, files


def matches(folder, pattern, recursive, hidden=False):
    """The files and folders below a folder that a pattern fits, in their order; folders alone if it ends in a slash."""
    from fnmatch import fnmatchcase

    if not recursive:
        pattern = pattern.replace("**", "*")
    end = "/" if pattern.endswith("/") else ""
    pattern = pattern.rstrip("/")
    try:
        if "/" in pattern or "**" in pattern:
            found = complete(call("glob", pattern, path=folder, folders=True), str)
            files = set(complete(call("glob", pattern, path=folder), str) if end else ())
            found = [path for path in found if path not in files]
        else:
            fitting = [entry for entry in scandir(folder) if fnmatchcase(entry.name, pattern)]
            found = [entry.path for entry in fitting if entry.is_dir() or not end]
    except GONE:
        return []
    if not hidden and not posixpath.basename(pattern).startswith("."):
        found = [path for path in found if not posixpath.basename(path).startswith(".")]
    return sorted(path + end for path in found)


def relative(path, start="."):
    """As `relpath`, which takes the work folder's name "." for one below the root."""
    names = [[name for name in posixpath.normpath(name_of(one)).split("/") if name != "."] for one in (path, start)]
    own, others = names
    while own and others and own[0] == others[0]:
        own, others = own[1:], others[1:]
    is_plain = path and start and posixpath.isabs(name_of(path)) == posixpath.isabs(name_of(start))
    if not is_plain or ".." in others:
        return RELPATH(path, start)
    return "/".join([".."] * len(others) + own) or "."


def glob(pathname, *, root_dir=None, dir_fd=None, recursive=False, include_hidden=False):
    name = name_of(pathname)
    bare = name.rstrip("/")
    parts = bare.split("/")
    plain = 0
    while plain < len(parts) - 1 and not MAGIC.intersection(parts[plain]):
        plain += 1
    folder = "/".join(parts[:plain])
    if not folder:
        folder = "/" if plain else "."
    if root_dir is not None:
        folder = posixpath.join(name_of(root_dir), folder)
    end = name[len(bare) :]
    found = matches(folder, "/".join(parts[plain:]) + end, recursive, include_hidden)
    return found if root_dir is None else [relative(path, root_dir or ".") + end[:1] for path in found]


def iglob(pathname, **named):
    return iter(glob(pathname, **named))


# What changes.


def remove(path, *, dir_fd=None):
    if isdir(path):
        raise numbered(IsADirectoryError(f"'{name_of(path)}' is a folder; shutil.rmtree deletes it with all that is in it"))
    call("delete", settled(path))


def rmdir(path, *, dir_fd=None):
    if listdir(path):
        raise OSError(errno.ENOTEMPTY, f"'{name_of(path)}' is not empty")
    call("delete", name_of(path))


def rename(src, dst, **_):
    call("move", settled(src), name_of(dst))


def mkdir(path, mode=0o777, *, dir_fd=None):
    makedirs(path)


def makedirs(name, mode=0o777, exist_ok=False):
    made = call("make_folder", name_of(name))
    if not made["created"] and not exist_ok:
        raise numbered(FileExistsError(f"'{name_of(name)}' exists already"))


def copy(src, dst, *_, **__):
    return call("copy", settled(src), name_of(dst))["to"]


def move(src, dst, copy_function=None):
    return call("move", settled(src), name_of(dst))["to"]


def rmtree(path, *_, **__):
    call("delete", settled(path))


def getcwd():
    """The work folder, from which all paths are told; a program without files has none."""
    return "." if Place.methods else "/"
