# Sort employees by department ascending, salary descending, then name; show several variants.
from operator import attrgetter, itemgetter

staff = [
    {"name": "Zed", "dept": "IT", "salary": 5200, "start": "2021-03-01"},
    {"name": "amy", "dept": "HR", "salary": 4100, "start": "2019-07-15"},
    {"name": "Bob", "dept": "IT", "salary": 6100, "start": "2020-01-20"},
    {"name": "Cat", "dept": "HR", "salary": 4100, "start": "2018-11-05"},
    {"name": "dan", "dept": "Ops", "salary": None, "start": "2023-05-30"},
]


def names(rows):
    return " ".join(r["name"] for r in rows)


print(names(sorted(staff, key=lambda r: (r["dept"], -(r["salary"] or 0), r["name"].lower()))))
print(names(sorted(staff, key=itemgetter("name"))))
print(names(sorted(staff, key=lambda r: r["name"].casefold(), reverse=True)))
print(names(sorted(staff, key=lambda r: (r["salary"] is None, r["salary"]))))

rows = staff[:]
rows.sort(key=itemgetter("start"), reverse=True)
rows.sort(key=itemgetter("dept"))
print(names(rows))
by_dept_year = sorted(((r["dept"], r["start"][:4], r["name"]) for r in staff), key=itemgetter(0, 1))
print(by_dept_year)
order = {"Ops": 0, "IT": 1, "HR": 2}
print(names(sorted(staff, key=lambda r: order[r["dept"]])))
print(list(map(itemgetter("name", "salary"), staff[:2])))
print([f.real for f in sorted([3 + 0j, 1 + 2j], key=attrgetter("real"))], sorted("bAc", key=str.lower), sorted([True, 0, 3, -1]))
try:
    sorted(staff)
except TypeError as e:
    print("TypeError:", e)
print(max(staff, key=lambda r: r["salary"] or 0)["name"], min(staff, key=itemgetter("start"))["name"])
