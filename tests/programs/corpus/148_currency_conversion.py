# Convert expenses into EUR with Decimal rates and format each currency properly.
from collections import defaultdict
from decimal import Decimal, InvalidOperation, ROUND_HALF_EVEN

RATES = {"EUR": Decimal("1"), "USD": Decimal("1.0837"), "JPY": Decimal("162.43"), "CNY": Decimal("7.8512"), "KWD": Decimal("0.3331")}
DIGITS = {"JPY": 0, "KWD": 3}
SYMBOL = {"EUR": "€", "USD": "$", "JPY": "¥", "CNY": "CN¥"}


def fmt(amount, currency):
    places = DIGITS.get(currency, 2)
    q = amount.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_EVEN)
    sign = "-" if q < 0 else ""
    return f"{sign}{SYMBOL.get(currency, currency + ' ')}{abs(q):,}"


expenses = [("Hotel", "1,250.00", "USD"), ("Train", "13870", "JPY"), ("Dinner", "388.5", "CNY"),
            ("Refund", "-75.25", "EUR"), ("Taxi", "12,5", "EUR"), ("Visa", "6.1255", "KWD"), ("Snack", "abc", "EUR")]
totals = defaultdict(Decimal)
for what, text, currency in expenses:
    try:
        amount = Decimal(text.replace(",", "") if "." in text else text)
    except InvalidOperation:
        print(f"{what:<8} cannot read {text!r}")
        continue
    eur = amount / RATES[currency]
    totals[currency] += amount
    print(f"{what:<8}{fmt(amount, currency):>14}{fmt(eur, 'EUR'):>14}")

grand = sum((v / RATES[c] for c, v in totals.items()), Decimal())
print("Total:", fmt(grand, "EUR"), "=", fmt(grand * RATES["JPY"], "JPY"))
print({c: str(v) for c, v in sorted(totals.items())})
print([str(Decimal(x).quantize(Decimal("1"), ROUND_HALF_EVEN)) for x in ("0.5", "1.5", "2.5", "-2.5")])
