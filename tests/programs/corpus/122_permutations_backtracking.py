# Generate permutations, subsets and combinations recursively, and solve 6 queens.
def permutations(items):
    if not items:
        yield []
    for i, item in enumerate(items):
        for rest in permutations(items[:i] + items[i + 1:]):
            yield [item, *rest]


def subsets(items):
    if not items:
        return [[]]
    head, *tail = items
    rest = subsets(tail)
    return rest + [[head] + r for r in rest]


def combine(candidates, target, start=0):
    if target == 0:
        return [[]]
    found = []
    for i in range(start, len(candidates)):
        c = candidates[i]
        if c <= target:
            found += [[c] + tail for tail in combine(candidates, target - c, i)]
    return found


print(["".join(p) for p in permutations(list("abc"))])
print(sorted(subsets(["x", "y", "z"]), key=lambda s: (len(s), s)))
print(combine([2, 3, 5], 8))


def queens(n, placed=()):
    row = len(placed)
    if row == n:
        yield placed
        return
    for col in range(n):
        if all(col != c and abs(col - c) != row - r for r, c in enumerate(placed)):
            yield from queens(n, (*placed, col))


solutions = list(queens(6))
print(len(solutions), solutions[0])
for col in solutions[0]:
    print(" ".join("Q" if c == col else "." for c in range(6)))
print("8 queens:", sum(1 for _ in queens(8)))
