# Use async generators and async context managers to stream pages from an API.
import asyncio


class Session:
    def __init__(self, name):
        self.name = name
        self.requests = 0

    async def __aenter__(self):
        print(f"open {self.name}")
        return self

    async def __aexit__(self, exc_type, exc, tb):
        print(f"close {self.name} after {self.requests} requests", exc_type.__name__ if exc_type else "")
        return exc_type is PermissionError

    async def get(self, page):
        self.requests += 1
        await asyncio.sleep(0)
        if page > 4:
            raise PermissionError(f"page {page} is forbidden")
        data = list(range(page * 3, page * 3 + 3)) if page < 3 else []
        return {"page": page, "data": data}


async def pages(session):
    page = 0
    while True:
        reply = await session.get(page)
        if not reply["data"]:
            return
        yield reply["data"]
        page += 1


async with Session("main") as s:
    async for rows in pages(s):
        print("rows", rows)
    flat = [r async for rows in pages(s) for r in rows]
    print("flat", flat)

async with Session("limited") as s:
    await s.get(9)
    print("never printed")
print("finished")
