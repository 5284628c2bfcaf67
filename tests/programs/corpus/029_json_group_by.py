# Group this API result by status and reduce each ticket to id, title and age.
import json
from datetime import datetime

payload = json.loads('''[
 {"id": 3, "title": "Printer offline", "status": "open", "created": "2024-05-01T08:00:00", "meta": {"prio": 2}},
 {"id": 7, "title": "VPN drops", "status": "closed", "created": "2024-04-20T10:30:00", "meta": {"prio": 1}},
 {"id": 9, "title": "New laptop", "status": "open", "created": "2024-05-03T16:45:00", "meta": {}},
 {"id": 12, "title": "Reset MFA", "status": "waiting", "created": "2024-05-04T09:05:00"}
]''')

now = datetime(2024, 5, 5, 12)
grouped = {}
for ticket in payload:
    age = now - datetime.fromisoformat(ticket["created"])
    grouped.setdefault(ticket["status"], []).append({
        "id": ticket["id"],
        "title": ticket["title"],
        "age_days": round(age.total_seconds() / 86400, 2),
        "prio": ticket.get("meta", {}).get("prio", "none"),
    })

print(json.dumps(grouped, indent=2))
print(json.dumps({k: len(v) for k, v in grouped.items()}, separators=(",", ":")))
oldest = max((t for ts in grouped.values() for t in ts), key=lambda t: t["age_days"])
print("Oldest:", oldest["title"], oldest["age_days"])
