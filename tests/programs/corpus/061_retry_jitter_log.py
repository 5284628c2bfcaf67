# Build a retry policy object with max time budget and per-error rules, print the schedule.
from dataclasses import dataclass
from typing import Callable, Optional

@dataclass(frozen=True)
class Policy:
    max_attempts: int = 5
    base: float = 1.0
    cap: float = 6.0
    budget: float = 12.0

    def delays(self):
        spent = 0.0
        for n in range(self.max_attempts - 1):
            delay = min(self.cap, self.base * 2 ** n)
            if spent + delay > self.budget:
                return
            spent += delay
            yield delay

def execute(policy: Policy, action: Callable[[int], str], fatal: tuple = ()) -> Optional[str]:
    clock = 0.0
    schedule = policy.delays()
    attempt = 0
    while True:
        attempt += 1
        try:
            value = action(attempt)
            print(f"  [{clock:>4.1f}s] attempt {attempt}: {value}")
            return value
        except fatal as e:
            print(f"  [{clock:>4.1f}s] attempt {attempt}: fatal {e!r}")
            return None
        except Exception as e:
            print(f"  [{clock:>4.1f}s] attempt {attempt}: {e!r}")
        if (wait := next(schedule, None)) is None:
            print("  out of budget")
            return None
        clock += wait

def third_time(n):
    return "done" if n == 3 else 1 / (n - n)

print(list(Policy().delays()), list(Policy(base=4, cap=4).delays()))
print("A"); execute(Policy(), third_time)
print("B"); execute(Policy(max_attempts=3), lambda n: [][n])
print("C"); execute(Policy(), lambda n: int("12a"), fatal=(ValueError,))
try:
    Policy().base = 3
except AttributeError as e:
    print(type(e).__name__, e)
