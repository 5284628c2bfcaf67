# Serialize objects with dates, sets and Decimals to JSON and parse them back.
import json
from datetime import date, datetime
from decimal import Decimal


class Encoder(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, (date, datetime)):
            return {"$date": o.isoformat()}
        if isinstance(o, Decimal):
            return {"$decimal": str(o)}
        if isinstance(o, (set, frozenset)):
            return sorted(o)
        return super().default(o)


def hook(obj):
    if "$date" in obj:
        return date.fromisoformat(obj["$date"])
    if "$decimal" in obj:
        return Decimal(obj["$decimal"])
    return obj


invoice = {"no": 88, "due": date(2024, 9, 30), "amount": Decimal("199.90"), "tags": {"b2b", "rush"}, "lines": (1, 2)}
text = json.dumps(invoice, cls=Encoder)
print(text)
back = json.loads(text, object_hook=hook)
print(back["due"].year, back["amount"] * 2, back["lines"])
print(back == {**invoice, "tags": ["b2b", "rush"], "lines": [1, 2]})

try:
    json.dumps({"x": object}, cls=Encoder)
except TypeError as e:
    print("TypeError:", e)
print(json.dumps({"when": datetime(2024, 1, 2, 3, 4)}, default=str))
print(json.loads("[1, 2.50, 1e3]", parse_float=Decimal))
