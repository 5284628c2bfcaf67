"""How a variable is kept between workers: as JSON, where a mark stands for what JSON has no form of.

A mark is an object with two keys: `$shidi`, the name of the type, and `of`, what it is made from. A dict of the program
that has such a key, or other keys than text, is itself written with a mark, so that no text or dict is taken for one.
Only types of Python itself are made again, by name, from this table; a class of the program is none of them.
"""

import math

MARK = "$shidi"
OF = "of"
NARROW = 1 << 63
"""Integers this far from 0 are written as text: readers of JSON would round them."""
MOST_DIGITS_BITS = 14_000
"""Above it Python writes an int in hexadecimal only."""


def mark(name, of):
    return {MARK: name, OF: of}


def written(value, budget):
    """The value with marks.

    Raises TypeError for what can't be kept, naming its type.
    """
    budget[0] -= 1
    if budget[0] < 0:
        raise TypeError("it has too many items to be kept")
    kind = type(value)
    if value is None or kind is bool:
        return value
    if kind is str:
        value.encode()  # a text with half a character has no form that leaves this process
        return value
    if kind is int:
        if -NARROW < value < NARROW:
            return value
        return mark("int", str(value) if value.bit_length() < MOST_DIGITS_BITS else hex(value))
    if kind is float:
        return value if math.isfinite(value) else mark("float", repr(value))
    if kind is list:
        return [written(item, budget) for item in value]
    if kind is dict:
        if all(type(key) is str for key in value) and MARK not in value:
            return {key: written(item, budget) for key, item in value.items()}
        return mark("dict", pairs(value, budget))
    if kind is tuple or kind is set or kind is frozenset:
        return mark(kind.__name__, [written(item, budget) for item in value])
    if kind is bytes or kind is bytearray:
        return mark(kind.__name__, value.hex())
    if kind is complex:
        return mark("complex", [written(value.real, budget), written(value.imag, budget)])
    if kind is range:
        return mark("range", [written(part, budget) for part in (value.start, value.stop, value.step)])
    writer = WRITERS.get((kind.__module__.lstrip("_").removeprefix("py"), kind.__name__))
    if writer is None or kind is not known(kind):
        raise TypeError(f"a {kind.__name__} can't be kept")
    return writer(value, budget)


def known(kind):
    """The type of that name as its module has it: a class of the program may bear the same name."""
    import importlib

    module = kind.__module__.lstrip("_").removeprefix("py")
    return getattr(importlib.import_module(module), kind.__name__, None)


def pairs(value, budget):
    return [[written(key, budget), written(item, budget)] for key, item in value.items()]


def of_deque(value, budget):
    return mark("deque", [[written(item, budget) for item in value], value.maxlen])


FACTORIES = {kind.__name__: kind for kind in (list, dict, set, int, float, str, tuple, bool)}


def of_defaultdict(value, budget):
    factory = value.default_factory
    if factory is not None and FACTORIES.get(getattr(factory, "__name__", "")) is not factory:
        raise TypeError("a defaultdict with a function of its own can't be kept")
    return mark("defaultdict", [None if factory is None else factory.__name__, pairs(value, budget)])


def of_zone(zone):
    if zone is None:
        return None
    kind = type(zone)
    if kind.__name__ == "ZoneInfo" and kind is known(kind) and zone.key is not None:
        return ["zone", zone.key]
    if kind.__name__ == "timezone" and kind is known(kind):
        offset, *name = zone.__getinitargs__()
        return ["offset", offset.days, offset.seconds, offset.microseconds, *name]
    raise TypeError(f"a {kind.__name__} can't be kept")


def of_moment(value, _):
    bare = value.replace(tzinfo=None, fold=0).isoformat()
    zone = of_zone(value.tzinfo)
    name = type(value).__name__
    return mark(name, bare if zone is None and not value.fold else [value.isoformat(), bare, value.fold, zone])


WRITERS = {
    ("collections", "OrderedDict"): lambda value, budget: mark("OrderedDict", pairs(value, budget)),
    ("collections", "Counter"): lambda value, budget: mark("Counter", pairs(value, budget)),
    ("collections", "defaultdict"): of_defaultdict,
    ("collections", "deque"): of_deque,
    ("datetime", "date"): lambda value, _: mark("date", value.isoformat()),
    ("datetime", "time"): of_moment,
    ("datetime", "datetime"): of_moment,
    ("datetime", "timedelta"): lambda value, _: mark("timedelta", [str(value), value.days, value.seconds, value.microseconds]),
    ("datetime", "timezone"): lambda value, _: mark("timezone", of_zone(value)),
    ("zoneinfo", "ZoneInfo"): lambda value, _: mark("timezone", of_zone(value)),
    ("decimal", "Decimal"): lambda value, _: mark("Decimal", str(value)),
    ("fractions", "Fraction"): lambda value, _: mark("Fraction", str(value)),
    ("uuid", "UUID"): lambda value, _: mark("UUID", str(value)),
}


def read(value):
    """The value that was written; what is no mark of ours stays what it is."""
    kind = type(value)
    if kind is list:
        return [read(item) for item in value]
    if kind is not dict:
        return value
    if len(value) == 2 and MARK in value and OF in value:
        reader = READERS.get(value[MARK]) if type(value[MARK]) is str else None
        if reader is not None:
            try:
                return reader(value[OF])
            except Exception:
                return value  # nothing of ours: it stays visible as it is
    return {key: read(item) for key, item in value.items()}


def made(module, name):
    """Makes a type of the library from one text."""

    def make(of):
        import importlib

        return getattr(importlib.import_module(module), name)(of)

    return make


def read_pairs(of):
    return {read(key): read(item) for key, item in of}


def collection(name):
    def make(of):
        import collections

        return getattr(collections, name)(read_pairs(of))

    return make


def read_defaultdict(of):
    import collections

    factory, items = of
    return collections.defaultdict(None if factory is None else FACTORIES[factory], read_pairs(items))


def read_deque(of):
    import collections

    items, most = of
    return collections.deque(read(items), most)


def read_zone(of):
    import datetime

    if of is None:
        return None
    if of[0] == "zone":
        import zoneinfo

        return zoneinfo.ZoneInfo(of[1])
    _, days, seconds, microseconds, *name = of
    return datetime.timezone(datetime.timedelta(days, seconds, microseconds), *name)


def moment(name):
    def make(of):
        import datetime

        kind = getattr(datetime, name)
        if type(of) is str:
            return kind.fromisoformat(of)
        _, bare, fold, zone = of
        return kind.fromisoformat(bare).replace(tzinfo=read_zone(zone), fold=fold)

    return make


def read_date(of):
    import datetime

    return datetime.date.fromisoformat(of)


def read_timedelta(of):
    import datetime

    return datetime.timedelta(*of[1:])


READERS = {
    "int": lambda of: int(of, 16) if "x" in of else int(of),
    "float": lambda of: {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}[of],
    "dict": read_pairs,
    "tuple": lambda of: tuple(read(of)),
    "set": lambda of: set(read(of)),
    "frozenset": lambda of: frozenset(read(of)),
    "bytes": bytes.fromhex,
    "bytearray": bytearray.fromhex,
    "complex": lambda of: complex(*read(of)),
    "range": lambda of: range(*read(of)),
    "OrderedDict": collection("OrderedDict"),
    "Counter": collection("Counter"),
    "defaultdict": read_defaultdict,
    "deque": read_deque,
    "date": read_date,
    "time": moment("time"),
    "datetime": moment("datetime"),
    "timedelta": read_timedelta,
    "timezone": read_zone,
    "Decimal": made("decimal", "Decimal"),
    "Fraction": made("fractions", "Fraction"),
    "UUID": made("uuid", "UUID"),
}
