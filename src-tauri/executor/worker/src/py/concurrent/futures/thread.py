"""A pool of threads for a process that has one: what is submitted runs at once, and its future is done."""

from concurrent.futures import _base


class BrokenThreadPool(_base.BrokenExecutor):
    """An initializer failed."""


class ThreadPoolExecutor(_base.Executor):
    def __init__(self, max_workers=None, thread_name_prefix="", initializer=None, initargs=(), **context):
        if max_workers is not None and max_workers <= 0:
            raise ValueError("max_workers must be greater than 0")
        if initializer is not None and not callable(initializer):
            raise TypeError("initializer must be a callable")
        self._initializer = initializer
        self._initargs = initargs
        self._max_workers = max_workers or 1
        self._is_shut = False

    def submit(self, fn, /, *args, **kwargs):
        if self._is_shut:
            raise RuntimeError("cannot schedule new futures after shutdown")
        if self._initializer is not None:
            initializer, self._initializer = self._initializer, None
            try:
                initializer(*self._initargs)
            except Exception as error:
                raise BrokenThreadPool("A thread initializer failed, the thread pool is not usable anymore") from error
        future = _base.Future()
        future.set_running_or_notify_cancel()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future

    def shutdown(self, wait=True, *, cancel_futures=False):
        self._is_shut = True
