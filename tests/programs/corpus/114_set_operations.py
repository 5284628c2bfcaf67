# Compare two mailing lists: who is in both, only in one, duplicates, and Jaccard similarity.
march = ["ann@x.org", "bob@x.org", "Cat@x.org", "dan@x.org", "bob@x.org"]
april = ["cat@x.org", "dan@x.org", "eve@x.org", "fay@x.org"]

m = {a.lower() for a in march}
a = {x.lower() for x in april}
print("both:", sorted(m & a))
print("left:", sorted(m - a))
print("joined:", sorted(a - m))
print("changed:", sorted(m ^ a))
print("all:", len(m | a), f"jaccard {len(m & a) / len(m | a):.2f}")

seen, dupes = set(), set()
for addr in march:
    (dupes if addr in seen else seen).add(addr)
print("duplicates:", dupes)

print({1, 2} <= {1, 2, 3}, {1, 2} < {1, 2}, {1}.isdisjoint({2}), {3, 1}.issuperset([1]), set() == {1} - {1})
roles = {"ann": {"read"}, "bob": {"read", "write"}, "cat": {"read", "write", "admin"}}
print(sorted(set.intersection(*roles.values())), sorted(set().union(*roles.values())))
need = frozenset({"read", "write"})
print([who for who, r in roles.items() if r >= need])
groups = {}
for who, r in roles.items():
    groups.setdefault(frozenset(r & need), []).append(who)
print({"+".join(sorted(k)): v for k, v in groups.items()})
s = {5, 3}
s.add(3); s.update([8, 9], (1,)); s.discard(77); s.remove(5)
print(sorted(s), len(s), 8 in s, s.pop() not in s)
try:
    s.remove(404)
except KeyError as e:
    print("KeyError", e)
print(list(dict.fromkeys(x.lower() for x in march + april)))
