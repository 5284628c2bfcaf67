# Split a restaurant bill fairly to the cent, with tip and different shares; nobody should lose a cent.
from decimal import ROUND_DOWN, Decimal


def split(total, weights):
    total = Decimal(total)
    parts = {}
    weight_sum = sum(weights.values())
    for name, w in weights.items():
        parts[name] = (total * w / weight_sum).quantize(Decimal("0.01"), rounding=ROUND_DOWN)
    rest = total - sum(parts.values())
    order = sorted(weights, key=lambda n: (-(total * weights[n] / weight_sum % Decimal("0.01")), n))
    for name in order[: int(rest / Decimal("0.01"))]:
        parts[name] += Decimal("0.01")
    return parts


bill = Decimal("100.00")
tip = bill * Decimal("15") / 100
print("total", bill + tip)
for weights in ({"Ann": 1, "Bob": 1, "Cy": 1}, {"Ann": 2, "Bob": 1, "Cy": 4}, {"Solo": 1}):
    parts = split(bill + tip, weights)
    shown = ", ".join(f"{n} {v}" for n, v in parts.items())
    print(f"{shown} | sum {sum(parts.values())} {sum(parts.values()) == bill + tip}")
print(split("0.05", {"a": 1, "b": 1, "c": 1}))
print(0.1 + 0.2, Decimal("0.1") + Decimal("0.2"), Decimal(0.1) == Decimal("0.1"), Decimal("1.10") == Decimal("1.1"))
paid = {"Ann": Decimal("80"), "Bob": Decimal("35"), "Cy": Decimal("0")}
owed = split(bill + tip, dict.fromkeys(paid, 1))
balance = {n: paid[n] - owed[n] for n in paid}
print({n: str(b) for n, b in balance.items()}, sum(balance.values()))
