# Flatten arbitrarily nested lists and deep-merge dictionaries recursively.
import copy
from collections.abc import Iterable, Mapping


def flatten(value):
    for item in value:
        if isinstance(item, Iterable) and not isinstance(item, (str, bytes)):
            yield from flatten(item)
        else:
            yield item


print(list(flatten([1, [2, (3, [4, {5}])], "text", [], [[["deep"]]], range(6, 8)])))


def merge(a, b):
    result = copy.deepcopy(a)
    for key, value in b.items():
        if isinstance(value, Mapping) and isinstance(result.get(key), Mapping):
            result[key] = merge(result[key], value)
        elif isinstance(value, list) and isinstance(result.get(key), list):
            result[key] = result[key] + [v for v in value if v not in result[key]]
        else:
            result[key] = copy.deepcopy(value)
    return result


base = {"server": {"host": "a", "tls": {"on": False}}, "tags": ["x"], "n": 1}
extra = {"server": {"tls": {"on": True, "cert": "c.pem"}}, "tags": ["x", "y"], "n": None}
merged = merge(base, extra)
print(merged)
print(base["server"]["tls"], merged["server"] is not base["server"])

shallow, deep = copy.copy(base), copy.deepcopy(base)
base["tags"].append("new")
print(shallow["tags"], deep["tags"])


def transform(value, f):
    if isinstance(value, dict):
        return {k: transform(v, f) for k, v in value.items()}
    if isinstance(value, list):
        return [transform(v, f) for v in value]
    return f(value)


print(transform(extra, lambda v: v.upper() if isinstance(v, str) else v))
print(sum(flatten([[1, 2], [[3]], 4])), max(flatten([[-1], [[-5, 8]]])))
