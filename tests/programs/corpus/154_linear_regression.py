# Fit a line through advertising spend versus sales, compute the correlation and predict.
import math

spend = [1.0, 1.5, 2.0, 3.2, 4.0, 5.1, 6.0]
sales = [12.1, 14.0, 16.8, 21.5, 24.9, 30.2, 33.0]


def fit(xs, ys):
    n = len(xs)
    mx, my = sum(xs) / n, sum(ys) / n
    sxx = sum((x - mx) ** 2 for x in xs)
    sxy = sum((x - mx) * (y - my) for x, y in zip(xs, ys))
    syy = sum((y - my) ** 2 for y in ys)
    slope = sxy / sxx
    return slope, my - slope * mx, sxy / math.sqrt(sxx * syy)


slope, intercept, r = fit(spend, sales)
print(f"sales = {intercept:.3f} + {slope:.3f} * spend, r = {r:.4f}, r2 = {r * r:.4f}")
print(" spend   sales    fit  residual")
residuals = []
for x, y in zip(spend, sales):
    predicted = intercept + slope * x
    residuals.append(y - predicted)
    print(f"{x:>6.1f}{y:>8.1f}{predicted:>8.2f}{y - predicted:>+9.3f}")
rmse = math.sqrt(sum(e * e for e in residuals) / len(residuals))
print(f"rmse {rmse:.4f}, sum of residuals {abs(sum(residuals)):.6f}")
for x in (7, 10):
    print(f"spend {x} -> {intercept + slope * x:.1f}")
growth = [b / a - 1 for a, b in zip(sales, sales[1:])]
print("growth:", " ".join(f"{g:+.1%}" for g in growth))
print("cagr:", f"{(sales[-1] / sales[0]) ** (1 / (len(sales) - 1)) - 1:.2%}")
half = next((x for x, y in zip(spend, sales) if y > max(sales) / 2), None)
print("half of the maximum passed at", half)
