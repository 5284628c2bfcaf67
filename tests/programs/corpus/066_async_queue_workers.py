# Make a producer/consumer with asyncio.Queue and two workers.
import asyncio


async def producer(queue, items):
    for item in items:
        await queue.put(item)
    for _ in range(2):
        await queue.put(None)


async def worker(name, queue, out):
    handled = 0
    while (item := await queue.get()) is not None:
        await asyncio.sleep(0)
        out.append((item, item ** 2))
        handled += 1
    return handled


queue = asyncio.Queue(maxsize=3)
out = []
_, a, b = await asyncio.gather(
    producer(queue, range(1, 9)),
    worker("w1", queue, out),
    worker("w2", queue, out),
)
print("handled:", a + b)
for n, square in sorted(out):
    print(f"{n}^2 = {square}")
print("queue empty:", queue.empty(), "size:", queue.qsize())
