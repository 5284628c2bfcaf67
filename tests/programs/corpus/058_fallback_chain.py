# Try several data sources in order and fall back to the cache; record which source answered.
cache = {"EUR/USD": 1.0812}


def primary(pair):
    raise TimeoutError("primary timed out")


def secondary(pair):
    table = {"EUR/GBP": 0.8554, "EUR/JPY": "n/a"}
    return float(table[pair])


def cached(pair):
    if pair in cache:
        return cache[pair]
    raise LookupError(f"no cached rate for {pair}")


SOURCES = [primary, secondary, cached]


def get_rate(pair):
    errors = []
    for source in SOURCES:
        try:
            rate = source(pair)
        except TimeoutError as e:
            errors.append(f"{source.__name__}: timeout")
        except LookupError as e:
            errors.append(f"{source.__name__}: {e.__class__.__name__} {e.args[0]!r}")
        except ValueError as e:
            errors.append(f"{source.__name__}: {e}")
        else:
            cache[pair] = rate
            return rate, source.__name__, errors
    raise RuntimeError("; ".join(errors))


for pair in ["EUR/USD", "EUR/GBP", "EUR/JPY", "EUR/CHF"]:
    try:
        rate, origin, errors = get_rate(pair)
        print(f"{pair}: {rate:.4f} from {origin} after {len(errors)} error(s)")
        for e in errors:
            print("   ", e)
    except RuntimeError as e:
        print(f"{pair}: FAILED -> {e}")
print(sorted(cache))
