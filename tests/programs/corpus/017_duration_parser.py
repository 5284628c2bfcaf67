# Parse durations like "1h30m", "45s", "2d 4h" and add them up.
import re
from datetime import timedelta

UNITS = {"d": "days", "h": "hours", "m": "minutes", "s": "seconds"}
PATTERN = re.compile(r"(\d+(?:\.\d+)?)\s*([dhms])", re.IGNORECASE)


def parse_duration(text):
    found = PATTERN.findall(text)
    if not found or PATTERN.sub("", text).strip():
        raise ValueError(f"bad duration: {text!r}")
    return timedelta(**{UNITS[unit.lower()]: float(num) for num, unit in found})


def human(td):
    minutes, seconds = divmod(int(td.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    parts = [(days, "d"), (hours, "h"), (minutes, "m"), (seconds, "s")]
    return " ".join(f"{n}{u}" for n, u in parts if n) or "0s"


total = timedelta(0)
for text in ["1h30m", "45s", "2d 4h", "0.5h", "10 minutes", "1H 15M 5s", ""]:
    try:
        value = parse_duration(text)
    except ValueError as exc:
        print(f"{text!r:>14} -> skipped ({exc})")
    else:
        total += value
        print(f"{text!r:>14} -> {value} = {human(value)}")
print("Total:", total, "|", human(total))
print("Days:", total.days, "Seconds:", total.seconds)
