# 同时查询三个快递接口,超时的标记为失败
import asyncio

接口 = {"顺丰": 0.0, "中通": 0.01, "圆通": 5.0}


async def query(company, number):
    await asyncio.sleep(接口[company])
    return {"公司": company, "单号": number, "状态": "派送中" if company == "顺丰" else "已签收"}


async def safe_query(company, number, timeout=0.2):
    try:
        return await asyncio.wait_for(query(company, number), timeout)
    except asyncio.TimeoutError:
        return {"公司": company, "单号": number, "状态": "查询超时"}


numbers = ["SF1001", "ZT2002", "YT3003"]
results = await asyncio.gather(*(safe_query(c, n) for c, n in zip(接口, numbers)))
for r in results:
    print("{公司} {单号}:{状态}".format(**r))

ok = [r for r in results if r["状态"] != "查询超时"]
print(f"成功 {len(ok)} 个,超时 {len(results) - len(ok)} 个")
print("已签收:", [r["单号"] for r in results if r["状态"] == "已签收"])
