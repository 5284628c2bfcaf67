# Suggest the closest command for typos using edit distance.
def distance(a, b):
    previous = list(range(len(b) + 1))
    for i, ca in enumerate(a, 1):
        current = [i]
        for j, cb in enumerate(b, 1):
            current.append(min(previous[j] + 1, current[-1] + 1, previous[j - 1] + (ca != cb)))
        previous = current
    return previous[-1]


commands = ["status", "commit", "checkout", "branch", "merge", "rebase", "stash"]
for typed in ["comit", "statsu", "chekcout", "brnach", "marge", "xyz", "stash"]:
    ranked = sorted(commands, key=lambda c: (distance(typed, c), c))
    best = ranked[0]
    d = distance(typed, best)
    if d == 0:
        print(f"{typed}: exact")
    elif d <= max(2, len(typed) // 3):
        print(f"{typed}: did you mean {best!r}? (distance {d})")
    else:
        print(f"{typed}: no suggestion (closest {best!r}, {d})")


def lcs(a, b):
    table = [[""] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a)):
        for j in range(len(b)):
            table[i + 1][j + 1] = table[i][j] + a[i] if a[i] == b[j] else max(table[i][j + 1], table[i + 1][j], key=len)
    return table[-1][-1]


print(lcs("checkout", "chekcuot"), lcs("AGGTAB", "GXTXAYB"), distance("", "abc"))
