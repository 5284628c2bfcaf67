# Find the shortest way through this maze and draw it.
from collections import deque

maze = """
#########
#S..#...#
#.#.#.#.#
#.#...#.#
#.###.#.#
#...#.#E#
#########
""".strip().splitlines()

cells = {(r, c): ch for r, line in enumerate(maze) for c, ch in enumerate(line)}
start = next(p for p, ch in cells.items() if ch == "S")
goal = next(p for p, ch in cells.items() if ch == "E")


def solve(start, goal):
    came = {start: None}
    queue = deque([start])
    while queue:
        r, c = here = queue.popleft()
        if here == goal:
            break
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            nxt = r + dr, c + dc
            if cells.get(nxt, "#") != "#" and nxt not in came:
                came[nxt] = here
                queue.append(nxt)
    path = []
    node = goal if goal in came else None
    while node:
        path.append(node)
        node = came[node]
    return path[::-1], len(came)


path, visited = solve(start, goal)
print(f"{start} -> {goal}: {len(path) - 1} steps, {visited} cells visited")
picture = [list(line) for line in maze]
for r, c in path[1:-1]:
    picture[r][c] = "*"
print("\n".join("".join(row) for row in picture))
moves = {(0, 1): "R", (1, 0): "D", (0, -1): "L", (-1, 0): "U"}
print("".join(moves[b[0] - a[0], b[1] - a[1]] for a, b in zip(path, path[1:])))
blocked = solve(start, (0, 0))
print("blocked:", blocked[0])
