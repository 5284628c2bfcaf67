# Convert temperatures, lengths and weights in a small table; round sensibly.
import math

LENGTH = {"m": 1.0, "km": 1000.0, "mi": 1609.344, "ft": 0.3048, "in": 0.0254}
WEIGHT = {"kg": 1.0, "g": 0.001, "lb": 0.45359237, "oz": 0.028349523125}


def convert(value, source, target):
    for table in (LENGTH, WEIGHT):
        if source in table and target in table:
            return value * table[source] / table[target]
    if {source, target} <= {"C", "F", "K"}:
        celsius = {"C": value, "F": (value - 32) * 5 / 9, "K": value - 273.15}[source]
        return {"C": celsius, "F": celsius * 9 / 5 + 32, "K": celsius + 273.15}[target]
    raise ValueError(f"cannot convert {source} to {target}")


def significant(x, digits=4):
    if x == 0:
        return 0.0
    return round(x, digits - 1 - math.floor(math.log10(abs(x))))


cases = [(5, "km", "mi"), (6, "ft", "m"), (26.2, "mi", "km"), (180, "lb", "kg"), (1, "oz", "g"),
         (98.6, "F", "C"), (-40, "C", "F"), (0, "K", "C"), (3, "kg", "m")]
for value, src, dst in cases:
    try:
        print(f"{value:>7} {src:<3}= {significant(convert(value, src, dst)):>10} {dst}")
    except ValueError as e:
        print("  error:", e)
print(math.isclose(convert(convert(7.3, "mi", "km"), "km", "mi"), 7.3))
print(math.floor(-2.5), math.ceil(-2.5), math.trunc(-2.5), int(-2.5), round(-2.5))
print(math.sqrt(2), math.gcd(84, 36), math.lcm(4, 6), math.factorial(20), math.comb(49, 6))
print(f"{math.degrees(math.atan2(1, 1)):.1f} {math.log2(1024)} {math.log(100, 10):.3f} {math.inf > 1e308} {math.isnan(math.nan)}")
