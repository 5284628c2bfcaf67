# Compute this invoice with Decimal: discounts, two VAT rates, rounding to cents.
from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")
lines = [
    ("Consulting (h)", "12.5", "95.00", "0.19", "0"),
    ("Books", "3", "24.99", "0.07", "0.05"),
    ("Travel (km)", "183", "0.30", "0.19", "0"),
    ("Licence", "1", "1249.00", "0.19", "0.125"),
]


def money(value):
    return value.quantize(CENT, rounding=ROUND_HALF_UP)


net_by_rate = {}
print(f"{'Item':<16}{'Qty':>6}{'Price':>10}{'Disc':>8}{'Net':>12}")
for item, qty, price, rate, discount in lines:
    qty, price, rate, discount = map(Decimal, (qty, price, rate, discount))
    net = money(qty * price * (1 - discount))
    net_by_rate[rate] = net_by_rate.get(rate, Decimal(0)) + net
    print(f"{item:<16}{qty:>6}{price:>10}{discount:>8.1%}{net:>12,}")

subtotal = sum(net_by_rate.values())
print(f"{'Subtotal':<40}{subtotal:>12,}")
total = subtotal
for rate, net in sorted(net_by_rate.items()):
    vat = money(net * rate)
    total += vat
    print(f"{f'VAT {rate:.0%} on {net}':<40}{vat:>12,}")
print(f"{'Total EUR':<40}{total:>12,}")
print(f"Due with 2% cash discount: {money(total * Decimal('0.98'))}")
