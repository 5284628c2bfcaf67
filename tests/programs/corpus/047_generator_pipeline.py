# Build a generator pipeline: parse lines, filter errors, convert currency, total.
lines = """
2024-01-03 USD 120.00 hosting
2024-01-09 EUR 80 books
# comment
2024-01-12 GBP abc broken
2024-02-01 JPY 15000 train
2024-02-11 EUR 9.99 app
""".splitlines()

RATES = {"EUR": 1.0, "USD": 0.92, "GBP": 1.17, "JPY": 0.0061}
errors = []


def records(source):
    for line in source:
        line = line.partition("#")[0].strip()
        if line:
            yield line.split(maxsplit=3)


def parsed(rows):
    for when, currency, amount, what in rows:
        try:
            yield when, currency, float(amount), what
        except ValueError as exc:
            errors.append(str(exc))


def in_euro(rows):
    for when, currency, amount, what in rows:
        yield when[:7], what, amount * RATES[currency]


def running(rows):
    total = 0
    for month, what, amount in rows:
        total += amount
        yield month, what, amount, total


for month, what, amount, total in running(in_euro(parsed(records(lines)))):
    print(f"{month} {what:<8}{amount:>9.2f}{total:>10.2f}")
print("errors:", errors)
per_month = {}
for month, _, amount in in_euro(parsed(records(lines))):
    per_month[month] = per_month.get(month, 0) + amount
print({m: round(v, 2) for m, v in per_month.items()})
