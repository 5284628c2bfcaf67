"""Threads for a process that has one: a new thread runs to its end where it is started.

What would wait for another thread to go on can only wait for ever, so it is told as an error instead.
"""

TIMEOUT_MAX = 2.0**31
MAIN = 1

error = RuntimeError


class Threads:
    """The thread that runs is the last of `running`; the others wait for it to end."""

    running = [MAIN]
    last = MAIN


def wait_for_ever():
    raise RuntimeError(
        "this would wait for ever: a thread runs to its end where it is started, and no other one goes on meanwhile; "
        "start it when what it needs is there, or use asyncio"
    )


def wait(seconds):
    # Imports need locks, and no lock can be made while this module itself is being loaded.
    import time

    time.sleep(seconds)


def get_ident():
    return Threads.running[-1]


get_native_id = get_ident


def run(function, args=(), kwargs={}, ident=None):
    if ident is None:
        ident = new_ident()
    Threads.running.append(ident)
    try:
        function(*args, **kwargs)
    except SystemExit:
        pass
    finally:
        Threads.running.pop()
    return ident


def new_ident():
    Threads.last += 1
    return Threads.last


def start_new_thread(function, args=(), kwargs={}):
    return run(function, args, kwargs)


start_new = start_new_thread


class _ThreadHandle:
    def __init__(self):
        self.ident = None
        self.done = False

    def is_done(self):
        return self.done

    def _set_done(self):
        self.done = True

    def join(self, timeout=None):
        if not self.done and timeout is None:
            wait_for_ever()


def _make_thread_handle(ident):
    handle = _ThreadHandle()
    handle.ident = ident
    return handle


def start_joinable_thread(function, handle=None, daemon=True):
    handle = handle if handle is not None else _ThreadHandle()
    handle.ident = new_ident()
    try:
        run(function, ident=handle.ident)
    finally:
        handle.done = True
    return handle


def daemon_threads_allowed():
    return True


def _get_main_thread_ident():
    return MAIN


def _is_main_interpreter():
    return True


def _shutdown():
    pass


def _count():
    return len(Threads.running) - 1


def stack_size(size=0):
    return 0


def exit():
    raise SystemExit


exit_thread = exit


def interrupt_main():
    raise KeyboardInterrupt


class lock:
    def __init__(self):
        self.is_locked = False

    def acquire(self, blocking=True, timeout=-1):
        if self.is_locked:
            if not blocking:
                return False
            if timeout < 0:
                wait_for_ever()
            wait(timeout)
            return False
        self.is_locked = True
        return True

    def release(self):
        if not self.is_locked:
            raise RuntimeError("release unlocked lock")
        self.is_locked = False

    def locked(self):
        return self.is_locked

    def _at_fork_reinit(self):
        self.is_locked = False

    def __enter__(self):
        return self.acquire()

    def __exit__(self, kind, value, trace):
        self.release()

    def __repr__(self):
        return f"<{'locked' if self.is_locked else 'unlocked'} _thread.lock object>"


LockType = lock
allocate_lock = lock
allocate = lock


class RLock:
    def __init__(self):
        self.owner = None
        self.count = 0

    def acquire(self, blocking=True, timeout=-1):
        if self.count and self.owner != get_ident():
            if not blocking:
                return False
            if timeout < 0:
                wait_for_ever()
            wait(timeout)
            return False
        self.owner = get_ident()
        self.count += 1
        return True

    def release(self):
        if not self._is_owned():
            raise RuntimeError("cannot release un-acquired lock")
        self.count -= 1

    def locked(self):
        return self.count > 0

    def _is_owned(self):
        return self.count > 0 and self.owner == get_ident()

    def _recursion_count(self):
        return self.count if self._is_owned() else 0

    def _release_save(self):
        saved = self.count
        self.count = 0
        return saved

    def _acquire_restore(self, saved):
        self.acquire()
        self.count = saved

    def _at_fork_reinit(self):
        self.count = 0

    def __enter__(self):
        return self.acquire()

    def __exit__(self, kind, value, trace):
        self.release()

    def __repr__(self):
        return f"<{'locked' if self.count else 'unlocked'} _thread.RLock object count={self.count}>"


class _local:
    """Each thread sees only what it set itself."""

    def __new__(cls, *args, **kwargs):
        self = object.__new__(cls)
        object.__setattr__(self, "_local__made", (args, kwargs))
        object.__setattr__(self, "_local__threads", {get_ident(): {}})
        return self

    def __getattribute__(self, name):
        own = values_of(self)
        if name == "__dict__":
            return own
        if name in own:
            return own[name]
        return object.__getattribute__(self, name)

    def __setattr__(self, name, value):
        values_of(self)[name] = value

    def __delattr__(self, name):
        own = values_of(self)
        if name not in own:
            raise AttributeError(name)
        del own[name]


def values_of(local):
    threads = object.__getattribute__(local, "_local__threads")
    ident = get_ident()
    if ident not in threads:
        threads[ident] = {}
        args, kwargs = object.__getattribute__(local, "_local__made")
        type(local).__init__(local, *args, **kwargs)
    return threads[ident]
