# Fill a letter template with {{placeholders}}, support defaults like {{name|there}} and report missing ones.
import re

template = """Dear {{ title }} {{last_name}},

your order {{order.id}} of {{order.date|an unknown date}} ships to {{city|your address}}.
{{#unused}} Total: {{order.total}} {{currency|EUR}}
Regards, {{agent}}"""

data = {
    "title": "Dr.",
    "last_name": "Østergård",
    "order": {"id": "A-77", "total": 1299.5},
}

missing = []


def lookup(path):
    value = data
    for part in path.split("."):
        if not isinstance(value, dict) or part not in value:
            return None
        value = value[part]
    return value


def replace(match):
    path, default = match.group(1), match.group(2)
    value = lookup(path)
    if value is None:
        if default is None:
            missing.append(path)
            return match.group(0)
        return default.strip()
    return f"{value:,.2f}" if isinstance(value, float) else str(value)


result = re.sub(r"\{\{\s*([\w.]+)\s*(?:\|([^}]*))?\}\}", replace, template)
print(result)
print("---")
print("missing:", missing)
print("left over:", re.findall(r"\{\{.*?\}\}", result))
