# Methods and functions that the interpreter's own types lack, and its methods as values. Each first leaves the call
# to the receiver where that is of another type.
import datetime as _shidi_methods_datetime
import re as _shidi_methods_re

_shidi_methods_bound = {}
_shidi_methods_unbound = {}
_shidi_methods_static = ['fromkeys', 'fromisoformat', 'fromtimestamp', 'fromordinal', 'strptime', 'today', 'now', 'utcnow',
                         'combine', 'from_bytes', 'fromhex', 'maketrans']
_shidi_methods_types = [str, bytes, int, float, list, tuple, dict, set, frozenset, _shidi_methods_datetime.date,
                        _shidi_methods_datetime.datetime, _shidi_methods_datetime.timedelta]


# A set's method with any number of others; the interpreter's takes one.
def _shidi_methods_several(name):
    def several(first, *others):
        result = first.union(())
        for other in others:
            if name == 'union':
                result = result.union(other)
            elif name == 'intersection':
                result = result.intersection(other)
            else:
                result = result.difference(other)
        return result
    return several


# A method that is not called at once. A type's own method takes its object first.
def _shidi_methods_of(value, name):
    try:
        return getattr(value, name)
    except AttributeError as error:
        own = [kind for kind in _shidi_methods_types if value is kind]
        if own and name in ('difference', 'intersection', 'union') and own[0] in (set, frozenset):
            return _shidi_methods_several(name)
        if own and name not in _shidi_methods_static:
            if name not in _shidi_methods_unbound:
                text = 'lambda value, *args, **named: value.' + name + '(*args, **named)'
                _shidi_methods_unbound[name] = eval(text)
            return _shidi_methods_unbound[name]
        if not own and str(error)[:1] != "'":
            raise
        if name not in _shidi_methods_bound:
            text = 'lambda value: lambda *args, **named: value.' + name + '(*args, **named)'
            _shidi_methods_bound[name] = eval(text)
        return _shidi_methods_bound[name](value)


def _shidi_methods_is_date(value):
    return isinstance(value, _shidi_methods_datetime.date)


def _shidi_methods_toordinal(value):
    return (_shidi_methods_datetime.date(value.year, value.month, value.day)
            - _shidi_methods_datetime.date(1, 1, 1)).days + 1


class _shidi_methods_week:
    def __init__(self, year, week, weekday):
        self.year = year
        self.week = week
        self.weekday = weekday

    def __iter__(self):
        return iter((self.year, self.week, self.weekday))

    def __getitem__(self, index):
        return (self.year, self.week, self.weekday)[index]

    def __eq__(self, other):
        return tuple(self) == tuple(other)

    def __hash__(self):
        return hash(tuple(self))

    def __repr__(self):
        return f'datetime.IsoCalendarDate(year={self.year}, week={self.week}, weekday={self.weekday})'


def _shidi_methods_isocalendar(value):
    day = _shidi_methods_toordinal(value)
    thursday = _shidi_methods_datetime.date(1, 1, 1) + _shidi_methods_datetime.timedelta(
        days=day - 1 - value.weekday() + 3)
    first = _shidi_methods_toordinal(_shidi_methods_datetime.date(thursday.year, 1, 1))
    return _shidi_methods_week(thursday.year, (_shidi_methods_toordinal(thursday) - first) // 7 + 1,
                               value.weekday() + 1)


class _shidi_methods_timetuple:
    def __init__(self, value):
        self.tm_year = value.year
        self.tm_mon = value.month
        self.tm_mday = value.day
        timed = isinstance(value, _shidi_methods_datetime.datetime)
        self.tm_hour = value.hour if timed else 0
        self.tm_min = value.minute if timed else 0
        self.tm_sec = value.second if timed else 0
        self.tm_wday = value.weekday()
        first = _shidi_methods_datetime.date(value.year, 1, 1)
        self.tm_yday = _shidi_methods_toordinal(value) - _shidi_methods_toordinal(first) + 1
        self.tm_isdst = -1

    def _all(self):
        return (self.tm_year, self.tm_mon, self.tm_mday, self.tm_hour, self.tm_min, self.tm_sec, self.tm_wday,
                self.tm_yday, self.tm_isdst)

    def __iter__(self):
        return iter(self._all())

    def __getitem__(self, index):
        return self._all()[index]


def _shidi_methods_is_re(value):
    return type(value) is type(_shidi_methods_re) and hasattr(value, 'finditer')


def _shidi_methods_is_pattern(value):
    return isinstance(value, _shidi_methods_re.Pattern)


def _shidi_methods_substituted(pattern, repl, string, count):
    parts = []
    copied = 0
    made = 0
    for match in pattern.finditer(string):
        if count and made >= count:
            break
        parts.append(string[copied:match.start()])
        parts.append(repl(match))
        copied = match.end()
        made += 1
    parts.append(string[copied:])
    return ''.join(parts), made


def _shidi_methods_pattern(value, args, named):
    if _shidi_methods_is_pattern(value):
        return value, args, named
    named = dict(named)
    pattern = named.pop('pattern') if 'pattern' in named else args[0]
    if not _shidi_methods_is_pattern(pattern):
        flags = named.pop('flags', args[4] if len(args) > 4 else 0)
        pattern = _shidi_methods_re.compile(pattern, flags)
    return pattern, args[1:4], named


def _shidi_methods_sub_parts(repl, string, count=0):
    return repl, string, count


# Whitespace and comments of a verbose expression are taken out; the interpreter knows no such flag.
def _shidi_methods_plain_pattern(text):
    plain = []
    in_class = False
    index = 0
    while index < len(text):
        letter = text[index]
        if letter == '\\':
            plain.append(text[index:index + 2])
            index += 2
            continue
        if in_class:
            in_class = letter != ']' or plain[-1] in ('[', '[^')
            plain.append(letter)
        elif letter == '[':
            in_class = True
            plain.append('[^' if text[index + 1:index + 2] == '^' else '[')
            index += len(plain[-1]) - 1
        elif letter == '#':
            end = text.find('\n', index)
            index = len(text) if end < 0 else end
        elif letter not in ' \t\n\r\f\v':
            plain.append(letter)
        index += 1
    return ''.join(plain)


class _shidi__methods:
    of = _shidi_methods_of

    def isocalendar(value, *args, **named):
        if _shidi_methods_is_date(value):
            return _shidi_methods_isocalendar(value)
        return value.isocalendar(*args, **named)

    def timetuple(value, *args, **named):
        if _shidi_methods_is_date(value):
            return _shidi_methods_timetuple(value)
        return value.timetuple(*args, **named)

    def toordinal(value, *args, **named):
        if _shidi_methods_is_date(value):
            return _shidi_methods_toordinal(value)
        return value.toordinal(*args, **named)

    def fromordinal(value, *args, **named):
        if value is _shidi_methods_datetime.date or value is _shidi_methods_datetime.datetime:
            first = value(1, 1, 1)
            return first + _shidi_methods_datetime.timedelta(days=args[0] - 1)
        return value.fromordinal(*args, **named)

    def strptime(value, *args, **named):
        if value is not _shidi_methods_datetime.datetime or len(args) != 2:
            return value.strptime(*args, **named)
        text, form = args
        try:
            return value.strptime(text, form)
        except ValueError:
            # A form without a whole date reads as one of 1900; a fraction may have fewer than six digits.
            added_text, added_form = '', ''
            wanted = [('1900', '%Y', '%y'), ('01', '%m', '%b', '%B', '%j'), ('01', '%d', '%j')]
            for part in wanted:
                if not [one for one in part[1:] if one in form]:
                    added_text += part[0] + ' '
                    added_form += part[1] + ' '
            if form[-2:] == '%f' and '%f' not in form[:-2]:
                digits = len(text) - len(text.rstrip('0123456789'))
                if 0 < digits < 6:
                    text += '0' * (6 - digits)
                    added_text += ' '
                    added_form += ' '
                    added_text, added_form = added_text[:-1], added_form[:-1]
            elif not added_form:
                raise
            try:
                return value.strptime(added_text + text, added_form + form)
            except ValueError:
                pass
            raise ValueError('time data ' + repr(args[0]) + ' does not match format ' + repr(form)) from None

    def bit_length(value, *args, **named):
        if isinstance(value, int):
            return len(bin(value).lstrip('-')) - 2 if value else 0
        return value.bit_length(*args, **named)

    def bit_count(value, *args, **named):
        if isinstance(value, int):
            return bin(value).count('1')
        return value.bit_count(*args, **named)

    def is_integer(value, *args, **named):
        if isinstance(value, int):
            return True
        if isinstance(value, float):
            return value - value == 0.0 and value == int(value)
        return value.is_integer(*args, **named)

    def sub(value, *args, **named):
        if not _shidi_methods_is_re(value) and not _shidi_methods_is_pattern(value):
            return value.sub(*args, **named)
        place = 0 if _shidi_methods_is_pattern(value) else 1
        repl = named['repl'] if 'repl' in named else args[place] if len(args) > place else ''
        if isinstance(repl, (str, bytes)):
            return value.sub(*args, **named)
        pattern, args, named = _shidi_methods_pattern(value, args, named)
        repl, string, count = _shidi_methods_sub_parts(*args, **named)
        return _shidi_methods_substituted(pattern, repl, string, count)[0]

    def subn(value, *args, **named):
        if not _shidi_methods_is_re(value) and not _shidi_methods_is_pattern(value):
            return value.subn(*args, **named)
        pattern, args, named = _shidi_methods_pattern(value, args, named)
        repl, string, count = _shidi_methods_sub_parts(*args, **named)
        if isinstance(repl, (str, bytes)):
            made = 0
            for _ in pattern.finditer(string):
                made += 1
            return pattern.sub(repl, string, count=count), min(made, count) if count else made
        return _shidi_methods_substituted(pattern, repl, string, count)

    def compile(pattern, flags=0):
        if flags & 64:
            return _shidi_methods_re.compile(_shidi_methods_plain_pattern(pattern), flags & ~64)
        return _shidi_methods_re.compile(pattern, flags)

    def name(value):
        try:
            return value.__name__
        except AttributeError:
            text = repr(value)
            for opening in ("<function '", '<built-in function ', '<function '):
                if text[:len(opening)] == opening:
                    return text[len(opening):].split("'")[0].split(' ')[0].rstrip('>')
            if text[:8] == "<class '":
                return text[8:-2].split('.')[-1]
            raise

    def kind(value):
        return type(value)

    def fromtimestamp(value, *args, **named):
        if value is not _shidi_methods_datetime.datetime:
            return value.fromtimestamp(*args, **named)
        zone = named['tz'] if 'tz' in named else args[1] if len(args) > 1 else None
        utc = _shidi_methods_datetime.timezone.utc
        passed = _shidi_methods_datetime.timedelta(microseconds=round(args[0] * 1000000))
        moment = value(1970, 1, 1, tzinfo=utc) + passed
        return moment.replace(tzinfo=None) if zone is None else moment.astimezone(zone)

    def indices(value, *args, **named):
        if not isinstance(value, slice):
            return value.indices(*args, **named)
        count = args[0]
        step = 1 if value.step is None else value.step
        if step == 0:
            raise ValueError('slice step cannot be zero')
        least, most = (0, count) if step > 0 else (-1, count - 1)
        ends = []
        for end, default in [(value.start, least if step > 0 else most), (value.stop, most if step > 0 else least)]:
            if end is None:
                ends.append(default)
            else:
                ends.append(min(max(end + count if end < 0 else end, least), most))
        return (ends[0], ends[1], step)

    def translate(value, *args, **named):
        if not isinstance(value, str):
            return value.translate(*args, **named)
        written = []
        for letter in value:
            to = args[0].get(ord(letter), letter)
            if to is not None:
                written.append(chr(to) if isinstance(to, int) else to)
        return ''.join(written)

    def maketrans(value, *args, **named):
        if value is not str and not isinstance(value, str):
            return value.maketrans(*args, **named)
        if len(args) == 1:
            return {ord(key) if isinstance(key, str) else key: to for key, to in args[0].items()}
        if len(args[0]) != len(args[1]):
            raise ValueError('the first two maketrans arguments must have equal length')
        table = {ord(one): ord(other) for one, other in zip(args[0], args[1])}
        for gone in (args[2] if len(args) > 2 else ''):
            table[ord(gone)] = None
        return table

    def delete(value, key):
        if isinstance(value, dict):
            value.pop(key)
        elif isinstance(value, list):
            count = len(value)
            if isinstance(key, slice):
                gone = set(range(count)[key])
                value[:] = [item for place, item in enumerate(value) if place not in gone]
            elif -count <= key < count:
                value.pop(key)
            else:
                raise IndexError('list assignment index out of range')
        elif type(value).__name__ == 'deque':
            kept = list(value)
            if not -len(kept) <= key < len(kept):
                raise IndexError('deque index out of range')
            kept.pop(key)
            value.clear()
            value.extend(kept)
        elif hasattr(value, '__delitem__'):
            value.__delitem__(key)
        else:
            raise TypeError("'" + type(value).__name__ + "' object doesn't support item deletion")

    # The nearest text with that many digits is the right value; scaling and rounding is not.
    def round(number, ndigits=None):
        if isinstance(number, float) and isinstance(ndigits, int) and 0 <= ndigits <= 300:
            return float(f'{number:.{ndigits}f}')
        if ndigits is None:
            return round(number)
        return round(number, ndigits)

    def issubclass(kind, kinds):
        if isinstance(kinds, tuple):
            return any([_shidi__methods.issubclass(kind, one) for one in kinds])
        if kind is kinds:
            return True
        if kind is bool:
            return kinds is int
        if kind is _shidi_methods_datetime.datetime:
            return kinds is _shidi_methods_datetime.date
        try:
            raised = kind('')
        except Exception:
            return False
        return isinstance(raised, BaseException) and isinstance(raised, kinds)

    def ascii(value):
        written = []
        for letter in repr(value):
            code = ord(letter)
            if code < 128:
                written.append(letter)
            elif code < 256:
                written.append(f'\\x{code:02x}')
            elif code < 65536:
                written.append(f'\\u{code:04x}')
            else:
                written.append(f'\\U{code:08x}')
        return ''.join(written)

    def callable(value):
        kind = type(value).__name__
        if kind in ('function', 'type', 'builtin_function_or_method', 'method', 'partial'):
            return True
        return hasattr(type(value), '__call__') and hasattr(value, '__call__')

    def timedelta(days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0):
        parts = (days, seconds, microseconds, milliseconds, minutes, hours, weeks)
        if not [part for part in parts if isinstance(part, float)]:
            return _shidi_methods_datetime.timedelta(days=days, seconds=seconds, microseconds=microseconds,
                                                     milliseconds=milliseconds, minutes=minutes, hours=hours,
                                                     weeks=weeks)
        total = ((weeks * 7 + days) * 86400000000 + hours * 3600000000 + minutes * 60000000 + seconds * 1000000
                 + milliseconds * 1000 + microseconds)
        return _shidi_methods_datetime.timedelta(microseconds=round(total))
