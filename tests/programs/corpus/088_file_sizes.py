# Convert byte counts to human-readable sizes and back.
import re

UNITS = ["B", "KB", "MB", "GB", "TB", "PB"]


def human(size, base=1024):
    value = float(size)
    for unit in UNITS:
        if abs(value) < base or unit == UNITS[-1]:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.2f} {unit}"
        value /= base


def parse(text):
    m = re.fullmatch(r"\s*([\d.,]+)\s*([KMGTP]?i?B)\s*", text, re.I)
    if not m:
        raise ValueError(f"cannot parse {text!r}")
    number = float(m[1].replace(",", ""))
    unit = m[2].upper().replace("I", "")
    return round(number * 1024 ** UNITS.index(unit))


for size in (0, 1023, 1024, 1536, 10 ** 6, 5 * 1024 ** 3, 2 ** 50, -2048):
    print(f"{size:>20,} {human(size):>12} {human(size, 1000):>12}")
for text in ("1.5 KB", "700MB", "2 GiB", "1,024 b", "12 parsecs"):
    try:
        print(f"{text!r:<12} {parse(text):,}")
    except ValueError as e:
        print("error:", e)
files = {"a.iso": 4_700_000_000, "b.txt": 812, "c.mp4": 733_000_111}
for name, size in sorted(files.items(), key=lambda f: -f[1]):
    bar = "█" * round(20 * size / max(files.values()))
    print(f"{name:<6}|{bar:<20}| {human(size)}")
print("total", human(sum(files.values())))
