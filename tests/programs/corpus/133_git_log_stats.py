# Summarize this git log: commits per author and weekday, conventional commit types, breaking changes.
import re
from collections import Counter
from datetime import datetime

log = """
a1b2c3d|Dana|2024-03-04T09:12:00+01:00|feat(api): add paging
b2c3d4e|Eli|2024-03-04T17:45:10+01:00|fix: off by one in paging
c3d4e5f|Dana|2024-03-05T11:00:00+01:00|docs: explain paging
d4e5f6a|Finn|2024-03-09T23:59:59+01:00|feat!: drop v1 endpoints
e5f6a7b|Eli|2024-03-11T08:30:00+01:00|Merge branch 'main' into dev
f6a7b8c|Dana|2024-03-11T08:31:00+01:00|fix(ui)!: rename button | breaks tests
""".strip()

commit_re = re.compile(r"^(?P<type>\w+)(?:\((?P<scope>[\w-]+)\))?(?P<bang>!)?: (?P<subject>.+)$")
authors, kinds, days = Counter(), Counter(), Counter()
breaking = []
for line in log.splitlines():
    sha, author, when, message = line.split("|", 3)
    stamp = datetime.fromisoformat(when)
    authors[author] += 1
    days[stamp.strftime("%a")] += 1
    m = commit_re.match(message)
    kinds[m["type"] if m else "other"] += 1
    if m and m["bang"]:
        breaking.append(f"{sha[:4]} {m['scope'] or '*'}: {m['subject']}")

for author, n in authors.most_common():
    print(f"{author:<6}{'■' * n} {n}")
print(dict(kinds), dict(days))
print("Breaking changes:", *breaking, sep="\n  - ")
stamps = [datetime.fromisoformat(l.split("|")[2]) for l in log.splitlines()]
print("Period:", (max(stamps) - min(stamps)), "| first UTC offset", stamps[0].utcoffset())
print("Weekend:", [f"{s:%Y-%m-%d}" for s in stamps if s.isoweekday() > 5])
major, minor, patch = 1, 4, 2
if breaking:
    major, minor, patch = major + 1, 0, 0
elif kinds["feat"]:
    minor, patch = minor + 1, 0
print(f"next version {major}.{minor}.{patch}")
