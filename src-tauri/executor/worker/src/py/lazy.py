# Iterators that work when they are asked: generator expressions, and map, filter, zip, enumerate over what may not end.
import itertools as _shidi_lazy_itertools

_shidi_lazy_plain = [list, tuple, str, dict, set, frozenset, range, bytes]
_shidi_lazy_end = ['end']


# `step` is the expression with its loop over one item: it gives a list of none or one. Asked with nothing, it
# evaluates the source, as a generator expression does where it is written.
class _shidi_lazy_generator:
    def __init__(self, step):
        def take(source):
            self._source = iter(source)
            return ()
        self._step = step
        self._take = take
        self._ready = []
        step((), take)

    def __iter__(self):
        return self

    def __next__(self):
        while not self._ready:
            self._ready = self._step((next(self._source),), self._take)
        return self._ready.pop(0)

    def __repr__(self):
        return '<generator object <genexpr>>'


class _shidi_lazy_map:
    def __init__(self, function, sources):
        self._function = function
        self._sources = [iter(source) for source in sources]

    def __iter__(self):
        return self

    def __next__(self):
        items = [next(source, _shidi_lazy_end) for source in self._sources]
        for item in items:
            if item is _shidi_lazy_end:
                raise StopIteration
        return self._function(*items)


class _shidi_lazy_filter:
    def __init__(self, function, source):
        self._function = function
        self._source = iter(source)

    def __iter__(self):
        return self

    def __next__(self):
        while True:
            item = next(self._source)
            if item if self._function is None else self._function(item):
                return item


class _shidi_lazy_zip:
    def __init__(self, sources, strict):
        self._sources = [iter(source) for source in sources]
        self._strict = strict

    def __iter__(self):
        return self

    def __next__(self):
        items = []
        for place, source in enumerate(self._sources):
            item = next(source, _shidi_lazy_end)
            if item is _shidi_lazy_end:
                if self._strict and items:
                    raise ValueError('zip() argument ' + str(place + 1) + ' is shorter than argument '
                                     + ('1' if place == 1 else '1-' + str(place)))
                if self._strict:
                    for after in range(1, len(self._sources)):
                        if next(self._sources[after], _shidi_lazy_end) is not _shidi_lazy_end:
                            raise ValueError('zip() argument ' + str(after + 1) + ' is longer than argument '
                                             + ('1' if after == 1 else '1-' + str(after)))
                raise StopIteration
            items.append(item)
        if not items:
            raise StopIteration
        return tuple(items)


def _shidi_lazy_is_plain(source):
    kind = type(source)
    for plain in _shidi_lazy_plain:
        if kind is plain:
            return True
    return False


class _shidi__lazy:
    each = _shidi_lazy_generator

    def map(function, *sources):
        return _shidi_lazy_map(function, sources)

    def filter(function, source):
        return _shidi_lazy_filter(function, source)

    def zip(*sources, strict=False):
        for source in sources:
            if not _shidi_lazy_is_plain(source):
                return _shidi_lazy_zip(sources, strict)
        return iter(zip(*sources, strict=strict))

    def enumerate(iterable, start=0):
        if _shidi_lazy_is_plain(iterable):
            return iter(enumerate(iterable, start))
        return _shidi_lazy_zip((_shidi_lazy_itertools.count(start), iterable), False)
