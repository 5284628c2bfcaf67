# Show slicing tricks: windows, chunks, every nth, reversing, slice assignment and slice objects.
data = list(range(10))
print(data[2:5], data[:3], data[-3:], data[::3], data[::-1], data[8:2:-2])
print(data[100:], data[-100:2], data[5:5], data[:-1] == data[0:9])

size = 4
print([data[i:i + size] for i in range(0, len(data), size)])
print([sum(data[i:i + 3]) / 3 for i in range(len(data) - 2)])
print(list(zip(data, data[1:], data[2:]))[:3])

work = data[:]
work[2:4] = ["a", "b", "c"]
work[:0] = [-1]
del work[-2:]
print(work)
work[::2] = ["*"] * len(work[::2])
print(work)
try:
    work[::2] = [1]
except ValueError as e:
    print(e)

record = "20240315ACME      0001250EUR"
fields = {"date": slice(0, 8), "name": slice(8, 18), "cents": slice(18, 25), "currency": slice(25, None)}
parsed = {k: record[s].strip() for k, s in fields.items()}
print(parsed, int(parsed["cents"]) / 100)
print(slice(1, 10, 3).indices(6), "hello"[1:-1], "hello"[::-1], (1, 2, 3)[1:], range(20)[5:15:4], b"bytes"[1:3])
rotated = data[3:] + data[:3]
print(rotated, data[::2] + data[1::2])
middle = slice(len(data) // 4, -(len(data) // 4))
print(data[middle], max(data[middle]), data.index(7, 3), 7 in data[:5])
matrix = [[0] * 3 for _ in range(2)]
matrix[0][1] = 9
print(matrix, [[0] * 2] * 2 == [[0, 0], [0, 0]])
