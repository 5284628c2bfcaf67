# Texts and bytes in memory that are read and written like files. `open` is not here: a program has no files.


def _shidi_io_lines(text, newline):
    lines = []
    start = 0
    while start < len(text):
        end = text.find(newline, start)
        end = len(text) if end < 0 else end + len(newline)
        lines.append(text[start:end])
        start = end
    return lines


class _shidi_io_memory:
    def __init__(self, value, empty, newline):
        self._value = value
        self._empty = empty
        self._line_end = newline
        self._place = 0
        self.closed = False

    def _open(self):
        if self.closed:
            raise ValueError('I/O operation on closed file')

    def __iter__(self):
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def __enter__(self):
        self._open()
        return self

    def __exit__(self, kind, error, trace):
        self.close()

    def read(self, size=-1):
        self._open()
        end = len(self._value) if size is None or size < 0 else self._place + size
        part = self._value[self._place:end]
        self._place += len(part)
        return part

    def readline(self, size=-1):
        self._open()
        end = self._value.find(self._line_end, self._place)
        end = len(self._value) if end < 0 else end + 1
        if size is not None and size >= 0:
            end = min(end, self._place + size)
        line = self._value[self._place:end]
        self._place += len(line)
        return line

    def readlines(self, hint=-1):
        return _shidi_io_lines(self.read(), self._line_end)

    def write(self, part):
        self._open()
        if type(part) is not type(self._empty):
            if isinstance(self._empty, str):
                raise TypeError("string argument expected, got '" + type(part).__name__ + "'")
            raise TypeError("a bytes-like object is required, not '" + type(part).__name__ + "'")
        count = len(part)
        if isinstance(part, str) and self._newline is not None:
            part = part.replace('\n', self._newline)
        if self._place == len(self._value):
            self._value += part
        else:
            self._value = self._value[:self._place] + part + self._value[self._place + len(part):]
        self._place += len(part)
        return count

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def getvalue(self):
        self._open()
        return self._value

    def seek(self, place, whence=0):
        self._open()
        if whence == 2:
            place += len(self._value)
        elif whence == 1:
            place += self._place
        if place < 0:
            raise ValueError('negative seek position ' + repr(place))
        self._place = place
        return place

    def tell(self):
        self._open()
        return self._place

    def truncate(self, size=None):
        self._open()
        size = self._place if size is None else size
        self._value = self._value[:size]
        return size

    def flush(self):
        self._open()

    def close(self):
        self.closed = True

    def readable(self):
        return True

    def writable(self):
        return True

    def seekable(self):
        return True


# `newline` works as in a file: None turns every line end that is read into \n, and '' leaves them as they are.
def _shidi_io_text(initial_value='', newline='\n'):
    value = '' if initial_value is None else initial_value
    if newline is None:
        value = value.replace('\r\n', '\n').replace('\r', '\n')
    memory = _shidi_io_memory('', '', '\n')
    memory._newline = newline if newline in ('\r', '\r\n') else None
    memory.write(value)
    memory.seek(0)
    return memory


def _shidi_io_bytes(initial_bytes=b''):
    memory = _shidi_io_memory(initial_bytes, b'', b'\n')
    memory._newline = None
    return memory


class _shidi_io:
    StringIO = _shidi_io_text
    BytesIO = _shidi_io_bytes
    SEEK_SET = 0
    SEEK_CUR = 1
    SEEK_END = 2
