# Flatten this nested JSON into dotted keys and back again.
import json

source = json.loads("""
{"id": 17, "user": {"name": "Zoë", "roles": ["admin", "dev"], "address": {"city": "Gent", "zip": null}},
 "active": true, "limits": {}, "ratio": 0.25}
""")


def flatten(value, prefix=""):
    if isinstance(value, dict) and value:
        items = value.items()
    elif isinstance(value, list) and value:
        items = enumerate(value)
    else:
        return {prefix: value}
    out = {}
    for key, child in items:
        out.update(flatten(child, f"{prefix}.{key}" if prefix else str(key)))
    return out


def unflatten(flat):
    root = {}
    for path, value in flat.items():
        *parents, last = path.split(".")
        node = root
        for p in parents:
            node = node.setdefault(p, {})
        node[last] = value
    return lists(root)


def lists(node):
    if not isinstance(node, dict) or not node:
        return node
    if all(k.isdigit() for k in node):
        return [lists(node[k]) for k in sorted(node, key=int)]
    return {k: lists(v) for k, v in node.items()}


flat = flatten(source)
for key, value in flat.items():
    print(f"{key:<20} {json.dumps(value)}")
print(unflatten(flat) == source)
print(json.dumps(flat, ensure_ascii=False, sort_keys=True)[:60])
