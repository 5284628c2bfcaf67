# Context managers. `contextmanager` is absent: it needs a generator.


class _shidi_contextlib_suppress:
    def __init__(self, *exceptions):
        self._exceptions = exceptions

    def __enter__(self):
        return None

    def __exit__(self, kind, error, trace):
        return error is not None and isinstance(error, self._exceptions)


class _shidi_contextlib_closing:
    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, kind, error, trace):
        self.thing.close()


class _shidi_contextlib_null:
    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, kind, error, trace):
        return None


class _shidi_contextlib_stack:
    def __init__(self):
        self._exits = []

    def __enter__(self):
        return self

    def enter_context(self, manager):
        entered = manager.__enter__()
        self._exits.append(manager.__exit__)
        return entered

    def push(self, exit):
        self._exits.append(exit.__exit__ if hasattr(exit, '__exit__') else exit)
        return exit

    def callback(self, function, *args, **kwargs):
        def leave(kind, error, trace):
            function(*args, **kwargs)
        self._exits.append(leave)
        return function

    def pop_all(self):
        other = _shidi_contextlib_stack()
        other._exits = self._exits
        self._exits = []
        return other

    def close(self):
        self.__exit__(None, None, None)

    # What an exit raises takes the place of what was raised before, as in CPython.
    def __exit__(self, kind, error, trace):
        pending = error
        handled = False
        while self._exits:
            leave = self._exits.pop()
            try:
                if leave(None if pending is None else type(pending), pending, None) and pending is not None:
                    pending = None
                    handled = True
            except BaseException as raised:
                pending = raised
                handled = False
        if pending is not None and pending is not error:
            raise pending
        return handled and pending is None


class _shidi_contextlib:
    suppress = _shidi_contextlib_suppress
    closing = _shidi_contextlib_closing
    nullcontext = _shidi_contextlib_null
    ExitStack = _shidi_contextlib_stack
