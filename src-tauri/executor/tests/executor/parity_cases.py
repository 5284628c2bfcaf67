# Run by both interpreters; each case prints one line, and the lines must be the same.
import collections
import heapq
import operator
import random
import statistics
import string
import textwrap
from collections import ChainMap, OrderedDict

random.seed(20)


def case(label, function):
    try:
        result = repr(function())
    except ValueError:
        result = 'ValueError'
    except KeyError:
        result = 'KeyError'
    except IndexError:
        result = 'IndexError'
    except TypeError:
        result = 'TypeError'
    except AttributeError:
        result = 'AttributeError'
    except OverflowError:
        result = 'OverflowError'
    except ZeroDivisionError:
        result = 'ZeroDivisionError'
    print(label, result)


def numbers(size, low, high):
    return [random.randint(low, high) for unused in range(size)]


def floats(size, low, high):
    return [random.uniform(low, high) for unused in range(size)]


# heapq
def drained(heap):
    out = []
    while heap:
        out.append(heapq.heappop(heap))
    return out


def pushed(items):
    heap = []
    for item in items:
        heapq.heappush(heap, item)
    return list(heap), drained(heap)


def heapified(items):
    heap = list(items)
    heapq.heapify(heap)
    return list(heap), drained(heap)


def replaced(items, item):
    heap = list(items)
    heapq.heapify(heap)
    first = heapq.heapreplace(heap, item)
    second = heapq.heappushpop(heap, item)
    return first, second, heap


for i in range(60):
    items = numbers(random.randint(0, 12), -9, 9)
    case('heappush', lambda: pushed(items))
    case('heapify', lambda: heapified(items))
    case('heapreplace', lambda: replaced(items, i % 7))
    case('nlargest', lambda: heapq.nlargest(i % 6 - 1, items))
    case('nsmallest', lambda: heapq.nsmallest(i % 6 - 1, items, key=lambda x: -x))
    case('nlargest key', lambda: heapq.nlargest(3, [(x % 3, n) for n, x in enumerate(items)], key=lambda p: p[0]))
    other = sorted(numbers(5, -9, 9))
    case('merge', lambda: list(heapq.merge(sorted(items), other, [])))
    case('merge reverse', lambda: list(heapq.merge(sorted(items, reverse=True), other[::-1], reverse=True)))
    case('merge key', lambda: list(heapq.merge(sorted(items, key=abs), sorted(other, key=abs), key=abs)))
case('merge next', lambda: next(heapq.merge([2, 4], [1, 3])))
case('heappop empty', lambda: heapq.heappop([]))
case('heap of pairs', lambda: pushed([(2, 'b'), (1, 'z'), (2, 'a')]))

# operator
pairs = [(7, 3), (-7, 3), (7.5, 2), (0, 5), (6, 6), (12, 5)]
for a, b in pairs:
    case('lt', lambda: [operator.lt(a, b), operator.le(a, b), operator.eq(a, b)])
    case('gt', lambda: [operator.gt(a, b), operator.ge(a, b), operator.ne(a, b)])
    case('add', lambda: [operator.add(a, b), operator.sub(a, b), operator.mul(a, b)])
    case('div', lambda: [operator.truediv(a, b), operator.floordiv(a, b), operator.mod(a, b), operator.pow(a, b)])
    case('iadd', lambda: [operator.iadd(a, b), operator.isub(a, b), operator.imul(a, b), operator.ipow(a, b)])
    case('idiv', lambda: [operator.itruediv(a, b), operator.ifloordiv(a, b), operator.imod(a, b)])
    case('bits', lambda: [operator.and_(a, b), operator.or_(a, b), operator.xor(a, b), operator.lshift(a, b)])
    case('ibits', lambda: [operator.iand(a, b), operator.ior(a, b), operator.ixor(a, b), operator.ilshift(a, b)])
    case('shift', lambda: [operator.rshift(a, b), operator.irshift(a, b), operator.inv(a), operator.invert(b)])
    case('unary', lambda: [operator.neg(a), operator.pos(a), operator.abs(a), operator.not_(a), operator.truth(a)])
    case('is', lambda: [operator.is_(a, a), operator.is_not(a, b)])
    case('index', lambda: operator.index(a))
case('concat', lambda: [operator.concat([1], [2]), operator.concat('a', 'b'), operator.iconcat([1], [2])])
case('contains', lambda: [operator.contains([1, 2], 2), operator.contains('abc', 'd')])
case('countOf', lambda: [operator.countOf([1, 2, 1], 1), operator.countOf('banana', 'a')])
case('indexOf', lambda: operator.indexOf('banana', 'n'))
case('indexOf none', lambda: operator.indexOf('banana', 'x'))
case('getitem', lambda: [operator.getitem([1, 2, 3], 1), operator.getitem({'a': 1}, 'a'), operator.getitem('abc', slice(1, 3))])
case('itemgetter', lambda: [operator.itemgetter(1)('abc'), operator.itemgetter(0, 2)('abc'), operator.itemgetter('k')({'k': 3})])
case('itemgetter missing', lambda: operator.itemgetter('k')({}))
case('itemgetter sorts', lambda: sorted([(3, 'a'), (1, 'b')], key=operator.itemgetter(0)))
case('itemgetter repr', lambda: operator.itemgetter(1, 'a'))
case('itemgetter none', lambda: operator.itemgetter())


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def moved(self, by, *, twice=False):
        return self.x + by * (2 if twice else 1)


point = Point(1, Point(2, 3))
case('attrgetter', lambda: [operator.attrgetter('x')(point), operator.attrgetter('x', 'y.y')(point), operator.attrgetter('y.x')(point)])
case('methodcaller own', lambda: [operator.methodcaller('moved', 2)(point), operator.methodcaller('moved', 2, twice=True)(point)])
case('methodcaller none', lambda: operator.methodcaller('nothing')('a'))
case('attrgetter missing', lambda: operator.attrgetter('nothing')(3))
case('attrgetter number', lambda: operator.attrgetter(3))
case('attrgetter repr', lambda: operator.attrgetter('a', 'b.c'))
case('methodcaller', lambda: [operator.methodcaller('upper')('a'), operator.methodcaller('split', ',')('a,b')])
case('methodcaller named', lambda: operator.methodcaller('split', sep='-', maxsplit=1)('a-b-c'))
case('methodcaller number', lambda: operator.methodcaller(3))
case('length_hint', lambda: [operator.length_hint([1, 2]), operator.length_hint('abc')])
case('call', lambda: operator.call(max, 3, 4))
case('map', lambda: list(map(operator.mul, [1, 2], [3, 4])))


def changed(function, *args):
    thing = [1, 2, 3, 4]
    function(thing, *args)
    return thing


case('setitem', lambda: [changed(operator.setitem, 1, 9), changed(operator.setitem, slice(0, 2), [7])])
case('delitem', lambda: [changed(operator.delitem, 1), changed(operator.delitem, slice(1, 3))])
case('delitem missing', lambda: changed(operator.delitem, 9))

# statistics
samples = [[], [1], [1, 2], [1, 2, 3, 4], [3, 3, 5], [0.1] * 3, [1, 2.5], [-1, 0, 1], [1e300, 1e300, -1e300],
           [1, 1, 2, 2], [True, False, True], [2 ** 70, 1], [1e-320, 2e-320]]
for i in range(60):
    samples.append(numbers(random.randint(1, 9), -100, 100))
    samples.append(floats(random.randint(1, 9), -10, 10))
    samples.append([x * 10.0 ** random.randint(-8, 8) for x in floats(4, 0, 1)])
for data in samples:
    case('mean', lambda: statistics.mean(data))
    case('fmean', lambda: statistics.fmean(data))
    case('fmean weights', lambda: statistics.fmean(data, weights=list(range(1, len(data) + 1))))
    case('geometric_mean', lambda: statistics.geometric_mean(data))
    case('harmonic_mean', lambda: statistics.harmonic_mean(data))
    case('harmonic_mean weights', lambda: statistics.harmonic_mean(data, weights=list(range(1, len(data) + 1))))
    case('median', lambda: statistics.median(data))
    case('median_low', lambda: statistics.median_low(data))
    case('median_high', lambda: statistics.median_high(data))
    case('median_grouped', lambda: statistics.median_grouped(data))
    case('median_grouped 5', lambda: statistics.median_grouped(data, interval=5))
    case('mode', lambda: statistics.mode(data))
    case('multimode', lambda: statistics.multimode(data))
    case('variance', lambda: statistics.variance(data))
    case('variance around', lambda: statistics.variance(data, 1))
    case('pvariance', lambda: statistics.pvariance(data))
    case('pvariance around', lambda: statistics.pvariance(data, 0.5))
    case('stdev', lambda: statistics.stdev(data))
    case('pstdev', lambda: statistics.pstdev(data))
    case('quantiles', lambda: statistics.quantiles(data))
    case('quantiles 10', lambda: statistics.quantiles(data, n=10, method='inclusive'))
    case('quantiles 7', lambda: statistics.quantiles(data, n=7, method='exclusive'))
for i in range(60):
    x = floats(i % 7, -5, 5)
    y = floats(i % 7 + (i % 11 == 0), -5, 5)
    case('covariance', lambda: statistics.covariance(x, y))
    case('correlation', lambda: statistics.correlation(x, y))
    case('linear_regression', lambda: statistics.linear_regression(x, y))
    case('linear proportional', lambda: statistics.linear_regression(x, y, proportional=True))
case('inf', lambda: [statistics.mean([float('inf'), 1]), statistics.variance([float('inf'), 1])])
case('constant', lambda: statistics.correlation([1, 1], [1, 2]))
case('quantiles n', lambda: statistics.quantiles([1, 2], n=0))
case('quantiles method', lambda: statistics.quantiles([1, 2], method='other'))
case('mode text', lambda: [statistics.mode('banana'), statistics.multimode('banana')])
case('mean text', lambda: statistics.mean(['a']))
case('regression fields', lambda: statistics.linear_regression([1, 2], [3, 5]).slope)


def caught():
    try:
        statistics.mean([])
    except statistics.StatisticsError as error:
        return str(error)


case('StatisticsError', caught)

# string
case('constants', lambda: [string.ascii_letters, string.digits, string.hexdigits, string.octdigits])
case('more constants', lambda: [string.ascii_lowercase, string.ascii_uppercase, string.punctuation])
case('printable', lambda: [string.printable, string.whitespace])
for text in ['', 'hello world', '  two  spaces ', "they're here", 'a-b-c d', 'ÄÖ straße', 'one\ttwo\nthree']:
    case('capwords', lambda: string.capwords(text))
    case('capwords sep', lambda: string.capwords(text, '-'))
templates = ['', '$a', '${a}', '$$', '$a$b', '$', '$1', '${a', '$a-$b', 'x${a}y', '$abc', '$_x', '$ a', '$a.b', '$$a', '$A $a',
             'line\n$', '${}', '${1}', '$a1', 'no sign', '$ä']
for template in templates:
    case('substitute', lambda: string.Template(template).substitute({'a': 1, 'b': 'two', '_x': 3, 'A': 4}))
    case('substitute named', lambda: string.Template(template).substitute(a=1, b=None))
    case('safe_substitute', lambda: string.Template(template).safe_substitute({'a': 1}))
    case('is_valid', lambda: string.Template(template).is_valid())
    case('get_identifiers', lambda: string.Template(template).get_identifiers())
case('both', lambda: string.Template('$a $b').substitute({'a': 1, 'b': 2}, b=3))


def wrong(template):
    try:
        string.Template(template).substitute({})
    except ValueError as error:
        return str(error)


case('where', lambda: [wrong('$'), wrong('ab\ncd $ e'), wrong('${')])

# textwrap
alphabet = ['a', 'b', 'the', 'word', 'longer-word', 'x-y', 'em--dash', 'mother-in-law', 'end.', 'why?', '"Quote."',
            'supercalifragilistic', '--option', 'a-', '-b', '---', 'e.g.', "isn't", '1-2-3', 'v1-beta', '\u00fc-bung',
            'tab\tbed', 'new\nline', '  ', 'A.', 'it.', '(see)', 'a_b-c_d', 'foo--bar-baz', 'z', '\u4e2d\u6587-text']
for i in range(300):
    text = ' '.join([random.choice(alphabet) for unused in range(random.randint(0, 25))])
    width = random.choice([1, 2, 5, 8, 10, 15, 20, 30, 40, 70])
    case('wrap', lambda: textwrap.wrap(text, width))
    case('fill', lambda: textwrap.fill(text, width, initial_indent='* ', subsequent_indent='  '))
    case('shorten', lambda: textwrap.shorten(text, width))
    case('shorten other', lambda: textwrap.shorten(text, width, placeholder='...'))
    case('whole words', lambda: textwrap.wrap(text, width, break_long_words=False))
    case('no hyphens', lambda: textwrap.wrap(text, width, break_on_hyphens=False))
    case('sentences', lambda: textwrap.wrap(text, width, fix_sentence_endings=True))
    case('spaces', lambda: textwrap.wrap(text, width, drop_whitespace=False))
    case('as it is', lambda: textwrap.wrap(text, width, replace_whitespace=False, expand_tabs=False))
    case('lines', lambda: textwrap.wrap(text, width, max_lines=2))
    case('lines indented', lambda: textwrap.wrap(text, width, max_lines=3, subsequent_indent='> ', placeholder=' \u2026'))
    case('tabs', lambda: textwrap.TextWrapper(width=width, tabsize=3).fill(text))
case('width', lambda: textwrap.wrap('a', 0))
lines = ['', ' ', '  a', '\tb', '    c', '  \t d', 'e', '\t\tf', '   ']
for i in range(120):
    text = '\n'.join([random.choice(lines) for unused in range(random.randint(0, 6))])
    case('dedent', lambda: textwrap.dedent(text))
    case('indent', lambda: textwrap.indent(text, '> '))
    case('indent all', lambda: textwrap.indent(text, '> ', lambda line: True))

# collections
chain = ChainMap({'a': 1}, {'a': 2, 'b': 3})
case('ChainMap', lambda: [chain['a'], chain['b'], chain.get('c'), chain.get('c', 4), 'b' in chain, 'c' in chain])
case('ChainMap missing', lambda: chain['c'])
case('ChainMap views', lambda: [list(chain), dict(chain.items()), list(chain.keys()), list(chain.values())])
case('ChainMap child', lambda: chain.new_child({'b': 9})['b'])
case('ChainMap repr', lambda: chain)
case('ChainMap maps', lambda: collections.ChainMap({}, {'x': 1}).maps)
ordered = OrderedDict([('z', 1), ('a', 2)])
ordered['m'] = 3
case('OrderedDict', lambda: [list(ordered), list(ordered.items()), ordered['z'], len(ordered)])
case('OrderedDict of', lambda: dict(collections.OrderedDict(a=1, b=2)))
