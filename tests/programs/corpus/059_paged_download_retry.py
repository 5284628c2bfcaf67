# Simulate downloading a paged API where some pages fail; retry only the failed pages, max three rounds.
PAGES = {n: [f"row{n}-{i}" for i in range(1, 3 + n % 2)] for n in range(1, 7)}
fail_plan = {2: 1, 5: 2, 6: 99}


def fetch_page(n, _seen={}):
    _seen[n] = _seen.get(n, 0) + 1
    if _seen[n] <= fail_plan.get(n, 0):
        raise ConnectionError(f"page {n}: HTTP {502 + _seen[n] % 2}")
    return PAGES[n]


results, pending = {}, list(PAGES)
for round_no in range(1, 4):
    failed = []
    for n in pending:
        try:
            results[n] = fetch_page(n)
        except ConnectionError as exc:
            print(f"round {round_no}: {exc}")
            failed.append(n)
    print(f"round {round_no}: {len(pending) - len(failed)} ok, {len(failed)} failed")
    pending = failed
    if not pending:
        break
else:
    print("giving up on pages", pending)

rows = [row for n in sorted(results) for row in results[n]]
print(len(rows), "rows:", rows[0], "...", rows[-1])
coverage = len(results) / len(PAGES)
print(f"coverage {coverage:.1%}", "complete" if coverage == 1 else "INCOMPLETE")
