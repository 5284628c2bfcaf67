# Join the orders table with the customers table and list orders without a customer.
customers_csv = """id;name;city
1;Acme GmbH;Berlin
2;Nordlicht AG;Hamburg
4;Café Zentral;Wien
"""
orders_csv = """order;customer_id;amount
1001;1;250,00
1002;2;99,50
1003;3;12,00
1004;1;1.310,25
1005;4;45,90
"""


def parse(text, sep=";"):
    head, *lines = text.strip().splitlines()
    keys = head.split(sep)
    return [dict(zip(keys, line.split(sep))) for line in lines]


def euro(text):
    return float(text.replace(".", "").replace(",", "."))


customers = {c["id"]: c for c in parse(customers_csv)}
joined, orphans = [], []
for order in parse(orders_csv):
    customer = customers.get(order["customer_id"])
    if customer is None:
        orphans.append(order["order"])
        continue
    joined.append({**order, "name": customer["name"], "city": customer["city"]})

for item in joined:
    print(f"{item['order']}  {item['name']:<14} {item['city']:<8} {euro(item['amount']):>9.2f}")
print("Without customer:", ", ".join(orphans) or "none")
by_city = {}
for item in joined:
    by_city[item["city"]] = by_city.get(item["city"], 0) + euro(item["amount"])
print(by_city)
