# Group the errors in this application log with their stack trace lines and count them per module.
import re
from collections import Counter
from datetime import datetime

log = """2024-05-02 09:14:03,112 INFO  [app.main] started version=2.3.1
2024-05-02 09:14:09,870 ERROR [app.db] query failed
Traceback (most recent call last):
  File "db.py", line 88, in run
OperationalError: database is locked
2024-05-02 09:15:30,001 WARN  [app.mail] retry 1/3
2024-05-02 09:15:31,450 ERROR [app.mail] could not send to 3 recipients
2024-05-02 09:20:12,000 ERROR [app.db] query failed
Traceback (most recent call last):
  File "db.py", line 91, in run
OperationalError: database is locked
2024-05-02 09:21:00,500 INFO  [app.main] stopped"""

head = re.compile(r"^(\S+ \S+) (\w+)\s+\[([\w.]+)\] (.*)$")
entries = []
for line in log.split("\n"):
    m = head.match(line)
    if m:
        when, level, module, message = m.groups()
        entries.append({"when": datetime.strptime(when, "%Y-%m-%d %H:%M:%S,%f"), "level": level,
                        "module": module, "message": message, "trace": []})
    elif entries:
        entries[-1]["trace"].append(line.strip())

print(Counter(e["level"] for e in entries))
errors = [e for e in entries if e["level"] == "ERROR"]
for e in errors:
    detail = e["trace"][-1] if e["trace"] else "-"
    print(f"{e['when']:%H:%M:%S}.{e['when'].microsecond // 1000:03d} {e['module']:<9}{e['message']} ({detail})")
print(Counter(e["module"] for e in errors).most_common(1))
places = [re.search(r'"(.+?)", line (\d+)', t) for e in errors for t in e["trace"] if t.startswith("File")]
print([(p[1], int(p[2])) for p in places])
gaps = [(b["when"] - a["when"]).total_seconds() for a, b in zip(errors, errors[1:])]
print("seconds between errors:", gaps)
print("uptime:", entries[-1]["when"] - entries[0]["when"])
print("version:", re.search(r"version=(\d+)\.(\d+)", entries[0]["message"]).groups())
