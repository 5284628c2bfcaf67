# Show me what changed between these two config versions.
import json

old = {"version": 3, "debug": False, "db": {"host": "localhost", "port": 5432}, "plugins": ["auth", "log"], "retry": 3}
new = {"version": 4, "debug": False, "db": {"host": "db.internal", "port": 5432, "ssl": True}, "plugins": ["auth", "metrics"], "timeout": 2.5}

MISSING = object()


def diff(a, b, path="$"):
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted(a.keys() | b.keys()):
            yield from diff(a.get(key, MISSING), b.get(key, MISSING), f"{path}.{key}")
    elif isinstance(a, list) and isinstance(b, list):
        for item in a:
            if item not in b:
                yield "-", path, item
        for item in b:
            if item not in a:
                yield "+", path, item
    elif a is MISSING:
        yield "+", path, b
    elif b is MISSING:
        yield "-", path, a
    elif a != b:
        yield "~", path, (a, b)


changes = list(diff(old, new))
for kind, path, value in changes:
    if kind == "~":
        before, after = value
        print(f"~ {path}: {json.dumps(before)} -> {json.dumps(after)}")
    else:
        print(f"{kind} {path}: {json.dumps(value)}")
print({k: sum(c[0] == k for c in changes) for k in "+-~"})
print("identical:", not list(diff(old, json.loads(json.dumps(old)))))
