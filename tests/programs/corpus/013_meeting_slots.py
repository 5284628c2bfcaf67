# Find free 30-minute slots between 9:00 and 17:00 given these meetings.
from datetime import datetime, timedelta

day = datetime(2024, 6, 3)
meetings = [("09:30", "10:15", "Standup"), ("11:00", "12:00", "Design review"),
            ("11:45", "13:00", "Lunch"), ("15:20", "16:40", "1:1")]


def at(clock):
    t = datetime.strptime(clock, "%H:%M")
    return day.replace(hour=t.hour, minute=t.minute)


busy = sorted((at(a), at(b)) for a, b, _ in meetings)
merged = [list(busy[0])]
for start, end in busy[1:]:
    if start <= merged[-1][1]:
        merged[-1][1] = max(merged[-1][1], end)
    else:
        merged.append([start, end])

free = []
cursor = at("09:00")
for start, end in merged + [[at("17:00"), at("17:00")]]:
    if start > cursor:
        free.append((cursor, start))
    cursor = max(cursor, end)

slot = timedelta(minutes=30)
for start, end in free:
    gap = end - start
    print(f"{start:%H:%M}-{end:%H:%M}  {gap}  {gap // slot} slot(s)")

total_busy = sum((e - s for s, e in merged), timedelta())
print("Busy:", total_busy, "=", total_busy.total_seconds() / 3600, "h")
print("First slot starts", free[0][0].isoformat())
