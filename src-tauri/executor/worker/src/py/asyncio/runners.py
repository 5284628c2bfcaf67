"""Runs a coroutine on a loop of its own; also inside another loop, since programs of a session stand in one already."""

__all__ = ("run", "Runner")

from . import coroutines, events, tasks


def run(main, *, debug=None, loop_factory=None):
    with Runner(debug=debug, loop_factory=loop_factory) as runner:
        return runner.run(main)


class Runner:
    def __init__(self, *, debug=None, loop_factory=None):
        self._loop = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def get_loop(self):
        if self._loop is None:
            self._loop = events.new_event_loop()
        return self._loop

    def run(self, coroutine, *, context=None):
        if not coroutines.iscoroutine(coroutine):
            raise ValueError(f"a coroutine was expected, got {coroutine!r}")
        loop = self.get_loop()
        outer = events._get_running_loop()
        task = tasks.current_task(outer) if outer is not None else None
        if task is not None:
            tasks._leave_task(outer, task)
        try:
            return loop.run_program(coroutine)
        finally:
            if task is not None:
                tasks._enter_task(outer, task)

    def close(self):
        if self._loop is not None:
            self._loop.close()
            self._loop = None
