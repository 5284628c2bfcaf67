# Give me a prime generator and some facts: primes under 50, twin primes, prime factors.
from itertools import count, takewhile


def primes():
    composites = {}
    for n in count(2):
        if n not in composites:
            yield n
            composites[n * n] = [n]
        else:
            for p in composites.pop(n):
                composites.setdefault(n + p, []).append(p)


def below(limit):
    return takewhile(lambda p: p < limit, primes())


small = list(below(50))
print(small)
twins = [(a, b) for a, b in zip(small, small[1:]) if b - a == 2]
print("twins:", twins)


def factors(n):
    for p in primes():
        if p * p > n:
            break
        while n % p == 0:
            yield p
            n //= p
    if n > 1:
        yield n


for n in (84, 97, 1001, 2 ** 16, 600851475143):
    print(n, "=", " x ".join(map(str, factors(n))))
print("100th prime:", next(p for i, p in enumerate(primes(), 1) if i == 100))
