"""What a program has opened: a text in memory that is saved when it is closed, the bytes of one, or a folder's entries."""

import io


def is_end(error):
    """Whether a program ended itself without a failure, as by `exit()`."""
    return isinstance(error, SystemExit) and error.args in ((), (None,), (0,))


class TextFile:
    encoding = "utf-8"
    errors = "strict"
    newlines = None

    def __init__(self, name, mode, text, save=None):
        self.name = name
        self.mode = mode
        self.closed = False
        self.content = io.StringIO(text)
        self.save = save
        # The file, function and line of the program that opened it.
        self.opened_at = None
        # Nothing holds it any more: what stands in it is all there will be.
        self.is_left = False
        # An exception left the block in which it was written.
        self.is_part = False
        # A new file exists even if nothing is written into it.
        self.is_changed = mode in ("w", "x")

    def __repr__(self):
        return f"<file {self.name!r}, mode {self.mode!r}>"

    def checked(self, mode):
        if self.closed:
            raise ValueError("I/O operation on closed file.")
        if mode == "read" and not self.readable():
            raise io.UnsupportedOperation("not readable")
        if mode == "write" and not self.writable():
            raise io.UnsupportedOperation("not writable")
        return self.content

    def readable(self):
        return self.mode == "r"

    def writable(self):
        return self.mode != "r"

    def seekable(self):
        return self.mode != "a"

    def isatty(self):
        return False

    def fileno(self):
        raise io.UnsupportedOperation("a file of a program has no number")

    def read(self, size=-1):
        return self.checked("read").read(-1 if size is None else size)

    def readline(self, size=-1):
        return self.checked("read").readline(size)

    def readlines(self, hint=-1):
        return list(self)

    def __iter__(self):
        self.checked("read")
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def write(self, text):
        content = self.checked("write")
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self.is_changed = True
        return content.write(text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def seek(self, offset, whence=0):
        return self.checked("").seek(offset, whence)

    def tell(self):
        return self.checked("").tell()

    def truncate(self, size=None):
        content = self.checked("write")
        self.is_changed = True
        return content.truncate() if size is None else content.truncate(size)

    def flush(self):
        self.checked("")
        self.save_changes()

    def save_changes(self):
        if not self.is_changed:
            return
        self.is_changed = False
        text = self.content.getvalue()
        if self.mode != "a":
            self.save(text, {})
            return
        self.content = io.StringIO()
        self.save(text, {"append": True})

    def end(self):
        """Saves what was not saved yet, and closes."""
        try:
            self.save_changes()
        finally:
            self.closed = True

    def close(self):
        if not self.closed:
            self.end()

    def __enter__(self):
        self.checked("")
        return self

    def __exit__(self, kind, error, _):
        if kind is None or is_end(error):
            self.close()
            return
        # It is saved if the program goes on. If it fails, this is a part, and the file stays as it was.
        self.is_part = self.is_left = self.closed = True


class BytesFile(io.BytesIO):
    mode = "rb"

    def __init__(self, name, data):
        super().__init__(data)
        self.name = name

    def __repr__(self):
        return f"<file {self.name!r}, mode {self.mode!r}>"

    def writable(self):
        return False

    def write(self, *_):
        raise io.UnsupportedOperation("not writable")

    writelines = truncate = write


class Hold:
    """A written file, as its program has it: Python saves it as soon as nobody holds it any more.

    Nothing is saved here, since nobody would hear that it failed.
    """

    def __init__(self, file):
        self.file = file

    def __getattr__(self, name):
        return getattr(self.file, name)

    def __del__(self):
        self.file.is_left = True

    def __repr__(self):
        return repr(self.file)

    def __iter__(self):
        return iter(self.file)

    def __enter__(self):
        self.file.__enter__()
        return self

    def __exit__(self, *raised):
        self.file.__exit__(*raised)


class Entries(list):
    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def close(self):
        pass
