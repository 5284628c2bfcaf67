# Solve this sudoku.
puzzle = """
53..7....
6..195...
.98....6.
8...6...3
4..8.3..1
7...2...6
.6....28.
...419..5
....8..79
"""

grid = [[0 if ch == "." else int(ch) for ch in line] for line in puzzle.split()]
steps = 0

def candidates(r, c):
    used = set(grid[r]) | {row[c] for row in grid}
    br, bc = r // 3 * 3, c // 3 * 3
    used |= {grid[i][j] for i in range(br, br + 3) for j in range(bc, bc + 3)}
    return set(range(1, 10)) - used

def solve():
    global steps
    best = None
    for r in range(9):
        for c in range(9):
            if grid[r][c] == 0:
                options = candidates(r, c)
                if best is None or len(options) < len(best[2]):
                    best = (r, c, options)
    if best is None:
        return True
    r, c, options = best
    for value in sorted(options):
        steps += 1
        grid[r][c] = value
        if solve():
            return True
        grid[r][c] = 0
    return False

print("given:", sum(v > 0 for row in grid for v in row))
print("solved:", solve(), "steps:", steps)
for i, row in enumerate(grid):
    if i and i % 3 == 0:
        print("------+-------+------")
    print(" | ".join(" ".join(map(str, row[j:j + 3])) for j in (0, 3, 6)))
rows_ok = all(sorted(row) == list(range(1, 10)) for row in grid)
cols_ok = all(sorted(col) == list(range(1, 10)) for col in zip(*grid))
print("valid:", rows_ok and cols_ok)
