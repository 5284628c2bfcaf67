# 用推导式处理学生名单:分组、去重、嵌套、反转字典
students = [
    ("一班", "林峰", 91), ("二班", "何雨", 78), ("一班", "许晴", 66),
    ("三班", "高远", 88), ("二班", "罗丹", 95), ("一班", "马超", 59),
]

classes = sorted({c for c, _, _ in students}, key=lambda c: "一二三".index(c[0]))
print("班级:", classes)

by_class = {c: [(n, s) for k, n, s in students if k == c] for c in classes}
for c, members in by_class.items():
    print(c, members)

passed = [name for _, name, score in students if score >= 60]
levels = {name: "优" if score >= 90 else "良" if score >= 75 else "及格" if score >= 60 else "不及格"
          for _, name, score in students}
print("及格:", passed)
print(levels)

inverse = {}
for name, level in levels.items():
    inverse.setdefault(level, []).append(name)
print({k: len(v) for k, v in inverse.items()})

table = [[f"{i}×{j}={i * j}" for j in range(1, i + 1)] for i in range(1, 5)]
print("\n".join("  ".join(row) for row in table))

flat = [cell for row in table for cell in row if cell.endswith("6")]
print(flat)
print(any(s < 60 for *_, s in students), all(s > 50 for *_, s in students))
