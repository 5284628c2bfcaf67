# Dispatch JSON webhook events with structural pattern matching.
import json

events = json.loads("""[
 {"type": "push", "repo": {"name": "site"}, "commits": [{"id": "a1"}, {"id": "b2"}]},
 {"type": "push", "repo": {"name": "docs"}, "commits": []},
 {"type": "issue", "action": "opened", "issue": {"number": 12, "title": "Crash on start", "labels": ["bug", "p1"]}},
 {"type": "issue", "action": "closed", "issue": {"number": 9, "title": "Typo", "labels": []}},
 {"type": "review", "state": "approved", "user": "kim"},
 {"type": "deploy", "target": "prod", "seconds": 75.5},
 {"ping": 1}
]""")


def summarize(event):
    match event:
        case {"type": "push", "repo": {"name": repo}, "commits": [first, *rest]}:
            return f"push to {repo}: {first['id']} and {len(rest)} more"
        case {"type": "push", "repo": {"name": repo}}:
            return f"empty push to {repo}"
        case {"type": "issue", "action": action, "issue": {"number": int(n), "labels": labels}} if "p1" in labels:
            return f"URGENT issue #{n} {action}"
        case {"type": "issue", "action": action, "issue": {"title": title}}:
            return f"issue {title!r} {action}"
        case {"type": "review", "state": "approved" | "commented" as state, **extra}:
            return f"review {state} by {extra.get('user', '?')}"
        case {"type": str(kind), "seconds": float(s) | int(s)}:
            return f"{kind} took {s:.0f}s"
        case {**unknown}:
            return f"ignored {unknown}"


for event in events:
    print(summarize(event))

point_cases = [(0, 0), (0, 3), (4, 0), (2, 2), (1, 5)]
for p in point_cases:
    match p:
        case (0, 0):
            where = "origin"
        case (0, y):
            where = f"y axis at {y}"
        case (x, 0):
            where = f"x axis at {x}"
        case (x, y) if x == y:
            where = "diagonal"
        case _:
            where = "plane"
    print(p, where)
