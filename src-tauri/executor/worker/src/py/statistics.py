# statistics: exact where CPython's is, by fractions of whole numbers that are rounded once at the end.
import math as _shidi_statistics_math
from collections import namedtuple as _shidi_statistics_namedtuple
from decimal import Decimal as _shidi_statistics_decimal

_shidi_statistics_line = _shidi_statistics_namedtuple('LinearRegression', ['slope', 'intercept'])


# A number as numerator and denominator; the denominator is 0 for what is not finite.
def _shidi_statistics_ratio(x):
    if isinstance(x, int):
        return int(x), 1
    if isinstance(x, float):
        if x != x or x in (_shidi_statistics_math.inf, -_shidi_statistics_math.inf):
            return x, 0
        mantissa, exponent = _shidi_statistics_math.frexp(x)
        numerator = int(mantissa * 9007199254740992.0)
        exponent -= 53
        if exponent >= 0:
            return numerator << exponent, 1
        while numerator % 2 == 0 and exponent < 0:
            numerator //= 2
            exponent += 1
        return numerator, 1 << -exponent
    if isinstance(x, _shidi_statistics_decimal):
        if not x.is_finite():
            return x, 0
        return x.as_integer_ratio()
    raise TypeError("can't convert type '" + type(x).__name__ + "' to numerator/denominator")


# The type of a result: int, float or Decimal.
def _shidi_statistics_kind(kind, x):
    if isinstance(x, int):
        return kind
    own = float if isinstance(x, float) else type(x)
    if kind is int or kind is own:
        return own
    raise TypeError("don't know how to coerce " + kind.__name__ + ' and ' + own.__name__)


# Kind, count and exact sums of the numbers and of their squares; a sum is a fraction or (x, 0).
def _shidi_statistics_sums(data, squares):
    kind = int
    count = 0
    parts = {}
    square_parts = {}
    special = None
    for x in data:
        count += 1
        kind = _shidi_statistics_kind(kind, x)
        numerator, denominator = _shidi_statistics_ratio(x)
        if denominator == 0:
            special = numerator if special is None else special + numerator
            continue
        parts[denominator] = parts.get(denominator, 0) + numerator
        if squares:
            square_parts[denominator] = square_parts.get(denominator, 0) + numerator * numerator
    if special is not None:
        return kind, count, (special, 0), (special, 0)
    total = (0, 1)
    for denominator, numerator in parts.items():
        total = _shidi_statistics_plus(total, (numerator, denominator))
    square = (0, 1)
    for denominator, numerator in square_parts.items():
        square = _shidi_statistics_plus(square, (numerator, denominator * denominator))
    return kind, count, total, square


def _shidi_statistics_plus(a, b):
    if a[1] == b[1]:
        return a[0] + b[0], a[1]
    shared = _shidi_statistics_math.gcd(a[1], b[1])
    return a[0] * (b[1] // shared) + b[0] * (a[1] // shared), a[1] // shared * b[1]


# The float nearest to a fraction of whole numbers: 64 bits and a last one for the rest, then rounded to even once.
def _shidi_statistics_divide(numerator, denominator):
    if numerator < 0:
        return -_shidi_statistics_divide(-numerator, denominator)
    if numerator == 0:
        return 0.0
    shift = 64 - len(bin(numerator)) + len(bin(denominator))
    if shift >= 0:
        whole, rest = divmod(numerator << shift, denominator)
    else:
        whole, rest = divmod(numerator, denominator << -shift)
    if rest:
        whole |= 1
    bits = len(bin(whole)) - 2
    kept = min(53, bits - shift + 1074)
    if kept < 0:
        return 0.0
    dropped = bits - kept
    half = 1 << (dropped - 1)
    low = whole & ((1 << dropped) - 1)
    whole >>= dropped
    if low > half or (low == half and whole & 1):
        whole += 1
    return _shidi_statistics_math.ldexp(float(whole), dropped - shift)


def _shidi_statistics_value(fraction, kind):
    numerator, denominator = fraction
    if denominator == 0:
        return numerator
    if kind is int and numerator % denominator == 0:
        return numerator // denominator
    if kind is int or kind is float:
        return _shidi_statistics_divide(numerator, denominator)
    return _shidi_statistics_decimal(numerator) / _shidi_statistics_decimal(denominator)


# Kind, sum of squared deviations, and count.
def _shidi_statistics_deviations(data, center):
    if center is not None:
        kind, count, total, unused = _shidi_statistics_sums([(x - center) * (x - center) for x in data], False)
        return kind, total, count
    kind, count, total, square = _shidi_statistics_sums(data, True)
    if total[1] == 0 or count == 0:
        return kind, total, count
    negative = (-total[0] * total[0], total[1] * total[1])
    scaled = _shidi_statistics_plus((count * square[0], square[1]), negative)
    return kind, (scaled[0], scaled[1] * count), count


# The square root of a fraction as the nearest float: enough bits, with the rest kept as one last bit.
def _shidi_statistics_root(fraction, kind):
    numerator, denominator = fraction
    if denominator == 0:
        return _shidi_statistics_math.sqrt(numerator)
    if kind is not int and kind is not float:
        return (_shidi_statistics_decimal(numerator) / _shidi_statistics_decimal(denominator)).sqrt()
    if numerator == 0:
        return 0.0
    bits = len(bin(numerator)) - len(bin(denominator))
    shift = (bits - 109) // 2
    if shift >= 0:
        scaled, by = numerator, denominator << (2 * shift)
    else:
        scaled, by = numerator << (-2 * shift), denominator
    root = _shidi_statistics_math.isqrt(scaled // by)
    if root * root * by != scaled:
        root |= 1
    if shift >= 0:
        return _shidi_statistics_divide(root << shift, 1)
    return _shidi_statistics_divide(root, 1 << -shift)


def _shidi_statistics_pairs(x, y, name):
    if len(x) != len(y):
        raise ValueError(name + ' requires that both inputs have same number of data points')
    if len(x) < 2:
        raise ValueError(name + ' requires at least two data points')
    mean_x = _shidi_statistics_math.fsum(x) / len(x)
    mean_y = _shidi_statistics_math.fsum(y) / len(y)
    both = _shidi_statistics_math.fsum([(a - mean_x) * (b - mean_y) for a, b in zip(x, y)])
    return mean_x, mean_y, both


class _shidi_statistics:
    StatisticsError = ValueError
    LinearRegression = _shidi_statistics_line

    def mean(data):
        kind, count, total, unused = _shidi_statistics_sums(data, False)
        if count < 1:
            raise ValueError('mean requires at least one data point')
        if total[1] == 0:
            return total[0]
        return _shidi_statistics_value((total[0], total[1] * count), kind)

    def fmean(data, weights=None):
        data = [float(x) for x in data]
        if weights is None:
            if not data:
                raise ValueError('fmean requires at least one data point')
            return _shidi_statistics_math.fsum(data) / len(data)
        weights = list(weights)
        if len(weights) != len(data):
            raise ValueError('data and weights must be the same length')
        total = _shidi_statistics_math.fsum(weights)
        if not total:
            raise ValueError('sum of weights must be non-zero')
        return _shidi_statistics_math.fsum([x * w for x, w in zip(data, weights)]) / total

    def geometric_mean(data):
        try:
            logs = [_shidi_statistics_math.log(x) for x in data]
            if logs:
                return _shidi_statistics_math.exp(_shidi_statistics_math.fsum(logs) / len(logs))
        except ValueError:
            pass
        raise ValueError('geometric mean requires a non-empty dataset containing positive numbers')

    def harmonic_mean(data, weights=None):
        data = list(data)
        if not data:
            raise ValueError('harmonic_mean requires at least one data point')
        single = weights is None and len(data) == 1
        if weights is None:
            weights = [1] * len(data)
            weight = len(data)
        else:
            weights = list(weights)
            if len(weights) != len(data):
                raise ValueError('Number of weights does not match data size')
            for w in weights:
                if w < 0:
                    raise ValueError('harmonic mean does not support negative values')
            unused, unused, total, unused = _shidi_statistics_sums(weights, False)
            weight = _shidi_statistics_value(total, int)
        if single and data[0] >= 0:
            return data[0]
        terms = []
        for w, x in zip(weights, data):
            if x < 0:
                raise ValueError('harmonic mean does not support negative values')
            if w and not x:
                return 0
            terms.append(w / x if w else 0)
        own, unused, total, unused = _shidi_statistics_sums(terms, False)
        if total[0] <= 0:
            raise ValueError('Weighted sum must be positive')
        numerator, denominator = _shidi_statistics_ratio(weight)
        return _shidi_statistics_value((numerator * total[1], denominator * total[0]), own)

    def median(data):
        data = sorted(data)
        if not data:
            raise ValueError('no median for empty data')
        middle = len(data) // 2
        if len(data) % 2:
            return data[middle]
        return (data[middle - 1] + data[middle]) / 2

    def median_low(data):
        data = sorted(data)
        if not data:
            raise ValueError('no median for empty data')
        return data[(len(data) - 1) // 2]

    def median_high(data):
        data = sorted(data)
        if not data:
            raise ValueError('no median for empty data')
        return data[len(data) // 2]

    def median_grouped(data, interval=1):
        data = sorted(data)
        if not data:
            raise ValueError('no median for empty data')
        x = data[len(data) // 2]
        below = 0
        while data[below] < x:
            below += 1
        same = data.count(x)
        return x - interval / 2 + interval * (len(data) / 2 - below) / same

    def mode(data):
        counts = {}
        for x in data:
            counts[x] = counts.get(x, 0) + 1
        if not counts:
            raise ValueError('no mode for empty data')
        most = max(counts.values())
        for x, count in counts.items():
            if count == most:
                return x

    def multimode(data):
        counts = {}
        for x in data:
            counts[x] = counts.get(x, 0) + 1
        most = max(counts.values()) if counts else 0
        return [x for x, count in counts.items() if count == most]

    def quantiles(data, *, n=4, method='exclusive'):
        if n < 1:
            raise ValueError('n must be at least 1')
        data = sorted(data)
        size = len(data)
        if size < 2:
            raise ValueError('must have at least two data points')
        points = []
        if method == 'inclusive':
            for i in range(1, n):
                whole, rest = divmod(i * (size - 1), n)
                points.append((data[whole] * (n - rest) + data[whole + 1] * rest) / n)
            return points
        if method != 'exclusive':
            raise ValueError('Unknown method: ' + repr(method))
        for i in range(1, n):
            whole = i * (size + 1) // n
            whole = min(max(whole, 1), size - 1)
            rest = i * (size + 1) - whole * n
            points.append((data[whole - 1] * (n - rest) + data[whole] * rest) / n)
        return points

    def variance(data, xbar=None):
        kind, total, count = _shidi_statistics_deviations(list(data), xbar)
        if count < 2:
            raise ValueError('variance requires at least two data points')
        if total[1] == 0:
            return total[0]
        return _shidi_statistics_value((total[0], total[1] * (count - 1)), kind)

    def pvariance(data, mu=None):
        kind, total, count = _shidi_statistics_deviations(list(data), mu)
        if count < 1:
            raise ValueError('pvariance requires at least one data point')
        if total[1] == 0:
            return total[0]
        return _shidi_statistics_value((total[0], total[1] * count), kind)

    def stdev(data, xbar=None):
        kind, total, count = _shidi_statistics_deviations(list(data), xbar)
        if count < 2:
            raise ValueError('stdev requires at least two data points')
        return _shidi_statistics_root((total[0], total[1] * (count - 1)), kind)

    def pstdev(data, mu=None):
        kind, total, count = _shidi_statistics_deviations(list(data), mu)
        if count < 1:
            raise ValueError('pstdev requires at least one data point')
        return _shidi_statistics_root((total[0], total[1] * count), kind)

    def covariance(x, y, /):
        mean_x, mean_y, both = _shidi_statistics_pairs(x, y, 'covariance')
        return both / (len(x) - 1)

    def correlation(x, y, /):
        mean_x, mean_y, both = _shidi_statistics_pairs(x, y, 'correlation')
        square_x = _shidi_statistics_math.fsum([(a - mean_x) * (a - mean_x) for a in x])
        square_y = _shidi_statistics_math.fsum([(b - mean_y) * (b - mean_y) for b in y])
        if not square_x * square_y:
            raise ValueError('at least one of the inputs is constant')
        return both / _shidi_statistics_math.sqrt(square_x * square_y)

    def linear_regression(x, y, /, *, proportional=False):
        mean_x, mean_y, both = _shidi_statistics_pairs(x, y, 'linear regression')
        if proportional:
            both = _shidi_statistics_math.fsum([a * b for a, b in zip(x, y)])
            square = _shidi_statistics_math.fsum([a * a for a in x])
        else:
            square = _shidi_statistics_math.fsum([(a - mean_x) * (a - mean_x) for a in x])
        if not square:
            raise ValueError('x is constant')
        slope = both / square
        return _shidi_statistics_line(slope, 0.0 if proportional else mean_y - slope * mean_x)
