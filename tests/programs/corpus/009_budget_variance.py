# Compare budget with actuals per department and flag anything more than 10% over.
budget_tsv = "dept\tQ1\tQ2\nMarketing\t12000\t15000\nEngineering\t48000\t48000\nOps\t9000\t9500"
actual_tsv = "dept\tQ1\tQ2\nMarketing\t13900\t14100\nEngineering\t47010\t55210\nOps\t8800\t9700"


def load(tsv):
    lines = [l.split("\t") for l in tsv.split("\n")]
    quarters = lines[0][1:]
    return {dept: dict(zip(quarters, map(int, nums))) for dept, *nums in lines[1:]}


budget, actual = load(budget_tsv), load(actual_tsv)
flags = []
for dept in budget:
    print(dept)
    for quarter, planned in budget[dept].items():
        spent = actual[dept][quarter]
        diff = spent - planned
        pct = diff / planned * 100
        mark = ""
        if pct > 10:
            mark = "  <-- over"
            flags.append((dept, quarter, round(pct, 1)))
        print(f"  {quarter}: {spent:>7,} of {planned:>7,}  {diff:>+8,} ({pct:+.1f}%){mark}")

print()
print("Flagged:", flags)
print("Net:", f"{sum(sum(a.values()) for a in actual.values()) - sum(sum(b.values()) for b in budget.values()):+,}")
