# Compare bubble, merge and quick sort: comparisons and correct results.
def bubble(values):
    values, comparisons = values[:], 0
    for end in range(len(values) - 1, 0, -1):
        swapped = False
        for i in range(end):
            comparisons += 1
            if values[i] > values[i + 1]:
                values[i], values[i + 1] = values[i + 1], values[i]
                swapped = True
        if not swapped:
            break
    return values, comparisons


def merge_sort(values):
    if len(values) < 2:
        return list(values), 0
    middle = len(values) // 2
    left, c1 = merge_sort(values[:middle])
    right, c2 = merge_sort(values[middle:])
    out, count = [], c1 + c2
    while left and right:
        count += 1
        out.append((left if left[0] <= right[0] else right).pop(0))
    return out + left + right, count


def quick(values):
    if len(values) < 2:
        return values, 0
    pivot, *rest = values
    small, a = quick([v for v in rest if v < pivot])
    large, b = quick([v for v in rest if v >= pivot])
    return [*small, pivot, *large], a + b + len(rest)


def pseudo_random(n, seed=42):
    for _ in range(n):
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
        yield seed % 1000


data = list(pseudo_random(60))
print(data[:8])
for name, case in {"random": data, "sorted": sorted(data), "reversed": sorted(data)[::-1]}.items():
    for func in (bubble, merge_sort, quick):
        result, n = func(case)
        print(f"{name:<9}{func.__name__:<11}{n:>5} {'ok' if result == sorted(case) else 'WRONG'}")
