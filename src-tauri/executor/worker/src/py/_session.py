"""Runs the programs of a session: toolkits as objects, calls as coroutines, facts of the host, what is left behind.

The supervisor is reached through the native module `_border` alone. Everything here runs in the same interpreter as
the programs; it keeps what it uses of the built-ins, since a program may replace them.
"""

import _border
import _file_library
import _files
import _io
import _sitebuiltins
import _zones
import builtins
import io
import json
import sys
import time
import types

VALUE = "_shidi_value"
PLAIN = frozenset((type(None), bool, int, float, str, list, dict))
NARROW = 1 << 63
MARK = "$shidi"
MOST_ITEMS = 100_000
"""Items looked at to learn whether JSON gives a value back."""
MOST_CAUSES = 3
MOST_CAUSE_CHARACTERS = 300
"""Exceptions told of behind the one that ended a program, and characters of each."""
MOST_TAKEN = 10
"""Calls told of that were taken as others."""
MOST_FRAMES_UP = 64
"""Frames looked through for the program's own line."""
TOP_LEVEL_AWAIT = 0x2000
COROUTINE = 0x80
SECONDS_PER_MINUTE = 60
UNIX_MS = (-62_135_510_400_000, 253_402_214_399_999)
"""The years 1 to 9999, which Python has, less a day for any time zone."""
MOST_OFFSET_MINUTES = 1439
SEED_BYTES = 32
MOST_ENTROPY_BYTES = 64
"""Bytes asked of the host at most; more are drawn from them, so that a record stays small."""

main = types.ModuleType("__main__")
space = main.__dict__
space["__builtins__"] = builtins
sys.modules["__main__"] = main
sys.meta_path.append(_zones.Finder)


# Facts of the running program. An instance and not a class: a change of a class empties all of the
# interpreter's caches. `open` holds the futures of sent calls, by number.
State = types.SimpleNamespace(file="", number=0, loop=None, offset_minutes=0, unmade={}, taken={}, open={}, timers={})


def next_number():
    number = State.number = State.number + 1
    return number


def own_line():
    """The line of the running program that led here; 0 when a function of an earlier program stands between."""
    frame = sys._getframe(1)
    for _ in range(MOST_FRAMES_UP):
        if frame is None:
            return 0
        file = frame.f_code.co_filename
        if file == State.file:
            return frame.f_lineno
        if file.startswith("<program"):
            return 0
        frame = frame.f_back
    return 0


class Toolkit:
    def __init__(self, name, methods, left_out, has_exists):
        self.__dict__["__toolkit__"] = name
        self.__dict__["__left_out__"] = left_out
        for method, parameters in methods.items():
            self.__dict__[method] = bound(name, method, parameters)
        if has_exists:
            self.__dict__["exists"] = exists_of(name)

    def __getattr__(self, name):
        import difflib

        close = difflib.get_close_matches(name, self.__dict__, 1)
        meant = f". Did you mean: '{close[0]}'?" if close else ""
        count = self.__left_out__
        left_out = f"; {count} that are allowed are left out, the user can forbid others" if count else ""
        raise AttributeError(f"toolkit '{self.__toolkit__}' has no method '{name}'{left_out}{meant}")

    def __setattr__(self, name, value):
        raise AttributeError(f"toolkit '{self.__toolkit__}' cannot be changed")

    def __repr__(self):
        return f"<toolkit {self.__toolkit__}>"


frame_of = sys._getframe


def bound(toolkit, name, parameters):
    known = frozenset(parameters)

    def method(*positional, **named):
        _files.save_left()
        number = State.number = State.number + 1
        caller = frame_of(1)
        line = caller.f_lineno if caller.f_code.co_filename == State.file else own_line()
        State.unmade[number] = (toolkit, name, line)
        if named and not known.issuperset(named):
            return meant(number, toolkit, name, parameters, positional, named, line)
        return made(number, toolkit, name, positional, named, line)

    method.__name__ = name
    method.__qualname__ = f"{toolkit}.{name}"
    return method


def exists_of(toolkit):
    def exists(*positional, **named):
        _files.save_left()
        number = next_number()
        line = own_line()
        State.unmade[number] = (toolkit, "exists", line)
        return looked(number, toolkit, positional, named, line)

    exists.__qualname__ = f"{toolkit}.exists"
    return exists


async def made(number, toolkit, name, positional, named, line):
    State.unmade.pop(number, None)
    if State.loop is None:
        return _border.call((number, toolkit, name, positional, named, line))
    return await State.loop.ask(number, toolkit, name, positional, named, line)


async def meant(number, toolkit, name, parameters, positional, named, line):
    """A call with names that its method does not have, under those that it has."""
    State.unmade.pop(number, None)
    under_own_names(toolkit, name, parameters, positional, named, line)
    return await made(number, toolkit, name, positional, named, line)


async def looked(number, toolkit, positional, named, line):
    """Whether something is there, which `info` answers."""
    State.unmade.pop(number, None)
    under_own_names(toolkit, "exists", ("path",), positional, named, line)
    take(f"{toolkit}.exists(…)", f"{toolkit}.info(…, missing_ok=True)", line)
    named["missing_ok"] = True
    try:
        return await made(number, toolkit, "info", positional, named, line) is not None
    except _files.GONE:
        return False


def under_own_names(toolkit, name, parameters, positional, named, line):
    """Renames arguments whose names have one meaning, and drops those that say nothing. The rest stays an error."""
    old = None
    called = (toolkit, name, "info" in _files.Place.methods)
    for strange, own, is_old in _border.meanings(called, parameters, len(positional), named):
        value = named.pop(strange)
        if own is not None:
            named[own] = value
        if is_old:
            old = value
        take(f"{toolkit}.{name}({strange}=…)", f"{toolkit}.{name}({own + '=' if own else ''}…)", line)
    path = positional[0] if positional else named.get("path")
    if old is not None and isinstance(path, str):
        _files.check_encoding(path, old, lambda path: info_of(path, line))


def info_of(path, line):
    try:
        return _border.call((next_number(), "files", "info", (path,), {"missing_ok": True}, line))
    except _files.GONE:
        return None


def take(written, own, line):
    if len(State.taken) < MOST_TAKEN:
        State.taken[(written, own, line)] = None


def ask(method, **named):
    """Asks the host for a fact, which it records."""
    return _border.call((next_number(), "host", method, (), named, own_line()))


# The clock and entropy come from the host, so that a replay sees the same values.


def clock():
    reader = sys._getframe(2).f_code
    if reader.co_name == "<module>" and not reader.co_filename.startswith("<program"):
        # The library module notes the time of its own import, which no program sees.
        return 0, State.offset_minutes
    return asked_clock()


def asked_clock():
    given = ask("clock")
    offset = given.get("utc_offset_minutes", 0) if type(given) is dict else None
    at = given.get("unix_ms") if type(given) is dict else None
    if (
        type(at) is not int
        or type(offset) is not int
        or not UNIX_MS[0] <= at <= UNIX_MS[1]
        or abs(offset) > MOST_OFFSET_MINUTES
    ):
        raise RuntimeError('host.clock must be answered with {"unix_ms": int, "utc_offset_minutes": int}')
    return at, offset


def entropy(count):
    given = ask("entropy", bytes=min(count, MOST_ENTROPY_BYTES))
    try:
        seed = bytes.fromhex(given["hex"])
    except (TypeError, KeyError, ValueError):
        seed = b""
    if not seed:
        raise RuntimeError('host.entropy must be answered with {"hex": str}')
    drawn = seed
    block = 0
    if len(drawn) < count:
        import hashlib

        drawn = b""
        while len(drawn) < count:
            drawn += hashlib.sha256(seed + block.to_bytes(8, "little")).digest()
            block += 1
    return drawn[:count]


native = {name: getattr(time, name) for name in ("gmtime", "strftime", "asctime")}


def time_ns():
    return clock()[0] * 1_000_000


def seconds():
    return clock()[0] / 1000


def gmtime(at=None):
    return native["gmtime"](seconds() if at is None else at)


def localtime(at=None):
    offset = State.offset_minutes * SECONDS_PER_MINUTE
    parts = native["gmtime"]((seconds() if at is None else at) + offset)
    return time.struct_time(tuple(parts)[:9] + (zone_name(), offset))


def zone_name():
    minutes = State.offset_minutes
    if minutes == 0:
        return "UTC"
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def mktime(parts):
    import calendar

    return float(calendar.timegm(tuple(parts)) - State.offset_minutes * SECONDS_PER_MINUTE)


def strftime(form, parts=None):
    return native["strftime"](form, localtime() if parts is None else parts)


def asctime(parts=None):
    return native["asctime"](localtime() if parts is None else parts)


def ctime(at=None):
    return native["asctime"](localtime(at))


def sleep(duration):
    if duration < 0:
        raise ValueError("sleep length must be non-negative")
    ask("sleep", seconds=float(duration))


for replaced in (time_ns, gmtime, localtime, mktime, strftime, asctime, ctime, sleep):
    setattr(time, replaced.__name__, replaced)
for counter in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
    setattr(time, counter, seconds)
    setattr(time, counter + "_ns", time_ns)


def keep_zone(minutes):
    State.offset_minutes = minutes
    time.timezone = time.altzone = -minutes * SECONDS_PER_MINUTE
    time.tzname = (zone_name(), zone_name())


class Output:
    encoding = "utf-8"
    errors = "strict"

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        _border.write(text)
        return len(text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def flush(self):
        pass

    def isatty(self):
        return False


sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = Output()


def ask_files(method, positional, named):
    opened_at = _files.Place.opened_at
    if opened_at is None:
        line = own_line()
    else:
        file, _, opened_line = opened_at
        line = opened_line if file == State.file else 0
    return _border.call((next_number(), "files", method, positional, named, line))


def no_file(*_, **__):
    raise PermissionError(_files.REFUSED)


def no_input(prompt=""):
    raise EOFError("A program has no keyboard; ask the user with a toolkit")


_file_library.answer_all(ask_files)
builtins.open = io.open = _io.open = _files.opened
io.open_code = _io.open_code = no_file
builtins.input = no_input
builtins.help = _sitebuiltins._Helper()
builtins.exit = _sitebuiltins.Quitter("exit", "the end of the program")
builtins.quit = _sitebuiltins.Quitter("quit", "the end of the program")
# The value of a program without arguments: `argparse` and `unittest` look for the program's name.
sys.argv = ["program.py"]


def run(source, file, toolkits, variables, facts):
    """Runs a program to its end. What it raises comes out."""
    State.file = file
    State.number = 0
    State.loop = None
    State.unmade = {}
    State.taken = {}
    State.open = {}
    State.timers = {}
    if variables:
        import _stored

        for name, value in variables.items():
            space[name] = _stored.read(value)
    for name, methods, left_out, has_exists in toolkits:
        space[name] = Toolkit(name, methods, left_out, has_exists)
    space.pop(VALUE, None)
    _files.begin(next((methods for name, methods, *_ in toolkits if name == "files"), ()))
    wants_clock, wants_entropy, wants_loop = facts
    if wants_clock:
        keep_zone(asked_clock()[1])
    if wants_entropy:
        import random

        random.seed(entropy(SEED_BYTES))
    try:
        execute(compiled(source, file), wants_loop)
    except BaseException as error:
        _files.finish(error)
        raise
    _files.finish()


def execute(code, wants_loop):
    if not code.co_flags & COROUTINE:
        exec(code, space)
        return
    coroutine = types.FunctionType(code, space)()
    if wants_loop:
        from asyncio.events import Loop

        Loop().run_program(coroutine)
        return
    try:
        coroutine.send(None)
    except StopIteration:
        return
    raise RuntimeError("the program waits for something that is no call of a toolkit")


def compiled(source, file):
    """The code of a program; top-level `await` is one of the things that it may use."""
    return builtins.compile(source, file, "exec", TOP_LEVEL_AWAIT, True)


def unmade():
    """Calls that nobody awaited: toolkit, method, line."""
    return list(State.unmade.values())


def taken():
    """Calls that were taken as others: as written, as made, line."""
    return list(State.taken)


def describe(error):
    """An exception as plain values: kind, message, frames (file, function, line), and what it came from."""
    frames = frames_of(error)
    if isinstance(error, SyntaxError) and not frames:
        frames.append((error.filename or State.file, "<module>", error.lineno or 0))
    # A file that is saved late fails where nothing is said of it: the line that opened it says more.
    opened_at = getattr(error, "_shidi_opened_at", None)
    if opened_at is not None:
        frames.append(opened_at)
    return type(error).__name__, message_of(error), frames, causes_of(error)


def message_of(error):
    try:
        return str(error.msg) if isinstance(error, SyntaxError) else str(error)
    except Exception:
        return "<no text>"


def frames_of(error):
    frames = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename.startswith("<program"):
            frames.append((code.co_filename, code.co_name, trace.tb_lineno or 0))
        trace = trace.tb_next
    return frames


def causes_of(error):
    """The exceptions that led to this one, nearest first: `caused by KeyError: 'a' (line 3)`."""
    causes = []
    seen = [error]
    while len(causes) < MOST_CAUSES:
        if error.__cause__ is not None:
            how, error = "caused by", error.__cause__
        elif error.__context__ is not None and not error.__suppress_context__:
            how, error = "while handling", error.__context__
        else:
            break
        if any(error is known for known in seen):
            break
        seen.append(error)
        message = message_of(error)[:MOST_CAUSE_CHARACTERS].replace("\n", " ")
        lines = [line for file, _, line in frames_of(error) if file == State.file]
        causes.append(
            f"{how} {type(error).__name__}"
            + (f": {message}" if message else "")
            + (f" (line {lines[-1]})" if lines else "")
        )
    return causes


# A toolkit call gives its data itself; `r.data`, `r.ok` and `r.error` are rewritten to these three functions.
# On an exception, an attribute of its own class comes first.


def data_of(value):
    if type(value) in PLAIN:
        return value
    if isinstance(value, BaseException):
        return getattr(value, "data", None)
    return value.data


def ok_of(value):
    if type(value) in PLAIN:
        return True
    if isinstance(value, BaseException):
        return getattr(value, "ok", False)
    return value.ok


def error_of(value):
    if type(value) in PLAIN:
        return None
    if isinstance(value, BaseException):
        return value.error if hasattr(value, "error") else str(value)
    return value.error


builtins._shidi_data = data_of
builtins._shidi_ok = ok_of
builtins._shidi_error = error_of


def faithful(value, budget):
    """Whether JSON gives the value back as it is, without marks."""
    budget[0] -= 1
    if budget[0] < 0:
        return False
    kind = type(value)
    if kind is list:
        return all(faithful(item, budget) for item in value)
    if kind is dict:
        return MARK not in value and all(type(key) is str and faithful(item, budget) for key, item in value.items())
    if kind is int:
        return -NARROW < value < NARROW
    return kind in PLAIN


def as_json(value, largest):
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text if len(text) <= largest else None
    except Exception:
        return None


def as_kept(value, largest):
    """The JSON of which another worker makes the value again; None when there is none."""
    if faithful(value, [MOST_ITEMS]):
        written = as_json(value, largest)
        if written is not None:
            return written
    try:
        import _stored

        return as_json(_stored.written(value, [MOST_ITEMS]), largest)
    except Exception:
        return None


def as_text(value, written, shortest):
    try:
        if type(value) is str:
            return repr(value[:shortest])
        if written is not None and len(written) > 4 * shortest and MARK not in written:
            return written[:shortest]
        return repr(value)[: shortest + 1]
    except Exception as error:
        return f"<no text: {str(error)[:200]}>"


def show(name, value, largest, shortest):
    kind = type(value)
    written = as_json(value, largest) if name == VALUE else as_kept(value, largest)
    return name, kind.__name__, written, as_text(value, written, shortest)


def names():
    return [name for name in space if name != VALUE and not (name[:2] == "__" and name[-2:] == "__")]


def report(hidden, largest, shortest, most):
    """The value of the last expression, then the session's variables."""
    shown = [show(VALUE, space.get(VALUE), largest, shortest)]
    for name in names():
        value = space[name]
        if name in hidden or isinstance(value, types.ModuleType):
            continue
        if len(shown) > most:
            break
        shown.append(show(name, value, largest, shortest))
    return shown


def show_one(name, largest, shortest):
    return show(name, space.get(name), largest, shortest)


def plain(value):
    """The text that stands for a value without a JSON form of its own: ISO form of dates, digits of decimals."""
    kind = type(value)
    if kind.__module__ in ("datetime", "_pydatetime") and hasattr(value, "isoformat"):
        return value.isoformat()
    if kind.__module__ in ("decimal", "_pydecimal") or kind.__module__.startswith("pathlib") or kind.__module__ == "uuid":
        return str(value)
    raise TypeError(f"a {kind.__name__} has no JSON form")
