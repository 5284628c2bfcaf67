# Write a retry helper with exponential backoff and show it with a service that fails twice.
class ServiceUnavailable(Exception):
    pass


def retry(func, attempts=4, base=0.5, factor=2, sleep=None, on=(ServiceUnavailable, TimeoutError)):
    delay = base
    for attempt in range(1, attempts + 1):
        try:
            return func()
        except on as exc:
            if attempt == attempts:
                raise
            print(f"  attempt {attempt} failed: {exc}; waiting {delay:.1f}s")
            if sleep:
                sleep(delay)
            delay *= factor


class Flaky:
    def __init__(self, *outcomes):
        self.outcomes = iter(outcomes)
        self.calls = 0

    def __call__(self):
        self.calls += 1
        outcome = next(self.outcomes)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


slept = []
cases = {
    "recovers": Flaky(ServiceUnavailable("503"), TimeoutError("slow"), {"ok": True}),
    "gives up": Flaky(*[ServiceUnavailable(f"503 #{i}") for i in range(1, 9)]),
    "not retried": Flaky(KeyError("token"), "never"),
}
for label, service in cases.items():
    print(label)
    try:
        print("  result", retry(service, sleep=slept.append))
    except Exception as e:
        print(f"  {type(e).__name__}: {e}")
    print("  calls", service.calls)
print("slept", slept, sum(slept))
