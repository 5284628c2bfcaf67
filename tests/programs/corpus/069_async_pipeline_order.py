# Start tasks with different delays and print them in the order they complete.
import asyncio


async def step(name, ticks):
    for _ in range(ticks):
        await asyncio.sleep(0.01)
    return name


tasks = {
    asyncio.create_task(step("slow", 9)): "S",
    asyncio.create_task(step("fast", 1)): "F",
    asyncio.create_task(step("medium", 5)): "M",
}
order = []
for finished in asyncio.as_completed(tasks):
    order.append(await finished)
print("completion order:", order)
print("labels:", [label for task, label in tasks.items() if task.done()])

background = asyncio.create_task(step("forever", 10_000))
await asyncio.sleep(0)
background.cancel()
try:
    await background
except asyncio.CancelledError:
    print("cancelled:", background.cancelled())

done, pending = await asyncio.wait(
    [asyncio.create_task(step("x", 1)), asyncio.create_task(step("y", 200))],
    return_when=asyncio.FIRST_COMPLETED,
)
print([t.result() for t in done], len(pending))
for t in pending:
    t.cancel()
