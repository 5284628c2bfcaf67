# 预算 5000 元,选哪些采购项目总价值最高?(0/1 背包)
items = [("投影仪", 2600, 70), ("办公椅", 1200, 45), ("绿植", 300, 10),
         ("咖啡机", 1500, 55), ("白板", 400, 20), ("音响", 900, 25), ("路由器", 700, 38)]
BUDGET = 5000
STEP = 100


def knapsack(items, budget):
    size = budget // STEP
    best = [[0] * (size + 1) for _ in range(len(items) + 1)]
    for i, (_, cost, value) in enumerate(items, 1):
        w = cost // STEP
        for c in range(size + 1):
            best[i][c] = best[i - 1][c]
            if c >= w and best[i - 1][c - w] + value > best[i][c]:
                best[i][c] = best[i - 1][c - w] + value
    chosen, c = [], size
    for i in range(len(items), 0, -1):
        if best[i][c] != best[i - 1][c]:
            chosen.append(items[i - 1])
            c -= items[i - 1][1] // STEP
    return best[-1][-1], chosen[::-1]


value, chosen = knapsack(items, BUDGET)
for name, cost, v in chosen:
    print(f"{name:<4}\t{cost:>5}元\t价值 {v}")
spent = sum(c for _, c, _ in chosen)
print(f"总价值 {value},花费 {spent} 元,剩余 {BUDGET - spent} 元")

greedy, left = [], BUDGET
for name, cost, v in sorted(items, key=lambda it: it[2] / it[1], reverse=True):
    if cost <= left:
        greedy.append(name)
        left -= cost
print("贪心方案:", greedy, "剩余", left)
for budget in range(1000, 5001, 1000):
    print(budget, knapsack(items, budget)[0], end="; ")
print()
