# 库存表里哪些商品低于安全库存?请列出需要补货的数量和预计金额
inventory = """
SKU-001 | 打印纸 A4    | 120 | 200 | 18.5
SKU-002 | 黑色签字笔    | 640 | 300 | 1.2
SKU-003 | 文件夹        | 35  | 80  | 4.0
SKU-004 | 订书机        | 9   | 10  | 23.8
SKU-005 | 白板笔        | 100 | 100 | 2.5
"""

items = []
for raw in inventory.strip().split("\n"):
    sku, name, stock, safe, price = (part.strip() for part in raw.split("|"))
    items.append(dict(sku=sku, name=name, stock=int(stock), safe=int(safe), price=float(price)))

shortage = [it for it in items if it["stock"] < it["safe"]]
shortage.sort(key=lambda it: it["stock"] / it["safe"])

total = 0
for i, it in enumerate(shortage, start=1):
    need = it["safe"] - it["stock"]
    cost = need * it["price"]
    total += cost
    print(f"{i}. {it['name']}({it['sku']}):缺 {need} 件,预计 ¥{cost:,.2f}")

print(f"合计需要采购 {len(shortage)} 种商品,金额 ¥{total:,.2f}")
print("库存充足:", "、".join(it["name"] for it in items if it not in shortage))
