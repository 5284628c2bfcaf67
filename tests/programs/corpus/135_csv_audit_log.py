# Read this audit log CSV and build a per-user timeline, hashing the user names for privacy.
import csv
import hashlib
import io
from collections import defaultdict
from datetime import datetime

log = """timestamp,user,action,target
2024-01-05T08:00:00,maria,login,
2024-01-05T08:02:11,maria,view,"invoice #12, page 1"
2024-01-05T08:02:59,ivan,login,
2024-01-05T08:10:30,maria,delete,invoice #9
2024-01-05T08:11:00,ivan,view,payroll
2024-01-05T09:30:00,maria,logout,
"""


def pseudonym(user):
    return "user-" + hashlib.sha256(f"salt:{user}".encode()).hexdigest()[:8]


timeline = defaultdict(list)
for row in csv.DictReader(io.StringIO(log)):
    timeline[pseudonym(row["user"])].append(
        (datetime.fromisoformat(row["timestamp"]), row["action"], row["target"] or None)
    )

for user, events in timeline.items():
    print(user, f"({len(events)} events)")
    start = events[0][0]
    for when, action, target in events:
        print(f"  +{when - start} {action:<7}{target or ''}".rstrip())

sensitive = [(u, t) for u, ev in timeline.items() for _, a, t in ev if a == "delete" or t == "payroll"]
print(sensitive)
still_in = [u for u, ev in timeline.items() if ev[-1][1] != "logout"]
print("still logged in:", still_in)
print(hashlib.md5(log.encode()).hexdigest(), hashlib.sha1(b"").hexdigest()[:12])
