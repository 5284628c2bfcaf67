# Check these passwords against our policy and explain each failure.
import re

RULES = [
    (r".{10,}", "at least 10 characters"),
    (r"[A-Z]", "an upper case letter"),
    (r"[a-z]", "a lower case letter"),
    (r"\d", "a digit"),
    (r"[^\w\s]", "a special character"),
]
FORBIDDEN = re.compile(r"(.)\1{2,}|pass(?:word)?|1234", re.I)


def check(password):
    problems = [f"needs {text}" for pattern, text in RULES if not re.search(pattern, password)]
    if bad := FORBIDDEN.search(password):
        problems.append(f"contains {bad.group(0)!r}")
    return problems


candidates = ["hello", "Password2024!", "Tr0ub4dor&3x", "AAAbbb111!!!", "correct horse 7 Battery;"]
ok = 0
for candidate in candidates:
    problems = check(candidate)
    ok += not problems
    score = len(RULES) - len(problems)
    print(f"{candidate:<26} {'OK' if not problems else 'weak'} ({score}/5)")
    for p in problems:
        print("    -", p)
print(f"{ok}/{len(candidates)} accepted")
