# Print a calendar for February 2024, weeks starting on Monday, weekends in brackets.
from datetime import date, timedelta


def month_grid(year, month):
    first = date(year, month, 1)
    nxt = date(year + month // 12, month % 12 + 1, 1)
    length = (nxt - first).days
    cells = [None] * first.weekday() + [date(year, month, d) for d in range(1, length + 1)]
    cells += [None] * (-len(cells) % 7)
    return [cells[i:i + 7] for i in range(0, len(cells), 7)]


def render(year, month):
    title = date(year, month, 1).strftime("%B %Y")
    print(title.center(28).rstrip())
    print("".join(f"{n:^4}" for n in ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")).rstrip())
    for week in month_grid(year, month):
        row = ""
        for day in week:
            if day is None:
                row += " " * 4
            elif day.weekday() >= 5:
                row += f"[{day.day:2d}]"
            else:
                row += f" {day.day:2d} "
        print(row.rstrip())


render(2024, 2)
render(2023, 12)
print(date(2024, 2, 29) + timedelta(days=365))
print(date(2024, 12, 31).timetuple().tm_yday, "days in 2024")
