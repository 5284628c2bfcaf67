# Show these numbers with thousands separators, percent, scientific, padded and signed.
values = [0, 1234.5, -98765.4321, 0.000123, 1e9, 2 / 3]

print(f"{'plain':>16}{',.2f':>16}{'e':>12}{'+.1f':>12}{'g':>14}")
for v in values:
    print(f"{v!r:>16.16}{v:>16,.2f}{v:>12.2e}{v:>+12.1f}{v:>14g}")

print(f"{0.1234:.1%} {1:.0%} {1.005:.2f} {2.675:.2f} {0.5:.0f} {1.5:.0f} {2.5:.0f}")
print(f"{42:05d} {-42:05d} {42:+d} {42: d} {42:>6}| {42:<6}| {42:^6}| {42:*^8}")
print(f"{255:b} {255:o} {255:x} {255:X} {255:#x} {255:#010b} {1_000_000:_}")
print(f"{12345.678:015,.2f} {12345.678:>15,.1f} {-5:=+8d}")
width, places = 12, 3
print(f"{3.14159265:{width}.{places}f}|{'abc':>{width}}|{'abcdef':.{places}}")
print("%05.1f|%-8s|%+d|%x|%5.1f%%" % (3.14159, "left", 7, 255, 99.5))
print("{0:>4}-{1:<4}-{0!r}".format("a", "b"))
print(format(1234567.891, ",.1f"), format("x", "^5"), format(True, "d"), str(1e16), str(1e15), 1e-5)
print(round(1234.5678, 2), round(1234.5678, -2), round(15, -1), round(2.5), round(-0.5))
