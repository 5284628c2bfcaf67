# Give exact age and tenure in years and months for each employee as of 2024-07-01.
from datetime import date

AS_OF = date(2024, 7, 1)
staff = [
    ("Priya", date(1990, 7, 2), date(2019, 2, 28)),
    ("Tomás", date(1985, 2, 28), date(2024, 1, 31)),
    ("Yuki", date(2000, 2, 29), date(2022, 7, 1)),
]


def span(start, end):
    months = (end.year - start.year) * 12 + end.month - start.month
    if end.day < start.day:
        months -= 1
    return divmod(months, 12)


def next_birthday(born, today):
    for year in (today.year, today.year + 1):
        try:
            candidate = born.replace(year=year)
        except ValueError:
            candidate = date(year, 3, 1)
        if candidate >= today:
            return candidate


for name, born, hired in staff:
    age, _ = span(born, AS_OF)
    years, months = span(hired, AS_OF)
    birthday = next_birthday(born, AS_OF)
    print(f"{name:<6} age {age}, tenure {years}y {months}m, next birthday {birthday} in {(birthday - AS_OF).days} days")

oldest = min(staff, key=lambda s: s[1])
print("Oldest:", oldest[0], repr(oldest[1]))
print(date.fromisoformat("2024-07-01") == AS_OF, AS_OF.toordinal())
