# Here is a CSV of our sales, please total revenue per region and show the share of each.
import csv
import io
from collections import defaultdict

DATA = '''region,product,units,price
North,Keyboard,12,39.90
South,Monitor,3,219.00
North,Monitor,5,219.00
West,"Cable, USB-C",40,7.50
South,Keyboard,20,39.90
West,Keyboard,6,39.90
East,"Desk ""Pro""",2,480.00
'''

totals = defaultdict(float)
units = defaultdict(int)
for row in csv.DictReader(io.StringIO(DATA)):
    revenue = int(row["units"]) * float(row["price"])
    totals[row["region"]] += revenue
    units[row["region"]] += int(row["units"])

grand = sum(totals.values())
print(f"{'Region':<8}{'Units':>7}{'Revenue':>12}{'Share':>9}")
print("-" * 36)
for region, value in sorted(totals.items(), key=lambda kv: kv[1], reverse=True):
    print(f"{region:<8}{units[region]:>7}{value:>12,.2f}{value / grand:>9.1%}")
print("-" * 36)
print(f"{'Total':<8}{sum(units.values()):>7}{grand:>12,.2f}{1:>9.0%}")
