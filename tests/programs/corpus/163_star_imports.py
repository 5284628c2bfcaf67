# 整个模块的名字一次引入,几何与日期小题
from collections import *
from dataclasses import *
from datetime import *
from functools import *
from itertools import *
from math import *
from statistics import *
from string import *


@dataclass
class Point:
    x: float
    y: float = 0
    tags: list = field(default_factory=list)

    def distance(self, other):
        return hypot(self.x - other.x, self.y - other.y)


print(Point(3, 4).distance(Point(0)), sqrt(16), floor(pi), ceil(e), gcd(12, 18))
print(date(2024, 2, 29) + timedelta(days=365), datetime(2024, 1, 1, 8).isoformat())
print(Counter("mississippi").most_common(2), reduce(lambda a, b: a * b, range(1, 6)))
print(list(islice(count(1), 3)), list(chain([1], [2])), mean([1, 2, 3]), digits, ascii_lowercase[:3])


@lru_cache
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


print(fibonacci(50), asdict(Point(1)), defaultdict(int)["x"], comb(5, 2), isclose(0.1 + 0.2, 0.3))
