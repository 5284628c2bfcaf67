# Write a bank account class with deposits, withdrawals, interest and a statement.
class InsufficientFunds(Exception):
    def __init__(self, needed, available):
        super().__init__(f"need {needed:.2f}, only {available:.2f} available")
        self.missing = needed - available

class Account:
    count = 0

    def __init__(self, owner, balance=0.0):
        self.owner = owner
        self._balance = balance
        self.history = []
        Account.count += 1

    @property
    def balance(self):
        return round(self._balance, 2)

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("deposit must be positive")
        self._balance += amount
        self.history.append(("deposit", amount))
        return self

    def withdraw(self, amount):
        if amount > self._balance:
            raise InsufficientFunds(amount, self._balance)
        self._balance -= amount
        self.history.append(("withdraw", -amount))
        return self

    def __repr__(self):
        return f"{type(self).__name__}({self.owner!r}, {self.balance})"

class Savings(Account):
    rate = 0.02

    def add_interest(self):
        return self.deposit(self._balance * self.rate)

acct = Savings("Mina", 500)
acct.deposit(250.25).withdraw(100).add_interest()
print(acct)
for kind, amount in acct.history:
    print(f"{kind:<10}{amount:>10.2f}")
for action, amount in ((acct.withdraw, 5000), (acct.deposit, -1)):
    try:
        action(amount)
    except (InsufficientFunds, ValueError) as e:
        print(type(e).__name__, "-", e, getattr(e, "missing", ""))
print(Account.count, isinstance(acct, Account), acct.balance)
