# When is the 2024-03-08 15:00 UTC call in our offices?
from datetime import datetime, timedelta, timezone

offices = {"San Francisco": -8, "New York": -5, "London": 0, "Mumbai": 5.5, "上海": 8, "Sydney": 11}
call = datetime(2024, 3, 8, 15, 0, tzinfo=timezone.utc)

for city, offset in offices.items():
    tz = timezone(timedelta(hours=offset), city)
    local = call.astimezone(tz)
    shift = (local.date() - call.date()).days
    note = {0: "", 1: " (+1 day)", -1: " (-1 day)"}[shift]
    ok = "ok" if 8 <= local.hour < 19 else "outside office hours"
    print(f"{city:<14}{local:%a %H:%M}{note}  UTC{local:%z}  {ok}")

local = call.astimezone(timezone(timedelta(hours=8)))
print(local.isoformat())
print(local == call, local.utcoffset())
print(int(call.timestamp()))
print(datetime.fromtimestamp(1709910000, tz=timezone.utc))
parsed = datetime.fromisoformat("2024-03-08T23:00:00+08:00")
print((parsed - call).total_seconds(), parsed.tzinfo)
