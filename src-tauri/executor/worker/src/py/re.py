# What the interpreter's re lacks: a flag, and the function that understands it.


class _shidi__re:
    VERBOSE = 64
    X = 64
