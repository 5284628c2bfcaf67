# operator: the operators as functions.


class _shidi_operator_item:
    def __init__(self, item, *items):
        self.items = (item,) + items

    def __call__(self, thing):
        if len(self.items) == 1:
            return thing[self.items[0]]
        return tuple([thing[item] for item in self.items])

    def __repr__(self):
        return 'operator.itemgetter(' + ', '.join([repr(item) for item in self.items]) + ')'


class _shidi_operator_attr:
    def __init__(self, attr, *attrs):
        for name in (attr,) + attrs:
            if not isinstance(name, str):
                raise TypeError('attribute name must be a string')
        self.names = (attr,) + attrs

    def read(self, thing, path):
        for name in path.split('.'):
            thing = getattr(thing, name)
        return thing

    def __call__(self, thing):
        if len(self.names) == 1:
            return self.read(thing, self.names[0])
        return tuple([self.read(thing, name) for name in self.names])

    def __repr__(self):
        return 'operator.attrgetter(' + ', '.join([repr(name) for name in self.names]) + ')'


class _shidi_operator_method:
    def __init__(self, name, /, *args, **kwargs):
        if not isinstance(name, str):
            raise TypeError('method name must be a string')
        self.name = name
        self.args = args
        self.kwargs = kwargs

    def __call__(self, thing):
        try:
            method = getattr(thing, self.name)
        except AttributeError:
            # A method of a built-in type is no value here; it can only be called.
            if not self.name.isidentifier():
                raise
            parts = {'thing': thing, 'args': self.args, 'kwargs': self.kwargs}
            return eval('thing.' + self.name + '(*args, **kwargs)', parts)
        return method(*self.args, **self.kwargs)


def _shidi_operator_index(value):
    if isinstance(value, int):
        return int(value)
    return range(value).stop


class _shidi_operator:
    itemgetter = _shidi_operator_item
    attrgetter = _shidi_operator_attr
    methodcaller = _shidi_operator_method
    index = _shidi_operator_index

    def lt(a, b): return a < b
    def le(a, b): return a <= b
    def eq(a, b): return a == b
    def ne(a, b): return a != b
    def ge(a, b): return a >= b
    def gt(a, b): return a > b
    def not_(a): return not a
    def truth(a): return True if a else False
    def is_(a, b): return a is b
    def is_not(a, b): return a is not b
    def abs(a): return a if a >= 0 else -a
    def add(a, b): return a + b
    def and_(a, b): return a & b
    def floordiv(a, b): return a // b
    def inv(a): return ~a
    def invert(a): return ~a
    def lshift(a, b): return a << b
    def mod(a, b): return a % b
    def mul(a, b): return a * b
    def matmul(a, b): return a @ b
    def neg(a): return -a
    def or_(a, b): return a | b
    def pos(a): return +a
    def pow(a, b): return a ** b
    def rshift(a, b): return a >> b
    def sub(a, b): return a - b
    def truediv(a, b): return a / b
    def xor(a, b): return a ^ b
    def concat(a, b): return a + b
    def contains(a, b): return b in a
    def getitem(a, b): return a[b]

    def setitem(a, b, c):
        a[b] = c

    def delitem(a, b):
        if isinstance(b, slice):
            a[b] = []
        else:
            a.pop(b)

    def countOf(a, b):
        return sum([1 for item in a if item is b or item == b])

    def indexOf(a, b):
        place = 0
        for item in a:
            if item is b or item == b:
                return place
            place += 1
        raise ValueError('sequence.index(x): x not in sequence')

    def length_hint(obj, default=0):
        try:
            return len(obj)
        except TypeError:
            return default

    def call(obj, /, *args, **kwargs):
        return obj(*args, **kwargs)

    def iadd(a, b):
        a += b
        return a

    def iand(a, b):
        a &= b
        return a

    def iconcat(a, b):
        a += b
        return a

    def ifloordiv(a, b):
        a //= b
        return a

    def ilshift(a, b):
        a <<= b
        return a

    def imod(a, b):
        a %= b
        return a

    def imul(a, b):
        a *= b
        return a

    def ior(a, b):
        a |= b
        return a

    def ipow(a, b):
        a **= b
        return a

    def irshift(a, b):
        a >>= b
        return a

    def isub(a, b):
        a -= b
        return a

    def itruediv(a, b):
        a /= b
        return a

    def ixor(a, b):
        a ^= b
        return a
