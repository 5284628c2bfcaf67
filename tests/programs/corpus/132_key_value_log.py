# Parse logfmt lines (key=value with quotes) and report latency percentiles per endpoint.
import re
import json

lines = r'''
level=info path=/a ms=12 msg="all good" ok=true
level=info path=/a ms=48 msg="cache \"cold\"" ok=true
level=warn path=/b ms=310 msg=slow ok=true
level=info path=/a ms=9 ok=true user=
level=error path=/b ms=1250.5 msg="timeout, giving up" ok=false
level=info path=/b ms=95 msg="" ok=true
'''.strip().splitlines()

PAIR = re.compile(r'(\w+)=(?:"((?:[^"\\]|\\.)*)"|(\S*))')

def convert(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return {"true": True, "false": False, "": None}.get(text, text)

def parse(line):
    out = {}
    for key, quoted, bare in PAIR.findall(line):
        out[key] = re.sub(r"\\(.)", r"\1", quoted) if f'{key}="' in line else convert(bare)
    return out

records = [parse(line) for line in lines]
for r in records[:2] + records[3:4]:
    print(json.dumps(r))

def percentile(values, p):
    values = sorted(values)
    k = (len(values) - 1) * p / 100
    low = int(k)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (k - low)

for path in sorted({r["path"] for r in records}):
    ms = [r["ms"] for r in records if r["path"] == path]
    print(path, f"n={len(ms)}", " ".join(f"p{p}={percentile(ms, p):.1f}" for p in (50, 90, 99)))
print([r["msg"] for r in records if not r["ok"]], sum(r.get("msg") is None for r in records))
levels = {}
for r in records:
    levels.setdefault(r["level"], []).append(r["ms"])
print({k: round(max(v)) for k, v in levels.items()})
