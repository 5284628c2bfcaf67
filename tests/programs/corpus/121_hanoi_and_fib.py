# Solve the Towers of Hanoi, compute Fibonacci with memoization and the Ackermann function for small values.
from functools import cache

def hanoi(n, src="A", dst="C", via="B"):
    if n == 0:
        return []
    return hanoi(n - 1, src, via, dst) + [(n, src, dst)] + hanoi(n - 1, via, dst, src)

moves = hanoi(3)
for i, (disk, a, b) in enumerate(moves, 1):
    print(f"{i}. disk {disk}: {a} -> {b}")
print(len(hanoi(10)), 2 ** 10 - 1)

@cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

print([fib(n) for n in range(15)], fib(120))

def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))

print([ackermann(2, n) for n in range(5)])

def collatz(n, steps=0):
    return steps if n == 1 else collatz(n // 2 if n % 2 == 0 else 3 * n + 1, steps + 1)

print({n: collatz(n) for n in (1, 6, 7, 27)})

def digits_sum(n):
    return n if n < 10 else digits_sum(sum(int(d) for d in str(n)))

print(digits_sum(987654321), digits_sum(2 ** 100))

def endless(n):
    return endless(n + 1)

try:
    endless(0)
except RecursionError as e:
    print("RecursionError:", "maximum recursion depth" in str(e))
