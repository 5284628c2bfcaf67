# I need a small 2D vector class with arithmetic operators for my plotting script.
import math

class Vec:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vec(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vec(self.x - other.x, self.y - other.y)

    def __mul__(self, k):
        if isinstance(k, Vec):
            return self.x * k.x + self.y * k.y
        if isinstance(k, (int, float)):
            return Vec(self.x * k, self.y * k)
        return NotImplemented

    __rmul__ = __mul__

    def __eq__(self, other):
        return isinstance(other, Vec) and (self.x, self.y) == (other.x, other.y)

    def __hash__(self):
        return hash((self.x, self.y))

    def __abs__(self):
        return math.hypot(self.x, self.y)

    def __iter__(self):
        yield from (self.x, self.y)

    def __repr__(self):
        return f"Vec({self.x:g}, {self.y:g})"

a, b = Vec(3, 4), Vec(-1, 0.5)
print(a + b, a - b, 2 * a, a * b)
print(abs(a), tuple(a), a == Vec(3.0, 4.0))
print(sum([a, b, a], start=Vec(0, 0)), len({a, Vec(3, 4), b}))
try:
    a * "x"
except TypeError as e:
    print("TypeError:", e)
try:
    a.z = 1
except AttributeError:
    print("no attribute z")
