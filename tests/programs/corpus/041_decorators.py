# Write decorators for call logging and argument validation, with functools.wraps.
import functools

calls = []

def logged(func):
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        result = func(*args, **kwargs)
        shown = [repr(a) for a in args] + [f"{k}={v!r}" for k, v in kwargs.items()]
        calls.append(f"{func.__name__}({', '.join(shown)}) -> {result!r}")
        return result
    return wrapper

def validate(**rules):
    def decorate(func):
        @functools.wraps(func)
        def wrapper(**kwargs):
            for name, rule in rules.items():
                if name in kwargs and not rule(kwargs[name]):
                    raise ValueError(f"{func.__name__}: bad value for {name}: {kwargs[name]!r}")
            return func(**kwargs)
        return wrapper
    return decorate

@logged
@validate(net=lambda v: v >= 0, rate=lambda v: 0 <= v < 1)
def gross(*, net, rate=0.19):
    """Net price plus tax."""
    return round(net * (1 + rate), 2)

print(gross(net=100))
print(gross(net=19.99, rate=0.07))
try:
    gross(net=5, rate=19)
except ValueError as e:
    print("rejected:", e)
print(gross.__name__, "|", gross.__doc__)
print("\n".join(calls))

@functools.lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

print(fib(60), fib.cache_info().misses)
