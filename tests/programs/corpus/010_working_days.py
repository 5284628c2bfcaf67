# How many working days are there between two dates, leaving out these holidays?
from datetime import date, timedelta

holidays = {date(2024, 5, 1), date(2024, 5, 9), date(2024, 5, 20)}


def working_days(start: date, end: date) -> list:
    days = []
    current = start
    while current <= end:
        if current.weekday() < 5 and current not in holidays:
            days.append(current)
        current += timedelta(days=1)
    return days


start, end = date(2024, 4, 29), date(2024, 5, 24)
days = working_days(start, end)
print(f"{start} to {end}: {(end - start).days + 1} calendar days, {len(days)} working days")
weeks = {}
for d in days:
    year, week, _ = d.isocalendar()
    weeks.setdefault((year, week), []).append(d.strftime("%a"))
for (year, week), names in weeks.items():
    print(f"{year}-W{week:02d}: {' '.join(names)}")
print("Last:", days[-1].isoformat(), days[-1].strftime("%A, %d %B %Y"))
