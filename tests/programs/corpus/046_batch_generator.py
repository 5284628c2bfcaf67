# Process these ids in batches of four with a generator and report progress.
from itertools import islice


def batches(iterable, size):
    iterator = iter(iterable)
    while chunk := list(islice(iterator, size)):
        yield chunk


def ids():
    for n in range(100, 122, 2):
        yield f"ID{n}"


done = 0
for number, chunk in enumerate(batches(ids(), 4), start=1):
    done += len(chunk)
    print(f"batch {number}: {', '.join(chunk)} ({done} done)")


def numbered(lines, start=1):
    """Yield lines with a number, skipping blanks but counting them."""
    for i, line in enumerate(lines, start):
        if line.strip():
            yield i, line


for i, line in numbered(["alpha", "", "gamma", "   ", "delta"]):
    print(i, line)

squares = (n * n for n in range(10) if n % 3)
print(next(squares), next(squares), sum(squares), list(squares))
print(next(squares, "exhausted"))
