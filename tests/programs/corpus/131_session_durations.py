# Reconstruct user sessions from click events; a session ends after 30 minutes of silence.
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter

events = [
    ("u2", "2024-02-01 10:05", "home"), ("u1", "2024-02-01 09:00", "home"), ("u1", "2024-02-01 09:10", "search"),
    ("u1", "2024-02-01 09:39", "cart"), ("u1", "2024-02-01 10:30", "home"), ("u2", "2024-02-01 10:06", "help"),
    ("u3", "2024-02-01 23:50", "home"), ("u3", "2024-02-02 00:10", "cart"), ("u3", "2024-02-02 00:15", "pay"),
]
GAP = timedelta(minutes=30)
rows = sorted((user, datetime.strptime(t, "%Y-%m-%d %H:%M"), page) for user, t, page in events)

sessions = []
for user, group in groupby(rows, key=itemgetter(0)):
    current = None
    for _, when, page in group:
        if current is None or when - current["end"] > GAP:
            current = {"user": user, "start": when, "end": when, "pages": []}
            sessions.append(current)
        current["end"] = when
        current["pages"].append(page)

for s in sessions:
    length = s["end"] - s["start"]
    print(f"{s['user']} {s['start']:%d.%m. %H:%M} {str(length):>8} {' > '.join(s['pages'])}")
durations = [s["end"] - s["start"] for s in sessions]
mean = sum(durations, timedelta()) / len(durations)
print("sessions:", len(sessions), "mean:", mean, "longest:", max(durations))
bounced = [s["user"] for s in sessions if len(s["pages"]) == 1]
print("bounced:", bounced, f"conversion {sum('pay' in s['pages'] for s in sessions) / len(sessions):.0%}")
transitions = {}
for s in sessions:
    for pair in zip(s["pages"], s["pages"][1:]):
        transitions["->".join(pair)] = transitions.get("->".join(pair), 0) + 1
print(transitions)
