# Do matrix transpose, multiplication, rotation and a spiral listing without numpy.
A = [[1, 2, 3], [4, 5, 6]]
B = [[7, 8], [9, 10], [11, 12]]


def matmul(a, b):
    return [[sum(x * y for x, y in zip(row, col)) for col in zip(*b)] for row in a]


def show(m, label):
    print(label)
    width = max(len(str(v)) for row in m for v in row)
    for row in m:
        print("  " + " ".join(f"{v:>{width}}" for v in row))


def spiral(m):
    m = [list(r) for r in m]
    while m:
        yield from m.pop(0)
        m = list(zip(*m))[::-1]


show(A, "A")
show([list(c) for c in zip(*A)], "transposed")
show(matmul(A, B), "A x B")
rotated = [list(r) for r in zip(*A[::-1])]
show(rotated, "rotated")
grid = [[r * 4 + c for c in range(4)] for r in range(3)]
print(list(spiral(grid)))
print("diagonal", [grid[i][i] for i in range(3)], "trace", sum(grid[i][i] for i in range(3)))
identity = [[int(i == j) for j in range(3)] for i in range(3)]
print(identity, matmul(A, identity) == A)
print({(r, c): v for r, row in enumerate(grid) for c, v in enumerate(row) if v % 5 == 0})
