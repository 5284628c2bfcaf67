"""Signals as far as the library asks for them: nobody sends any to a program."""

SIG_DFL = 0
SIG_IGN = 1
SIGINT = 2
SIGABRT = 6
SIGALRM = 14
SIGTERM = 15

_handlers = {}


def signal(number, handler):
    before = _handlers.get(number, SIG_DFL)
    _handlers[number] = handler
    return before


def getsignal(number):
    return _handlers.get(number, SIG_DFL)


def default_int_handler(number, frame):
    raise KeyboardInterrupt
