# Simulate a sliding-window rate limiter over these request timestamps and a token bucket for comparison.
from collections import deque

requests = [0.0, 0.2, 0.5, 0.9, 1.0, 1.1, 1.3, 2.5, 2.6, 2.7, 2.8, 2.9, 5.0]


class SlidingWindow:
    def __init__(self, limit, seconds):
        self.limit, self.seconds, self.hits = limit, seconds, deque()

    def allow(self, now):
        while self.hits and now - self.hits[0] >= self.seconds:
            self.hits.popleft()
        if len(self.hits) < self.limit:
            self.hits.append(now)
            return True
        return False


class TokenBucket:
    def __init__(self, rate, capacity):
        self.rate, self.capacity = rate, capacity
        self.tokens, self.last = capacity, 0.0

    def allow(self, now):
        self.tokens = min(self.capacity, self.tokens + (now - self.last) * self.rate)
        self.last = now
        if self.tokens >= 1:
            self.tokens -= 1
            return True
        return False


limiters = {"window": SlidingWindow(3, 1.0), "bucket": TokenBucket(2.0, 4)}
decisions = {name: [limiter.allow(t) for t in requests] for name, limiter in limiters.items()}
print("time  ", *decisions)
for i, t in enumerate(requests):
    print(f"{t:>5.1f}", *(f"{'ok' if d[i] else 'DENY':>7}" for d in decisions.values()))
for name, d in decisions.items():
    print(f"{name}: {d.count(True)} allowed, {d.count(False)} denied, first denial at {requests[d.index(False)]}")
print("tokens left", round(limiters["bucket"].tokens, 3), "window", list(limiters["window"].hits))
print("differ at", [t for t, a, b in zip(requests, *decisions.values()) if a != b])
