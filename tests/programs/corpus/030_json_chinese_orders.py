# 把订单 JSON 按客户汇总,输出中文 JSON,金额保留两位小数
import json

raw = """
{"orders": [
  {"no": "D001", "customer": "华东商贸", "items": [{"name": "显示器", "qty": 2, "price": 1299.0}, {"name": "键盘", "qty": 5, "price": 199.9}]},
  {"no": "D002", "customer": "南方实业", "items": [{"name": "鼠标", "qty": 10, "price": 59.5}]},
  {"no": "D003", "customer": "华东商贸", "items": []},
  {"no": "D004", "customer": "南方实业", "items": [{"name": "显示器", "qty": 1, "price": 1299.0}]}
]}
"""

orders = json.loads(raw)["orders"]
summary = {}
for order in orders:
    entry = summary.setdefault(order["customer"], {"订单": [], "商品数": 0, "金额": 0.0})
    entry["订单"].append(order["no"])
    for item in order["items"]:
        entry["商品数"] += item["qty"]
        entry["金额"] += item["qty"] * item["price"]

for entry in summary.values():
    entry["金额"] = round(entry["金额"], 2)

print(json.dumps(summary, ensure_ascii=False, indent=4))
print(json.dumps({"客户": "华东商贸"}))
products = sorted({i["name"] for o in orders for i in o["items"]})
print("商品种类:", len(products), products)
print("空订单:", [o["no"] for o in orders if not o["items"]])
