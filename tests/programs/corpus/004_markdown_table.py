# Turn this list of dicts into an aligned markdown table.
servers = [
    {"name": "web-01", "cpu": 0.42, "ram_gb": 16, "tags": ["prod", "eu"]},
    {"name": "db-primary", "cpu": 0.871, "ram_gb": 128, "tags": ["prod"]},
    {"name": "ci", "cpu": None, "ram_gb": 8, "tags": []},
]


def show(value):
    if value is None:
        return "n/a"
    if isinstance(value, float):
        return f"{value:.0%}"
    if isinstance(value, list):
        return ", ".join(value) or "-"
    return str(value)


def markdown(rows):
    columns = list(rows[0])
    cells = [[show(r.get(c)) for c in columns] for r in rows]
    widths = [max(len(c), *(len(row[i]) for row in cells)) for i, c in enumerate(columns)]
    numeric = [all(isinstance(r[c], (int, float, type(None))) for r in rows) for c in columns]
    out = ["| " + " | ".join(c.ljust(w) for c, w in zip(columns, widths)) + " |"]
    out.append("|" + "|".join("-" * (w + 1) + (":" if n else "-") for w, n in zip(widths, numeric)) + "|")
    for row in cells:
        aligned = [v.rjust(w) if n else v.ljust(w) for v, w, n in zip(row, widths, numeric)]
        out.append("| " + " | ".join(aligned) + " |")
    return "\n".join(out)


print(markdown(servers))
print(f"{len(servers)} rows, {len(servers[0])} columns")
