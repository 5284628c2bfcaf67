# Summarize this web server access log: hits per path, status codes, slowest requests, top client.
import re
from collections import Counter, defaultdict

log = '''10.0.0.5 - - [12/Mar/2024:10:00:01 +0000] "GET /index.html HTTP/1.1" 200 5120 0.012
10.0.0.7 - anna [12/Mar/2024:10:00:03 +0000] "POST /api/login HTTP/1.1" 401 87 0.230
10.0.0.5 - - [12/Mar/2024:10:00:04 +0000] "GET /api/items?page=2 HTTP/1.1" 200 20480 0.540
10.0.0.9 - - [12/Mar/2024:10:01:10 +0000] "GET /missing HTTP/1.1" 404 0 0.003
corrupted line here
10.0.0.5 - - [12/Mar/2024:10:01:42 +0000] "GET /api/items?page=3 HTTP/1.1" 500 12 1.951
10.0.0.7 - anna [12/Mar/2024:10:02:00 +0000] "POST /api/login HTTP/1.1" 200 412 0.198'''

LINE = re.compile(r'(?P<ip>\S+) \S+ (?P<user>\S+) \[(?P<time>[^\]]+)\] "(?P<method>[A-Z]+) (?P<path>\S+)[^"]*" '
                  r'(?P<status>\d{3}) (?P<size>\d+) (?P<secs>[\d.]+)')

entries, bad = [], 0
for raw in log.splitlines():
    if m := LINE.fullmatch(raw):
        e = m.groupdict()
        e["path"], _, e["query"] = e["path"].partition("?")
        e.update(status=int(e["status"]), size=int(e["size"]), secs=float(e["secs"]))
        entries.append(e)
    else:
        bad += 1

print(len(entries), "entries,", bad, "unparsable")
for path, n in Counter(e["path"] for e in entries).most_common():
    times = [e["secs"] for e in entries if e["path"] == path]
    print(f"{path:<14}{n} hit(s)  avg {sum(times) / n * 1000:.0f} ms  max {max(times) * 1000:.0f} ms")
classes = Counter(f"{e['status'] // 100}xx" for e in entries)
print(dict(sorted(classes.items())))
traffic = defaultdict(int)
for e in entries:
    traffic[e["ip"]] += e["size"]
print(max(traffic.items(), key=lambda kv: kv[1]))
print([(e["time"][12:20], e["path"], e["query"]) for e in entries if e["status"] >= 500])
minutes = Counter(e["time"][12:17] for e in entries)
print(" ".join(f"{k}:{'*' * v}" for k, v in minutes.items()))
