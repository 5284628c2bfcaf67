# Evaluate an A/B test: conversion rates, lift, z-score, p-value and confidence interval.
import math

variants = {"A": {"visitors": 4210, "orders": 253, "revenue": 11890.40},
            "B": {"visitors": 4188, "orders": 304, "revenue": 13472.15}}


def normal_cdf(z):
    return 0.5 * (1 + math.erf(z / math.sqrt(2)))


for name, v in variants.items():
    v["rate"] = v["orders"] / v["visitors"]
    v["se"] = math.sqrt(v["rate"] * (1 - v["rate"]) / v["visitors"])
    low, high = v["rate"] - 1.96 * v["se"], v["rate"] + 1.96 * v["se"]
    print(f"{name}: {v['rate']:.3%} [{low:.2%}, {high:.2%}]  {v['revenue'] / v['orders']:.2f} per order, "
          f"{v['revenue'] / v['visitors']:.3f} per visitor")

a, b = variants.values()
lift = b["rate"] / a["rate"] - 1
pooled = (a["orders"] + b["orders"]) / (a["visitors"] + b["visitors"])
se = math.sqrt(pooled * (1 - pooled) * (1 / a["visitors"] + 1 / b["visitors"]))
z = (b["rate"] - a["rate"]) / se
p = 2 * (1 - normal_cdf(abs(z)))
print(f"lift {lift:+.1%}, z = {z:.3f}, p = {p:.4f} ->", "significant" if p < 0.05 else "not significant")
diff_se = math.hypot(a["se"], b["se"])
print(f"difference {b['rate'] - a['rate']:.4f} ± {1.96 * diff_se:.4f}")


def sample_size(base, lift, z_alpha=1.96, z_beta=0.8416):
    p1, p2 = base, base * (1 + lift)
    return math.ceil((z_alpha + z_beta) ** 2 * (p1 * (1 - p1) + p2 * (1 - p2)) / (p1 - p2) ** 2)


for target in (0.05, 0.1, 0.2):
    print(f"detect {target:.0%}: {sample_size(a['rate'], target):,} visitors per variant")
chance = [math.comb(10, k) * 0.06 ** k * 0.94 ** (10 - k) for k in range(4)]
print([round(c, 4) for c in chance], round(math.exp(-0.6) * 0.6 ** 2 / math.factorial(2), 5))
