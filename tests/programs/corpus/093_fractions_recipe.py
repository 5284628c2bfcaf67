# Scale a recipe with exact fractions and show mixed numbers.
from fractions import Fraction

recipe = {"flour": "2 1/4 cups", "sugar": "3/4 cups", "butter": "1 cup", "salt": "1/2 tsp", "milk": "1.25 cups"}


def parse(text):
    *numbers, unit = text.split()
    return sum(Fraction(n) for n in numbers), unit.rstrip("s")


def mixed(f):
    whole, rest = divmod(f.numerator, f.denominator)
    if not rest:
        return str(whole)
    part = f"{rest}/{f.denominator}"
    return f"{whole} {part}" if whole else part


for factor in (Fraction(1, 2), Fraction(3), Fraction("2/3")):
    print(f"x {factor}:")
    for name, text in recipe.items():
        amount, unit = parse(text)
        scaled = amount * factor
        plural = "s" if scaled > 1 and unit != "tsp" else ""
        print(f"  {name:<7}{mixed(scaled):>6} {unit}{plural}")
print(Fraction(1, 3) + Fraction(1, 6), float(Fraction(7, 8)), Fraction(0.125), repr(Fraction(6, -4)))
print(Fraction(3.14159).limit_denominator(100), max(Fraction(2, 3), Fraction(3, 5)), Fraction(7, 2) // 1)
print(sum([Fraction(1, n) for n in range(1, 6)]), 0.1 + 0.2 == 0.3, Fraction("0.1") + Fraction("0.2") == Fraction("0.3"))
