# Retry async calls with backoff, several in parallel, and show the attempts per endpoint.
import asyncio
from collections import defaultdict

attempts = defaultdict(int)
FAILS = {"/users": 0, "/orders": 2, "/stats": 5}


async def call(endpoint):
    attempts[endpoint] += 1
    await asyncio.sleep(0.001)
    if attempts[endpoint] <= FAILS[endpoint]:
        raise ConnectionError(f"{endpoint} returned 503 (try {attempts[endpoint]})")
    return f"{endpoint} ok"


async def with_retry(coro_func, *args, tries=3, delay=0.001):
    last = None
    for n in range(tries):
        try:
            return await coro_func(*args)
        except ConnectionError as exc:
            last = exc
            await asyncio.sleep(delay * 2 ** n)
    raise RuntimeError(f"gave up after {tries} tries") from last


results = await asyncio.gather(*(with_retry(call, e) for e in FAILS), return_exceptions=True)
for endpoint, result in zip(FAILS, results):
    match result:
        case str():
            print(f"{endpoint:<8} {result} in {attempts[endpoint]} attempt(s)")
        case RuntimeError(__cause__=cause):
            print(f"{endpoint:<8} {result} <- {cause}")
print(dict(attempts))
