"""asyncio as far as a program can use it: tasks, futures, locks and queues of Python's own, on the loop of `events`."""

from .coroutines import *
from .events import *
from .exceptions import *
from .futures import *
from .locks import *
from .queues import *
from .runners import *
from .taskgroups import *
from .tasks import *
from .timeouts import *


async def to_thread(function, /, *positional, **named):
    """There is one thread, so the function simply runs."""
    return function(*positional, **named)
