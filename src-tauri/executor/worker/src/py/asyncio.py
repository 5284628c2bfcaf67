# What the interpreter's asyncio lacks and can be said truly without a loop of tasks.


class _shidi__asyncio:
    TimeoutError = TimeoutError
