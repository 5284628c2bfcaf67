# Show a coroutine-style generator that takes values with send(), and one with cleanup in finally.
def moving_average(window):
    values = []
    average = None
    while True:
        value = yield average
        values.append(value)
        values = values[-window:]
        average = sum(values) / len(values)

avg = moving_average(3)
next(avg)
for v in [10, 20, 60, 10, 5]:
    print(v, "->", round(avg.send(v), 2))
avg.close()

def reader(lines):
    count = 0
    try:
        for line in lines:
            count += 1
            yield line.upper()
    finally:
        print(f"closed after {count} lines")

gen = reader(["one", "two", "three"])
print(next(gen), next(gen))
gen.close()
print(list(gen))

def summary(chunks):
    total = 0
    for chunk in chunks:
        total += yield from tally(chunk)
    return total

def tally(chunk):
    for item in chunk:
        yield item
    return len(chunk)

it = summary(["ab", "c", ""])
while True:
    try:
        print(next(it), end=" ")
    except StopIteration as stop:
        print("| total", stop.value)
        break
