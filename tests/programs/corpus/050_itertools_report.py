# Use itertools to build combinations of product options, running totals and grouped runs.
import itertools
import operator

colors, sizes = ["red", "blue"], ["S", "M", "L"]
skus = [f"{c[:3].upper()}-{s}" for c, s in itertools.product(colors, sizes)]
print(skus)

pairs = list(itertools.combinations(["ann", "bob", "cat", "dan"], 2))
print(len(pairs), pairs[:3])
print(["".join(p) for p in itertools.permutations("abc")])

sales = [120, 80, 0, 200, 50]
print(list(itertools.accumulate(sales)))
print(list(itertools.accumulate(sales, max)))
print(list(itertools.accumulate([1.02] * 4, operator.mul, initial=100))[-1])

days = [("Mon", "ok"), ("Tue", "ok"), ("Wed", "down"), ("Thu", "down"), ("Fri", "ok")]
for status, run in itertools.groupby(days, key=operator.itemgetter(1)):
    names = [d for d, _ in run]
    print(f"{status:<5} {names[0]}..{names[-1]} ({len(names)})")

rota = itertools.cycle(["Ann", "Bob", "Cat"])
print(list(zip(range(1, 6), rota)))
print(list(itertools.zip_longest("abc", [1], fillvalue="-")))
print(list(itertools.chain.from_iterable([[1, 2], (3,), {4: "x"}])))
print(list(itertools.takewhile(lambda x: x, sales)), list(itertools.dropwhile(lambda x: x, sales)))
print(list(itertools.starmap(pow, [(2, 5), (3, 2)])), list(itertools.islice(itertools.count(10, 3), 4)))
