"""Compares what two states of the program printed of their figures, round by round.

A file is named STATE.BENCH.ROUND. A line's words say what it measures; its first number is compared. Of each figure: both
medians, their ratio, and the interval that holds 95 % of what random rounds would give.
"""

import random
import re
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median

NUMBER = r"(\d[\d,]*(?:\.\d+)?)"
# A time, a size, or how often something is done: other numbers on a line say what was done.
MEASURED = re.compile(NUMBER + r" ?(ns|µs|us|ms|s|MB|kB|B|×|durable commits/s)(?![\w.])")
# To one unit of time, so that a line may change its own.
SCALE = {"ns": 1e-3, "µs": 1.0, "us": 1.0, "ms": 1e3, "s": 1e6}
# Figures that are better when they are larger.
LARGER = re.compile(r"commits/s")
# Lines of a peer.
BESIDE = re.compile(r"beside it|bare SQLite|NOT RUN")
LOSS = 1.05
DRAWS = 4_000


def figure(line: str) -> tuple[str, float] | None:
    """What a line measures, and its first figure: in a table the first after its words, which are in microseconds."""
    if line.startswith("|"):
        words, *cells = (cell.strip() for cell in line.strip("| \n").split("|"))
        number = re.fullmatch(NUMBER, cells[0]) if cells else None
        return (words, float(number.group(1).replace(",", ""))) if number else None
    found = MEASURED.search(line)
    if found is None:
        return None
    # What follows may differ from round to round.
    unit = "" if found.group(2) in SCALE else found.group(2)
    words = " ".join(f"{line[: found.start()]} {unit}".split())
    return words, float(found.group(1).replace(",", "")) * SCALE.get(found.group(2), 1.0)


def figures(path: Path) -> dict[str, float]:
    """The figures of a run by the words of their lines."""
    found: dict[str, float] = {}
    for line in path.read_text(errors="replace").splitlines():
        told = None if BESIDE.search(line) else figure(line)
        if told is not None and told[1] > 0:
            found.setdefault(*told)
    return found


def interval(before: list[float], now: list[float]) -> tuple[float, float]:
    """Where 95 % of the ratios of medians lie, when rounds are drawn anew."""
    draw = random.Random(1)
    ratios = sorted(
        median(draw.choices(now, k=len(now))) / median(draw.choices(before, k=len(before))) for _ in range(DRAWS)
    )
    return ratios[int(DRAWS * 0.025)], ratios[int(DRAWS * 0.975)]


def main() -> int:
    rows: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for path in sorted(Path(sys.argv[1]).iterdir()):
        if path.suffix == ".said":
            continue
        state, bench, _ = path.name.split(".")
        for words, value in figures(path).items():
            rows[bench, words][state].append(value)
    lost = 0
    print("| figure | before | now | ratio | 95 % of it | |\n|---|---:|---:|---:|---:|---|")
    for (bench, words), by_state in sorted(rows.items()):
        before, now = by_state.get("before", []), by_state.get("now", [])
        if len(before) < 3 or len(now) < 3:
            continue
        # A ratio above 1 is a loss: of what is better larger, how much less of it there is.
        first, then = (now, before) if LARGER.search(words) else (before, now)
        low, high = interval(first, then)
        is_lost = high > LOSS
        lost += is_lost
        ratio = median(then) / median(first)
        mark = "" if not is_lost else "lost" if low > 1 else "not excluded"
        print(f"| {bench}: {words} | {median(before):.4g} | {median(now):.4g} | {ratio:.3f} | {low:.3f}–{high:.3f} | {mark} |")
    print(f"\n{lost} figures whose interval does not exclude a loss of more than 5 %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
