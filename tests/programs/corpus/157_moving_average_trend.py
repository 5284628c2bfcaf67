# Compute moving averages, exponential smoothing and the trend for weekly visitors.
from collections import deque
from itertools import accumulate

visitors = [812, 790, 835, 901, 880, 945, 990, 1012, 970, 1055, 1101, 1084]


def moving(values, n):
    window = deque(maxlen=n)
    for v in values:
        window.append(v)
        yield sum(window) / n if len(window) == n else None


def smooth(values, alpha=0.3):
    return list(accumulate(values, lambda prev, v: alpha * v + (1 - alpha) * prev))


ma = list(moving(visitors, 4))
es = smooth(visitors)
print("week  visitors     MA4      ES  change")
previous = None
for week, (v, m, e) in enumerate(zip(visitors, ma, es), 1):
    change = "" if previous is None else f"{(v - previous) / previous:+.1%}"
    shown = "-" if m is None else f"{m:.1f}"
    print(f"{week:>4}{v:>10,}{shown:>8}{e:>8.1f}{change:>8}")
    previous = v

best = max(range(len(visitors)), key=visitors.__getitem__)
drops = [w + 1 for w in range(1, len(visitors)) if visitors[w] < visitors[w - 1]]
print(f"best week {best + 1}, drops in weeks {drops}")
streak = longest = 0
for x, y in zip(visitors, visitors[1:]):
    streak = streak + 1 if y > x else 0
    longest = max(longest, streak)
print("longest growth streak:", longest)
print("cumulative:", list(accumulate(visitors))[-3:], "peak so far:", list(accumulate(visitors, max))[::4])
first, second = visitors[:6], visitors[6:]
print(f"half-year growth: {sum(second) / sum(first) - 1:.2%}")
