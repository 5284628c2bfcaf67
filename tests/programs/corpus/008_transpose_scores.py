# 把成绩表转置,并算出每科平均分、最高分和排名
table = [
    ["科目", "小明", "小红", "小刚", "小丽"],
    ["语文", 88, 92, 79, 85],
    ["数学", 95, 87, 91, 60],
    ["英语", 76, 94, 83, 90],
]

header, *subjects = table
students = header[1:]

for subject, *scores in subjects:
    avg = sum(scores) / len(scores)
    best = students[scores.index(max(scores))]
    print(f"{subject}:平均 {avg:.2f},最高 {max(scores)}({best}),最低 {min(scores)}")

transposed = [list(col) for col in zip(*table)]
for row in transposed:
    print(row)

totals = {row[0]: sum(row[1:]) for row in transposed[1:]}
ranking = sorted(totals.items(), key=lambda kv: (-kv[1], kv[0]))
for place, (name, total) in enumerate(ranking, 1):
    medal = {1: "金", 2: "银", 3: "铜"}.get(place, "—")
    print(f"第{place}名 {name} {total} 分 {medal}")

failed = [(n, transposed[0][i]) for n, *s in transposed[1:] for i, v in enumerate(s, 1) if v < 70]
print("低于70分:", failed)
