# Make shape classes with a common base, area, perimeter and a sorted overview.
import math

class Shape:
    registry = {}

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        Shape.registry[cls.__name__.lower()] = cls

    def area(self):
        raise NotImplementedError(f"{type(self).__name__} must define area()")

    def __lt__(self, other):
        return self.area() < other.area()

    def __str__(self):
        return f"{type(self).__name__:<10} area={self.area():8.3f}"

    @classmethod
    def create(cls, kind, *args):
        try:
            return cls.registry[kind](*args)
        except KeyError:
            raise ValueError(f"unknown shape {kind!r}, try one of {sorted(cls.registry)}") from None

class Circle(Shape):
    def __init__(self, r):
        self.r = r

    def area(self):
        return math.pi * self.r ** 2

class Rectangle(Shape):
    def __init__(self, w, h):
        self.w, self.h = w, h

    def area(self):
        return self.w * self.h

class Square(Rectangle):
    def __init__(self, side):
        super().__init__(side, side)

shapes = [Shape.create("circle", 1.5), Shape.create("square", 2), Shape.create("rectangle", 2, 5.5)]
for s in sorted(shapes, reverse=True):
    print(s)
print(min(shapes), "<- smallest")
print([c.__name__ for c in Square.__mro__])
for bad in (lambda: Shape.create("hexagon", 1), lambda: Shape().area()):
    try:
        bad()
    except (ValueError, NotImplementedError) as e:
        print(f"{type(e).__name__}: {e}")
