# Open several resources, make sure they close in reverse order even when one fails.
from contextlib import ExitStack

class Resource:
    def __init__(self, name, broken=False):
        self.name, self.broken = name, broken

    def __enter__(self):
        if self.broken:
            raise OSError(f"cannot open {self.name}")
        print("open ", self.name)
        return self

    def __exit__(self, *exc_info):
        print("close", self.name, "" if exc_info[0] is None else f"(during {exc_info[0].__name__})")

def process(specs):
    with ExitStack() as stack:
        opened = [stack.enter_context(Resource(*spec)) for spec in specs]
        stack.callback(print, "callback ran")
        return "+".join(r.name for r in opened)

print(process([("a",), ("b",)]))
try:
    process([("x",), ("y",), ("z", True), ("never",)])
except OSError as e:
    print("error:", e)

def ordering():
    try:
        print("try")
        return "returned from try"
    except ValueError:
        print("except")
    else:
        print("else")
    finally:
        print("finally")

print(ordering())
for n in range(3):
    try:
        if n == 1:
            continue
        print("n", n)
    finally:
        print("cleanup", n)
