# Use namedtuples for stock positions with sorting, replace and totals.
from collections import namedtuple
from typing import NamedTuple

Position = namedtuple("Position", "ticker shares price", defaults=[0.0])


class Trade(NamedTuple):
    ticker: str
    side: str
    shares: int
    price: float = 0.0

    @property
    def cash(self):
        return self.shares * self.price * (-1 if self.side == "buy" else 1)


trades = [Trade("ACME", "buy", 100, 12.5), Trade("ZETA", "buy", 40, 88.0),
          Trade("ACME", "sell", 30, 15.0), Trade(*"GIFT buy 5".split()[:2], shares=5)]
holdings = {}
for t in trades:
    sign = 1 if t.side == "buy" else -1
    current = holdings.get(t.ticker, Position(t.ticker, 0))
    holdings[t.ticker] = current._replace(shares=current.shares + sign * t.shares, price=t.price or current.price)

for p in sorted(holdings.values(), key=lambda p: p.shares * p.price, reverse=True):
    ticker, shares, price = p
    print(f"{ticker:<5}{shares:>5} x {price:>6.2f} = {shares * price:>9.2f}")
print(p, p[0], p._fields, p._asdict())
print(trades[0])
print("cash:", sum(t.cash for t in trades))
print(Position("A", 1) == ("A", 1, 0.0), Position("A", 1) < Position("B", 0), hash(Position("A", 1)) == hash(("A", 1, 0.0)))
try:
    p.shares = 3
except AttributeError as e:
    print("immutable:", type(e).__name__)
print(Position._make(["X", 2, 3.5]), max(trades, key=lambda t: t.cash).ticker)
