# Group these invoice dates by quarter and month and show the first and last day of each quarter.
from collections import Counter, defaultdict
from datetime import date, timedelta

dates = ["2024-01-15", "2024-02-29", "2024-03-31", "2024-04-01", "2024-07-19",
         "2024-07-20", "2024-12-31", "2023-11-11", "2024-10-01", "2024-07-02"]


def quarter(d):
    return (d.month - 1) // 3 + 1


def bounds(year, q):
    first = date(year, 3 * q - 2, 1)
    if q == 4:
        last = date(year, 12, 31)
    else:
        last = date(year, 3 * q + 1, 1) - timedelta(days=1)
    return first, last


groups = defaultdict(list)
for text in dates:
    d = date.fromisoformat(text)
    groups[d.year, quarter(d)].append(d)

for (year, q), ds in sorted(groups.items()):
    first, last = bounds(year, q)
    print(f"{year} Q{q} [{first:%d %b} - {last:%d %b}] {len(ds)} invoice(s), latest {max(ds)}")

months = Counter(date.fromisoformat(t).strftime("%b") for t in dates)
print(months.most_common(2))
print({m: n for m, n in months.items() if n > 1})
print("Span:", max(map(date.fromisoformat, dates)) - min(map(date.fromisoformat, dates)))
