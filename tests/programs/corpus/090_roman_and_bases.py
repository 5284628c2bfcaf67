# Convert numbers to Roman numerals and other bases and back.
import string

ROMAN = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
         (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
DIGITS = string.digits + string.ascii_lowercase


def to_roman(n):
    out = ""
    for value, letters in ROMAN:
        count, n = divmod(n, value)
        out += letters * count
    return out


def from_roman(text):
    values = dict((s, v) for v, s in ROMAN if len(s) == 1)
    total = 0
    for a, b in zip(text, text[1:] + " "):
        total += -values[a] if values[a] < values.get(b, 0) else values[a]
    return total


def to_base(n, base):
    if n < 0:
        return "-" + to_base(-n, base)
    head, last = divmod(n, base)
    return (to_base(head, base) if head else "") + DIGITS[last]


for n in (4, 1999, 2024, 3888):
    print(n, to_roman(n), from_roman(to_roman(n)))
for n, base in ((255, 16), (255, 2), (123456789, 36), (-10, 3)):
    text = to_base(n, base)
    print(f"{n} in base {base}: {text} -> {int(text, base)}")
print(bin(10), oct(64), hex(-255), int("0b1010", 0), int("0xff", 16), int("z", 36))
print((1023).bit_length(), 6 & 3, 6 | 3, 6 ^ 3, ~6, 1 << 10, -17 >> 2, -17 // 4, -17 % 4)
print(all(from_roman(to_roman(i)) == i for i in range(1, 4000)))
