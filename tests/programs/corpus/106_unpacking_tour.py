# Show the different kinds of unpacking on order data.
order = ("SO-1", ("Ada", "Lovelace"), [3, 4.5, 6], {"rush": True})
number, (first, last), [low, *mid, high], options = order
print(number, first, last, low, mid, high, options)

head, *body, tail = range(6)
print(head, body, tail)
*init, final = "xyz"
print(init, final)
a, b, c = 1, 2, 3
a, b, c = c, a, b
print(a, b, c)


def total(price, qty=1, *extras, tax=0.0, **meta):
    value = price * qty + sum(extras)
    return round(value * (1 + tax), 2), sorted(meta)


args, kwargs = (9.5, 3, 1, 1), {"tax": 0.2, "note": "gift", "by": "kim"}
print(total(*args, **kwargs))
print(total(10), total(10, 2), total(10, tax=0.5))

defaults = {"color": "black", "size": 12, "font": "Arial"}
custom = {"size": 14, "bold": True}
print({**defaults, **custom}, defaults | custom == {**defaults, **custom})
print([*range(3), *"ab", *{"k": 1}], (*custom,), {*"hello"} == set("helo"))

pairs = [("x", 1), ("y", 2)]
keys, values = zip(*pairs)
print(keys, values, dict(pairs), dict(zip(keys, values[::-1])))
for i, (key, value) in enumerate(dict(pairs).items()):
    print(i, key, value)
for first, *others in [(1, 2, 3), (4,), "hi"]:
    print(first, others)
try:
    x, y = (1, 2, 3)
except ValueError as e:
    print(e)
try:
    x, y, *z = [1]
except ValueError as e:
    print(e)
