# Make a pivot table of hours by employee and project from these timesheet rows.
rows = [
    ("Ana", "Website", 6.5), ("Ben", "Website", 4), ("Ana", "Mobile", 2),
    ("Cleo", "Backend", 7.25), ("Ben", "Backend", 3.5), ("Ana", "Website", 1.5),
    ("Cleo", "Mobile", 0.75), ("Ben", "Website", 2),
]

people = sorted({person for person, _, _ in rows})
projects = sorted({project for _, project, _ in rows})
pivot = {p: dict.fromkeys(projects, 0) for p in people}
for person, project, hours in rows:
    pivot[person][project] += hours

header = ["Employee", *projects, "Total"]
widths = [max(len(h), 9) for h in header]


def line(cells):
    first, *rest = cells
    parts = [str(first).ljust(widths[0])]
    for cell, width in zip(rest, widths[1:]):
        shown = cell if isinstance(cell, str) else f"{cell:g}"
        parts.append(shown.rjust(width))
    return " | ".join(parts)


print(line(header))
print("-+-".join("-" * w for w in widths))
for person in people:
    cells = [pivot[person][p] for p in projects]
    print(line([person, *cells, sum(cells)]))
column_totals = [sum(pivot[e][p] for e in people) for p in projects]
print(line(["Total"] + column_totals + [sum(column_totals)]))
