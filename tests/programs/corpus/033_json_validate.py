# Validate these JSON records against a small schema and list all the problems.
import json

schema = {"name": str, "age": int, "email": str, "tags": list, "score": (int, float)}
required = {"name", "email"}

lines = '''{"name": "Ada", "age": 36, "email": "ada@example.com", "tags": ["x"], "score": 9}
{"name": "Bob", "age": "41", "email": null}
{"name": "Cy", "age": true, "email": "cy@example", "extra": 1}
{"name": "Di", "email": "di@example.com",}
[1, 2, 3]'''


def problems(record):
    if not isinstance(record, dict):
        return [f"expected object, got {type(record).__name__}"]
    found = [f"missing {key}" for key in sorted(required - record.keys())]
    for key, value in record.items():
        want = schema.get(key)
        if want is None:
            found.append(f"unknown field {key}")
        elif isinstance(value, bool) or not isinstance(value, want):
            names = want if isinstance(want, tuple) else (want,)
            found.append(f"{key}: {value!r} is {type(value).__name__}, not {'/'.join(t.__name__ for t in names)}")
    return found


valid = 0
for number, line in enumerate(lines.split("\n"), 1):
    try:
        record = json.loads(line)
    except json.JSONDecodeError as err:
        print(f"line {number}: not JSON at column {err.colno}")
        continue
    issues = problems(record)
    valid += not issues
    print(f"line {number}:", "; ".join(issues) or "ok")
print(valid, "valid")
