# Which exception does each of these mistakes raise? Print type and message.
import json

number = 5


def unpack_two(values):
    first, second = values
    return first, second

mistakes = {
    "bad int": lambda: int("12x"),
    "bad float": lambda: float("1,5"),
    "missing key": lambda: {"a": 1}["b"],
    "index": lambda: [1, 2, 3][5],
    "tuple index": lambda: (1, 2)[2],
    "attribute": lambda: "text".foo,
    "none attribute": lambda: None.strip(),
    "add": lambda: 1 + "1",
    "add str": lambda: "1" + 1,
    "call": lambda: number(),
    "unpack": lambda: unpack_two([1, 2, 3]),
    "division": lambda: 5 // 0,
    "float division": lambda: 1.0 / 0,
    "json": lambda: json.loads("{bad}"),
    "unhashable": lambda: {[]: 1},
    "iterate": lambda: list(5),
    "sort mixed": lambda: sorted([1, "a"]),
    "max empty": lambda: max([]),
    "encode": lambda: "é".encode("ascii"),
    "argument": lambda: (lambda x: x)(),
    "len": lambda: len(3),
    "list index": lambda: ["a"].index("z"),
    "remove": lambda: [1].remove(2),
    "next": lambda: next(iter([])),
}

seen = {}
for label, action in mistakes.items():
    try:
        action()
    except Exception as e:
        seen.setdefault(type(e).__name__, []).append(label)
        print(f"{label:<15}{type(e).__name__}: {e}")
    else:
        print(f"{label:<15}no error")
print({k: len(v) for k, v in sorted(seen.items())})
