# Show a transaction on a dict with rollback using contextlib.contextmanager.
import copy
from contextlib import contextmanager, suppress


@contextmanager
def transaction(store, label):
    backup = copy.deepcopy(store)
    print(f"begin {label}")
    try:
        yield store
    except Exception as exc:
        store.clear()
        store.update(backup)
        print(f"rollback {label}: {type(exc).__name__}: {exc}")
        raise
    else:
        print(f"commit {label}")
    finally:
        print(f"end {label}")


accounts = {"alice": {"balance": 100, "moves": []}, "bob": {"balance": 20, "moves": []}}


def transfer(src, dst, amount):
    with transaction(accounts, f"{src}->{dst}") as db:
        db[dst]["balance"] += amount
        db[dst]["moves"].append(amount)
        if db[src]["balance"] < amount:
            raise ValueError(f"{src} has only {db[src]['balance']}")
        db[src]["balance"] -= amount
        db[src]["moves"].append(-amount)


transfer("alice", "bob", 60)
for args in (("bob", "alice", 500), ("alice", "carol", 5)):
    with suppress(ValueError, KeyError):
        transfer(*args)
        print("not reached")
for name, data in accounts.items():
    print(name, data)
