# Make a @retry decorator that collects the errors and raises a summary at the end.
import functools

class RetryError(Exception):
    def __init__(self, name, errors):
        self.errors = errors
        super().__init__(f"{name} failed after {len(errors)} attempts")

def retry(times=3, exceptions=(Exception,), default=...):
    def decorator(func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            errors = []
            for _ in range(times):
                try:
                    return func(*args, **kwargs)
                except exceptions as e:
                    errors.append(e)
            if default is not ...:
                return default
            raise RetryError(func.__name__, errors) from errors[-1]
        return wrapper
    return decorator

tries = {"fetch": 0, "upload": 0, "price": 0}

@retry(times=4, exceptions=(ConnectionError,))
def fetch(url):
    tries["fetch"] += 1
    if tries["fetch"] < 3:
        raise ConnectionResetError(f"reset by {url}")
    return f"<{url}>"

@retry(times=2)
def upload(name):
    tries["upload"] += 1
    raise OSError(28, "No space left on device", name)

@retry(default=0.0)
def price(item):
    tries["price"] += 1
    return {"pen": 1.5}[item]

print(fetch("api.example.com"), price("pen"), price("ink"))
try:
    upload("report.pdf")
except RetryError as e:
    print(e, "| cause:", type(e.__cause__).__name__, e.__cause__.errno, e.__cause__.strerror)
    print([type(x).__name__ for x in e.errors])
print(tries)
