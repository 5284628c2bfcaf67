# Use bisect to map scores to grades, insert into a sorted list and count values in a range.
import bisect

limits = [60, 70, 80, 90]
letters = "FDCBA"


def grade(score):
    return letters[bisect.bisect(limits, score)]


scores = [33, 99, 77, 70, 89, 90, 100, 59.9, 60]
print([f"{s}:{grade(s)}" for s in scores])

ordered = []
for s in scores:
    bisect.insort(ordered, s)
print(ordered)


def in_range(low, high):
    return ordered[bisect.bisect_left(ordered, low):bisect.bisect_right(ordered, high)]


print("70..90:", in_range(70, 90), len(in_range(70, 90)))


def find(values, target):
    low, high, steps = 0, len(values) - 1, 0
    while low <= high:
        steps += 1
        mid = (low + high) // 2
        if values[mid] == target:
            return mid, steps
        if values[mid] < target:
            low = mid + 1
        else:
            high = mid - 1
    return -1, steps


evens = range(0, 2_000_000, 2)
for target in (0, 1_234_568, 7, 1_999_998):
    print(target, find(evens, target))
rates = [(0, "0%"), (36_000, "3%"), (144_000, "10%")]
print([rates[bisect.bisect_right(rates, (pay, "~")) - 1][1] for pay in (35_999, 36_000, 200_000)])
