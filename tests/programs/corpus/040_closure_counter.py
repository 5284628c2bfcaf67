# Show me closures: a counter, an accumulator with nonlocal and a memoizing wrapper.
def make_counter(start=0, step=1):
    value = start - step

    def next_value():
        nonlocal value
        value += step
        return value

    def reset(to=start):
        nonlocal value
        value = to - step

    next_value.reset = reset
    return next_value

invoice_no = make_counter(1000, 5)
print([invoice_no() for _ in range(4)])
invoice_no.reset()

def running_average():
    total, count = 0, 0

    def add(*numbers):
        nonlocal total, count
        total += sum(numbers)
        count += len(numbers)
        return total / count if count else None

    return add

avg = running_average()
print(avg(), avg(10), avg(20, 30), avg(0))

def memoize(func):
    cache = {}

    def wrapper(n):
        if n not in cache:
            cache[n] = func(n)
        return cache[n]

    wrapper.cache = cache
    return wrapper

@memoize
def stairs(n):
    return 1 if n < 2 else stairs(n - 1) + stairs(n - 2)

print(stairs(80), len(stairs.cache))
late = [lambda: i for i in range(3)]
print([f() for f in late], [f() for f in [lambda i=i: i for i in range(3)]])
