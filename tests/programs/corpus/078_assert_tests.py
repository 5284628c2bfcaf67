# Write tiny unit tests for a slug function with assert and print a pass/fail summary.
import re
import unicodedata

def slug(text, max_length=30):
    if not isinstance(text, str):
        raise TypeError(f"expected str, got {type(text).__name__}")
    text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    text = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    return text[:max_length].rstrip("-")

def test_simple():
    assert slug("Hello, World!") == "hello-world"

def test_accents():
    assert slug("Crème Brûlée à Zürich") == "creme-brulee-a-zurich"

def test_length():
    result = slug("a very long title that goes on and on", 12)
    assert len(result) <= 12, result
    assert result == "a very-long", f"got {result!r}"

def test_type():
    try:
        slug(42)
    except TypeError as e:
        assert "int" in str(e)
    else:
        raise AssertionError("no TypeError")

def test_empty():
    assert slug("!!!") == ""
    assert slug(None)

results = {}
for name, test in list(globals().items()):
    if name.startswith("test_") and callable(test):
        try:
            test()
        except AssertionError as e:
            results[name] = f"FAIL {e}".rstrip()
        except Exception as e:
            results[name] = f"ERROR {type(e).__name__}: {e}"
        else:
            results[name] = "ok"
for name, outcome in results.items():
    print(f"{name:<14} {outcome}")
print(sum(o == "ok" for o in results.values()), "passed of", len(results))
