# Read settings with a custom exception hierarchy, and show the cause chain.
class ConfigError(Exception):
    """Base class."""

class MissingKey(ConfigError, KeyError):
    def __str__(self):
        return f"missing key {self.args[0]!r}"

class BadValue(ConfigError):
    def __init__(self, key, value):
        super().__init__(key, value)
        self.key, self.value = key, value

    def __str__(self):
        return f"{self.key} has bad value {self.value!r}"

def get_int(config, key):
    try:
        return int(config[key])
    except KeyError as e:
        raise MissingKey(*e.args) from None
    except (TypeError, ValueError) as e:
        raise BadValue(key, config[key]) from e

def load(config):
    try:
        return {k: get_int(config, k) for k in ("port", "workers")}
    except ConfigError as e:
        raise SystemError("cannot start") from e

def chain(exc):
    while exc is not None:
        yield f"{type(exc).__name__}: {exc}"
        exc = exc.__cause__

for config in ({"port": "8080", "workers": 4}, {"port": "80a"}, {"port": 1}, {"port": None, "workers": 1}):
    try:
        print("ok", load(config))
    except SystemError as err:
        print(" <- ".join(chain(err)))
print(issubclass(MissingKey, KeyError), BadValue("a", 1).args, repr(BadValue("a", 1)))
try:
    try:
        1 / 0
    finally:
        print("finally runs first")
except ArithmeticError as e:
    print(e, isinstance(e, ZeroDivisionError))
