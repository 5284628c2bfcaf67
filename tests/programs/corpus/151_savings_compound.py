# Compare savings plans with compound interest over ten years using Decimal.
from decimal import Decimal, ROUND_HALF_UP, localcontext

CENT = Decimal("0.01")


def grow(monthly, annual_rate, years, start="0"):
    balance, paid = Decimal(start), Decimal(start)
    rate = Decimal(annual_rate) / 12
    for year in range(1, years + 1):
        for _ in range(12):
            balance += Decimal(monthly)
            paid += Decimal(monthly)
            balance += (balance * rate).quantize(CENT, rounding=ROUND_HALF_UP)
        yield year, paid, balance


plans = {"Cautious": ("150", "0.021"), "Balanced": ("150", "0.0425"), "Late start": ("300", "0.0425")}
for name, (monthly, rate) in plans.items():
    years = 5 if name == "Late start" else 10
    table = list(grow(monthly, rate, years, "500"))
    year, paid, balance = table[-1]
    print(f"{name:<11} {Decimal(rate):.2%} {years:>2}y paid {paid:>10,} balance {balance:>10,} gain {(balance / paid - 1):.2%}")
    milestones = [y for y, _, b in table if b > 10_000]
    print("            10k reached:", f"year {milestones[0]}" if milestones else "never")

with localcontext() as ctx:
    ctx.prec = 6
    print(Decimal(1) / Decimal(7), Decimal("1.0425") ** 10)
print(Decimal(1) / Decimal(7))
print(Decimal(2).sqrt(), Decimal("3.70").normalize(), Decimal("1E+3"), f"{Decimal('1E+3'):f}", Decimal("-0.0"))
print(divmod(Decimal("17.50"), Decimal(5)), Decimal("7") // 2, Decimal("-7") % 3, int(Decimal("9.99")), round(Decimal("2.675"), 2))
print(Decimal("12.340").as_tuple(), Decimal("NaN").is_nan(), max(Decimal("1.5"), 2), Decimal(5) == 5.0)
try:
    Decimal(1) / 0
except ZeroDivisionError as e:
    print(type(e).__name__)
