# 会议室预订:检查冲突,按时间排序,算出最多同时需要几间会议室
预订 = [("市场周会", 9, 10.5), ("面试", 10, 11), ("产品评审", 10.5, 12), ("培训", 9.5, 12), ("复盘", 14, 15), ("客户来访", 14.5, 16)]


def 钟(h):
    return f"{int(h):02d}:{int(h % 1 * 60):02d}"


按时间 = sorted(预订, key=lambda b: (b[1], b[2]))
for 名, 始, 终 in 按时间:
    条 = "".join("█" if 始 <= 9 + i / 2 < 终 else "·" for i in range(14))
    print(f"{钟(始)}-{钟(终)} {条} {名}")

冲突 = [(a[0], b[0]) for i, a in enumerate(按时间) for b in 按时间[i + 1:] if b[1] < a[2]]
print(f"冲突 {len(冲突)} 对:", 冲突)

事件 = sorted([(s, 1) for _, s, _ in 预订] + [(e, -1) for _, _, e in 预订])
当前 = 最多 = 0
for 时刻, 变化 in 事件:
    当前 += 变化
    if 当前 > 最多:
        最多, 高峰 = 当前, 时刻
print(f"最多同时 {最多} 场,高峰从 {钟(高峰)} 开始")

房间 = []
for 名, 始, 终 in 按时间:
    for 房 in 房间:
        if 房[-1][2] <= 始:
            房.append((名, 始, 终))
            break
    else:
        房间.append([(名, 始, 终)])
for 号, 房 in enumerate(房间, 101):
    print(f"会议室{号}:", " → ".join(名 for 名, *_ in 房), f"使用 {sum(e - s for _, s, e in 房):g} 小时")
