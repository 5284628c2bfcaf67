# Download twelve reports with at most four at a time and show the maximum concurrency.
import asyncio

limit = asyncio.Semaphore(4)
active = 0
peak = 0
finished = []


async def download(n):
    global active, peak
    async with limit:
        active += 1
        peak = max(peak, active)
        await asyncio.sleep(0.005)
        active -= 1
    finished.append(n)
    return n, 1000 + n * 37 % 11


async def main():
    tasks = [asyncio.create_task(download(n)) for n in range(12)]
    return await asyncio.gather(*tasks)


reports = await main()
print("peak concurrency:", peak)
print("active now:", active)
print("all finished:", sorted(finished) == list(range(12)))
print("sizes:", [size for _, size in reports])
largest = max(reports, key=lambda r: r[1])
print("largest:", largest, "total:", sum(s for _, s in reports))
