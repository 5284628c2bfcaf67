"""The loop of a program's tasks. Nothing but the supervisor can wake it: calls and sleeps are sent to it together
whenever no task can go on, and its answers, in the order in which they come, say which go on first.

Time in the loop is that of its own sleeps, so that a replay goes the same way.
"""

__all__ = (
    "AbstractEventLoop",
    "Handle",
    "TimerHandle",
    "get_event_loop",
    "set_event_loop",
    "new_event_loop",
    "get_running_loop",
    "_set_running_loop",
    "_get_running_loop",
)

import collections
import contextvars
import sys

import _border
from _asyncio import _get_running_loop, _set_running_loop, get_running_loop
from _session import State, next_number


class Handle:
    """A callback that is to run."""

    __slots__ = ("_callback", "_args", "_cancelled", "_loop", "_context", "__weakref__")

    def __init__(self, callback, args, loop, context=None):
        self._callback = callback
        self._args = args
        self._loop = loop
        self._cancelled = False
        self._context = contextvars.copy_context() if context is None else context

    def cancel(self):
        self._cancelled = True
        self._callback = self._args = None

    def cancelled(self):
        return self._cancelled

    def get_context(self):
        return self._context

    def _run(self):
        try:
            self._context.run(self._callback, *self._args)
        except (SystemExit, KeyboardInterrupt):
            raise
        except BaseException as error:
            self._loop.call_exception_handler({"message": "Exception in a callback", "exception": error})


class TimerHandle(Handle):
    """A callback that is to run once a time has passed."""

    __slots__ = ("_when", "_delay", "_number")

    def __init__(self, delay, when, callback, args, loop, context=None):
        super().__init__(callback, args, loop, context)
        self._delay = delay
        self._when = when
        self._number = next_number()

    def when(self):
        return self._when


class AbstractEventLoop:
    """What every loop is."""


class Loop(AbstractEventLoop):
    def __init__(self):
        self._ready = collections.deque()
        # Calls that were made and not yet sent: no task has waited since.
        self._unsent = []
        self._new_timers = []
        self._now = 0.0
        self._closed = False
        self._running = False
        self._debug = False
        self._handler = None

    def get_debug(self):
        return self._debug

    def set_debug(self, enabled):
        self._debug = enabled

    def time(self):
        return self._now

    def is_running(self):
        return self._running

    def is_closed(self):
        return self._closed

    def close(self):
        self._closed = True

    def stop(self):
        self._stopping = True

    def call_soon(self, callback, *args, context=None):
        handle = Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    call_soon_threadsafe = call_soon

    def call_later(self, delay, callback, *args, context=None):
        delay = max(0.0, float(delay))
        handle = TimerHandle(delay, self._now + delay, callback, args, self, context)
        self._new_timers.append(handle)
        return handle

    def call_at(self, when, callback, *args, context=None):
        return self.call_later(when - self._now, callback, *args, context=context)

    def create_future(self):
        from .futures import Future

        return Future(loop=self)

    def create_task(self, coroutine, **options):
        from .tasks import Task

        return Task(coroutine, loop=self, **options)

    async def run_in_executor(self, executor, function, *args):
        return function(*args)

    async def shutdown_asyncgens(self):
        pass

    async def shutdown_default_executor(self, timeout=None):
        pass

    def set_exception_handler(self, handler):
        self._handler = handler

    def call_exception_handler(self, context):
        if self._handler is not None:
            return self._handler(self, context)
        error = context.get("exception")
        told = f"{type(error).__name__}: {error}" if error is not None else ""
        print(f"{context.get('message', 'Error in a task')} {told}".rstrip(), file=sys.stderr)

    def ask(self, number, toolkit, method, positional, named, line):
        """A call, as the future of its answer."""
        future = self.create_future()
        self._unsent.append((number, toolkit, method, positional, named, line))
        State.open[number] = future
        return future

    def run_until_complete(self, awaitable):
        from .tasks import ensure_future

        future = ensure_future(awaitable, loop=self)
        outer, outer_loop = _get_running_loop(), State.loop
        self._stopping = False
        self._running = True
        State.loop = self
        _set_running_loop(None)
        _set_running_loop(self)
        try:
            while not future.done() and not self._stopping:
                self._turn()
        finally:
            self._running = False
            State.loop = outer_loop
            _set_running_loop(None)
            _set_running_loop(outer)
        return future.result()

    def run_forever(self):
        self.run_until_complete(self.create_future())

    def run_program(self, coroutine):
        """Runs it to its end; tasks that it left are cancelled."""
        from .tasks import all_tasks

        try:
            return self.run_until_complete(coroutine)
        finally:
            left = all_tasks(self)
            for task in left:
                task.cancel()
            if left:
                self.run_until_complete(settle(left))

    def _turn(self):
        if not self._ready:
            self._wait()
        for _ in range(len(self._ready)):
            handle = self._ready.popleft()
            if not handle._cancelled:
                handle._run()

    def _wait(self):
        """Takes one answer: what it wakes goes on before the next one is looked at, as if it had come alone."""
        answer = _border.take()
        while answer is None:
            _border.exchange(self._calls())
            answer = _border.take()
        number, is_value, given = answer
        timer = State.timers.pop(number, None)
        if timer is not None:
            timer._loop._passed(timer)
            return
        future = State.open.pop(number, None)
        if future is None or future.done():
            return
        if is_value:
            future.set_result(given)
        else:
            future.set_exception(given)

    def _calls(self):
        """What is to be sent out now."""
        calls, self._unsent = self._unsent, []
        for timer in self._new_timers:
            if not timer._cancelled:
                State.timers[timer._number] = timer
                calls.append((timer._number, "host", "sleep", (), {"seconds": timer._delay}, 0))
        self._new_timers = []
        calls.sort(key=first)
        if not calls and not State.open and all(timer._cancelled for timer in State.timers.values()):
            raise RuntimeError("every task waits for another; nothing can go on")
        return calls

    def _passed(self, timer):
        self._now = max(self._now, timer._when)
        if not timer._cancelled:
            self._ready.append(timer)


def first(call):
    return call[0]


async def settle(left):
    from .tasks import wait

    await wait(left)


_current = None


def get_event_loop():
    running = _get_running_loop()
    return running if running is not None else _kept()


def _kept():
    global _current
    if _current is None or _current.is_closed():
        _current = Loop()
    return _current


def new_event_loop():
    return Loop()


def set_event_loop(loop):
    global _current
    _current = loop
