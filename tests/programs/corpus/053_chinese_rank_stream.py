# 模拟逐行读取销售流水,用生成器实时更新排行榜前三名
流水 = """
杭州店 3200
成都店 1800
杭州店 900
西安店 4100
成都店 2600
武汉店 x
西安店 -500
武汉店 3950
"""


def 读取(文本):
    for 行 in 文本.strip().split("\n"):
        店, 额 = 行.split()
        if not 额.lstrip("-").isdigit():
            print(f"  跳过无效记录:{行}")
            continue
        yield 店, int(额)


def 排行(记录, 前=3):
    累计 = {}
    for 店, 额 in 记录:
        累计[店] = 累计.get(店, 0) + 额
        名次 = sorted(累计.items(), key=lambda x: -x[1])[:前]
        yield 名次


for 次, 名次 in enumerate(排行(读取(流水)), 1):
    print(f"第{次}笔:", " > ".join(f"{店}{额}" for 店, 额 in 名次))

最终 = 名次
冠军, *其余 = 最终
print("冠军:", 冠军[0], "领先", 冠军[1] - 其余[0][1])
