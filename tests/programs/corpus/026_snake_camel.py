# Convert these field names between snake_case, camelCase, PascalCase and kebab-case.
import re


def words(name):
    name = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    name = re.sub(r"([a-z\d])([A-Z])", r"\1_\2", name)
    return [w.lower() for w in re.split(r"[\W_]+", name) if w]


def camel(parts):
    return parts[0] + "".join(p.capitalize() for p in parts[1:])


names = ["customerId", "HTTPServerError", "order_line_no", "is-active", "XMLParser2Json", "total Amount (EUR)", "__private"]
print(f"{'input':<20}{'snake':<22}{'camel':<20}{'Pascal':<20}kebab")
for n in names:
    w = words(n)
    print(f"{n:<20}{'_'.join(w):<22}{camel(w):<20}{''.join(map(str.capitalize, w)):<20}{'-'.join(w)}")

assert words("getURLFor") == ["get", "url", "for"]
mapping = {n: "_".join(words(n)) for n in names}
changed = {k: v for k, v in mapping.items() if k != v}
print(len(changed), "of", len(mapping), "renamed")
print(re.sub(r"_([a-z])", lambda m: m[1].upper(), "already_snake_case"))
