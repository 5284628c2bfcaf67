# 按给定的拼音首字母表给联系人分组,输出通讯录索引
拼音 = dict(zip("陈赵李王张周欧阳安孙", "chen zhao li wang zhang zhou ou yang an sun".split()))
联系人 = ["张明", "李华", "王强", "欧阳雪", "安宁", "赵敏", "陈晨", "周周", "王安", "孙膑", "Alice", "诸葛亮"]


def 索引(名):
    首 = 名[0]
    if 首.isascii():
        return 首.upper()
    return 拼音.get(首, "#")[0].upper()


分组 = {}
for 名 in 联系人:
    分组.setdefault(索引(名), []).append(名)

for 字母 in sorted(分组, key=lambda c: (c == "#", c)):
    名单 = sorted(分组[字母], key=lambda n: (拼音.get(n[0], n), n))
    print(f"【{字母}】" + " ".join(名单))

print("共", len(联系人), "人,", len(分组), "组")
print("复姓:", [n for n in 联系人 if n.startswith(("欧阳", "诸葛"))])
print("两字名:", sum(len(n) == 2 for n in 联系人), "最长:", max(联系人, key=len))
print(f"{'姓名':^10}|{'长度':>6}")
for n in 联系人[:3]:
    print(f"{n:^10}|{len(n):>6}|{len(n.encode('utf-8')):>6}")
print("、".join(reversed(联系人[-3:])), "张明".encode().hex())
