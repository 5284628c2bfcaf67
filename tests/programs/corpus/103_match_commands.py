# Parse chat commands with match/case.
def handle(text):
    match text.split():
        case []:
            return "empty"
        case ["help"]:
            return "commands: remind, add, list, quit"
        case ["remind", who, "in", amount, ("min" | "mins" | "h") as unit] if amount.isdigit():
            minutes = int(amount) * (60 if unit == "h" else 1)
            return f"remind {who} in {minutes} minutes"
        case ["add", *numbers] if numbers and all(n.lstrip("-").isdigit() for n in numbers):
            return f"sum {sum(map(int, numbers))}"
        case ["add", *rest]:
            return f"cannot add {rest}"
        case ["list", ("open" | "closed") as which] | ["list", which, _]:
            return f"listing {which}"
        case ["quit" | "exit"]:
            return "bye"
        case [command, *_]:
            return f"unknown command {command!r}"


for text in ["", "help", "remind me in 20 mins", "remind Bob in 2 h", "remind Bob in two h",
             "add 1 2 -5", "add one", "list open", "list mine now", "exit", "dance now"]:
    print(f"{text!r:<24} {handle(text)}")


def describe(value):
    match value:
        case True | False:
            return "bool"
        case int(n) if n > 100:
            return f"big int {n}"
        case int() | float():
            return "number"
        case str(s):
            return f"text of {len(s)}"
        case (x, y):
            return f"pair {x}/{y}"
        case {"type": kind, **others}:
            return f"{kind} with {sorted(others)}"
        case None:
            return "nothing"
        case _:
            return type(value).__name__


print([describe(v) for v in (True, 7, 700, 2.5, "hey", (1, 2), {"type": "cat", "age": 3}, None, {1}, [])])
