# Run several async checks, keep going when some fail and summarize.
import asyncio


async def check(name, delay, error=None):
    await asyncio.sleep(delay)
    if error is not None:
        raise error
    return f"{name} healthy"


jobs = {
    "database": check("database", 0.02),
    "cache": check("cache", 0.01, ConnectionError("refused")),
    "mail": check("mail", 0.0, ValueError("bad greeting")),
    "disk": check("disk", 0.005),
}
outcomes = await asyncio.gather(*jobs.values(), return_exceptions=True)

for name, outcome in zip(jobs, outcomes):
    if isinstance(outcome, Exception):
        print(f"{name:<10} FAIL {type(outcome).__name__}: {outcome}")
    else:
        print(f"{name:<10} ok   {outcome}")

bad = [o for o in outcomes if isinstance(o, BaseException)]
print(f"{len(bad)} of {len(outcomes)} failed")

try:
    await asyncio.gather(check("a", 0), check("b", 0, RuntimeError("boom")))
except RuntimeError as e:
    print("first error:", e)
