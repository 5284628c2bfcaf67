# Write context managers: one that records sections with nesting, one that swallows chosen errors.
class Section:
    level = 0
    log = []

    def __init__(self, title):
        self.title = title

    def __enter__(self):
        Section.log.append("  " * Section.level + f"> {self.title}")
        Section.level += 1
        return self

    def note(self, text):
        Section.log.append("  " * Section.level + f"- {text}")

    def __exit__(self, exc_type, exc, tb):
        Section.level -= 1
        status = "ok" if exc_type is None else f"failed: {exc_type.__name__}({exc})"
        Section.log.append("  " * Section.level + f"< {self.title} {status}")
        return False

class ignoring:
    def __init__(self, *types):
        self.types = types
        self.caught = None

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc, tb):
        self.caught = exc
        return exc_type is not None and issubclass(exc_type, self.types)

with Section("import") as s:
    s.note("12 files found")
    with Section("parse"), ignoring(ValueError) as guard:
        int("3.5")
        s.note("unreachable")
    s.note(f"caught {guard.caught!r}")
    with ignoring(ZeroDivisionError, KeyError) as guard:
        with Section("totals"):
            {}["sum"]
print("\n".join(Section.log))
try:
    with ignoring(KeyError):
        [].pop()
except IndexError as e:
    print("passed through:", e)
