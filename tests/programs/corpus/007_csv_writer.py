# Clean up these contact rows (trim, title case, lower e-mail, drop duplicates) and give me CSV back.
import csv
import io

raw = [
    ("  maria lópez ", "Maria@Example.COM", "Sales, EMEA"),
    ("john O'NEIL", "john.oneil@example.com ", "IT"),
    ("Maria López", "maria@example.com", "Sales"),
    ("wei CHEN", "wei.chen@example.org", 'R&D "Lab 2"'),
    ("", "nobody@example.com", "HR"),
]

seen = set()
clean = []
for name, mail, dept in raw:
    name, mail = " ".join(name.split()).title(), mail.strip().lower()
    if not name or mail in seen:
        continue
    seen.add(mail)
    clean.append({"name": name, "email": mail, "department": dept})

buffer = io.StringIO()
writer = csv.DictWriter(buffer, fieldnames=["name", "email", "department"], lineterminator="\n")
writer.writeheader()
writer.writerows(clean)
print(buffer.getvalue(), end="")
print(f"kept {len(clean)} of {len(raw)} rows")

again = list(csv.reader(buffer.getvalue().splitlines()))
print(again[-1])
print([len(r) for r in again])
