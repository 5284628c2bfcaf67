# Use the walrus operator to parse measurements and read chunks.
import re

lines = ["temp=21.5C", "humidity=40%", "garbage", "temp=bad", "pressure=1013hPa", "temp=19C"]
readings = {}
for line in lines:
    if (m := re.match(r"(\w+)=(-?[\d.]+)(\D*)$", line)) is None:
        print("skip", line)
        continue
    name, value, unit = m.groups()
    readings.setdefault(name, []).append((float(value), unit))
print(readings)

text = "abcdefghij"
pos = 0
chunks = []
while chunk := text[pos:pos + 4]:
    chunks.append(chunk)
    pos += len(chunk)
print(chunks, pos)

results = [y for x in range(-3, 4) if (y := x * x - 2) > 0]
print(results, y)
if (n := len(results)) > 3:
    print(f"{n} results")
print([total := 0] + [total := total + v for v in (3, 4, 5)], total)

stack = [1, [2, [3, [4]]], 5]
flat = []
while stack:
    if isinstance(top := stack.pop(), list):
        stack.extend(top)
    else:
        flat.append(top)
print(flat)
print(any((hit := w).startswith("c") for w in ["apple", "cherry", "citrus"]), hit)
data = {"user": {"name": "Kim"}}
print(name if (user := data.get("user")) and (name := user.get("name")) else "nobody", user)
