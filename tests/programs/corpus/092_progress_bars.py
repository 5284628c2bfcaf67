# Print text progress bars and a small histogram with percentages.
tasks = {"Planning": (8, 8), "Development": (21, 34), "Testing": (3, 19), "Docs": (0, 5)}


def bar(done, total, width=24):
    fraction = done / total if total else 0
    filled = int(fraction * width)
    return f"[{'=' * filled}{'>' if 0 < filled < width else ''}{' ' * (width - filled - (0 < filled < width))}] {fraction:>6.1%}"


longest = max(map(len, tasks))
for name, (done, total) in tasks.items():
    print(f"{name:<{longest}} {bar(done, total)} {done:>3}/{total}")

all_done, all_total = map(sum, zip(*tasks.values()))
print(f"{'Overall':<{longest}} {bar(all_done, all_total)}")

readings = [12, 15, 21, 22, 22, 27, 31, 33, 35, 38, 41, 44, 58]
low, step = 10, 10
buckets = {}
for r in readings:
    start = low + (r - low) // step * step
    buckets[start] = buckets.get(start, 0) + 1
for start in range(low, 60, step):
    n = buckets.get(start, 0)
    print(f"{start:>3}-{start + step - 1:<3}|{'#' * n:<6}| {n} ({n / len(readings):.0%})")
blocks = " ▁▂▃▄▅▆▇█"
print("".join(blocks[round((r - 12) / (58 - 12) * 8)] for r in readings))
