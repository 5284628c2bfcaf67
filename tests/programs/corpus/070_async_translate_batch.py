# 并发翻译一批词条,缓存重复的词,保持原来的顺序
import asyncio

字典 = {"发票": "invoice", "合同": "contract", "报销": "reimbursement", "会议纪要": "meeting minutes"}
缓存 = {}
调用次数 = 0


async def 翻译(词):
    global 调用次数
    if 词 in 缓存:
        return await 缓存[词]
    缓存[词] = asyncio.ensure_future(远程(词))
    return await 缓存[词]


async def 远程(词):
    global 调用次数
    调用次数 += 1
    await asyncio.sleep(0.002)
    return 字典.get(词, f"[{词}]")


词条 = ["发票", "合同", "发票", "报销", "加班", "会议纪要", "合同"]
结果 = await asyncio.gather(*map(翻译, 词条))
for 原, 译 in zip(词条, 结果):
    print(f"{原} → {译}")
print(f"词条 {len(词条)} 个,实际调用 {调用次数} 次")
未知 = [原 for 原, 译 in zip(词条, 结果) if 译.startswith("[")]
print("未收录:", 未知 or "无")
