# Sort, invert, merge and filter dictionaries of product ratings.
from collections import ChainMap, OrderedDict, defaultdict

ratings = {"lamp": 4.2, "desk": 3.9, "chair": 4.8, "shelf": 4.2, "rug": 2.5}
print(dict(sorted(ratings.items())))
print(dict(sorted(ratings.items(), key=lambda kv: (-kv[1], kv[0]))))
print({k: v for k, v in ratings.items() if v >= 4})
inverted = defaultdict(list)
for k, v in ratings.items():
    inverted[v].append(k)
print(dict(inverted), 9.9 in inverted)

new = {"desk": 4.1, "sofa": 4.6}
merged = ratings | new
ratings |= {"lamp": 4.0}
print(merged["desk"], ratings["desk"], ratings["lamp"], len(merged))
print(ratings.pop("rug"), ratings.pop("tent", "no tent"), ratings.setdefault("vase", 3.0), list(ratings)[-1])
print(ratings.keys() - new.keys() == {"lamp", "chair", "shelf", "vase"}, ("desk", 4.1) in new.items())

layers = ChainMap({"debug": True}, {"debug": False, "port": 80})
print(layers["debug"], layers["port"], sorted(layers), len(layers))
recent = OrderedDict.fromkeys("abc")
recent.move_to_end("a")
recent.popitem(last=False)
print(list(recent), list(reversed(ratings)))
nested = defaultdict(lambda: defaultdict(int))
for line in ["eu lamp 3", "us desk 1", "eu desk 4", "eu lamp 2"]:
    region, item, n = line.split()
    nested[region][item] += int(n)
print({r: dict(items) for r, items in nested.items()})
best = max(ratings, key=ratings.get)
print(best, sorted(ratings, key=ratings.get)[:2], round(sum(ratings.values()) / len(ratings), 3))
try:
    for k in ratings:
        ratings[k + "!"] = 0
except RuntimeError as e:
    print(e)
