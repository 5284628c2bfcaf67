# Compute weighted grades, drop the lowest quiz, curve the results and make letter grades.
from statistics import mean, median

WEIGHTS = {"quizzes": 0.25, "midterm": 0.30, "final": 0.45}
students = {
    "Amara": {"quizzes": [8, 9, 10, 4], "midterm": 78, "final": 84},
    "Björn": {"quizzes": [10, 10, 9, 9], "midterm": 92, "final": 95.5},
    "Chloé": {"quizzes": [5, 0, 6, 7], "midterm": 61, "final": 58},
    "Dmitri": {"quizzes": [7, 8, 8, 8], "midterm": None, "final": 73},
}
assert abs(sum(WEIGHTS.values()) - 1) < 1e-9


def score(record):
    quizzes = sorted(record["quizzes"])[1:]
    parts = {"quizzes": mean(quizzes) * 10, "midterm": record["midterm"], "final": record["final"]}
    available = {k: v for k, v in parts.items() if v is not None}
    weight = sum(WEIGHTS[k] for k in available)
    return sum(v * WEIGHTS[k] for k, v in available.items()) / weight


def letter(points):
    for limit, grade in ((90, "A"), (80, "B"), (70, "C"), (60, "D")):
        if points >= limit:
            plus = "+" if points - limit >= 7 else "-" if points - limit < 3 else ""
            return grade + plus
    return "F"


raw = {name: score(r) for name, r in students.items()}
bonus = max(0, 75 - median(raw.values()))
print(f"class median {median(raw.values()):.2f}, mean {mean(raw.values()):.2f}, curve +{bonus:.2f}")
for name, points in sorted(raw.items(), key=lambda kv: kv[1], reverse=True):
    curved = min(100, points + bonus)
    note = "*" if None in students[name].values() else ""
    print(f"{name + note:<8}{points:>7.2f}{curved:>8.2f} {letter(curved):<3}{'#' * int(curved // 5)}")
needed = (80 - raw["Chloé"] * 0.5) / 0.5
print("Chloé needs", f"{needed:.1f}" if needed <= 100 else "more than 100", "in the make-up exam for a B")
passed = [n for n, p in raw.items() if p >= 60]
print(len(passed), "passed:", ", ".join(passed))
