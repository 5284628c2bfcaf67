# What every session starts with: results that are their own data, gather with exceptions, and the report of
# variables. Names begin with _shidi_ and are hidden from programs' variable lists.
import asyncio as _shidi_asyncio
import json as _shidi_json

_shidi_plain = {type(None): 1, bool: 1, int: 1, float: 1, str: 1, list: 1, dict: 1}


# A toolkit call gives its data itself; `r.data`, `r.ok` and `r.error` are rewritten to these three.
def _shidi_data(value):
    if type(value) in _shidi_plain:
        return value
    if isinstance(value, BaseException):
        return None
    return value.data


def _shidi_ok(value):
    if type(value) in _shidi_plain:
        return True
    if isinstance(value, BaseException):
        return False
    return value.ok


def _shidi_error(value):
    if type(value) in _shidi_plain:
        return None
    if isinstance(value, BaseException):
        return str(value)
    return value.error


async def _shidi_settled(awaitable):
    try:
        return await awaitable
    except Exception as error:
        return error


async def _shidi_gather(*awaitables, return_exceptions=False):
    if return_exceptions:
        return await _shidi_asyncio.gather(*[_shidi_settled(one) for one in awaitables])
    return await _shidi_asyncio.gather(*awaitables)


# Whether JSON gives the value back: dicts with other keys than text do not.
def _shidi_faithful(value, budget):
    budget[0] -= 1
    if budget[0] < 0:
        return False
    kind = type(value)
    if kind is list or kind is tuple:
        for item in value:
            if not _shidi_faithful(item, budget):
                return False
        return True
    if kind is dict:
        for key, item in value.items():
            if type(key) is not str or not _shidi_faithful(item, budget):
                return False
        return True
    return kind in _shidi_plain


def _shidi_jsonable(value, largest, exact):
    try:
        text = _shidi_json.dumps(value, allow_nan=False)
        if len(text) > largest:
            return None
        if exact and _shidi_json.loads(text) != value and not _shidi_faithful(value, [100000]):
            return None
        return text
    except Exception:
        return None


def _shidi_text(value, json, shortest):
    try:
        if type(value) is str:
            return repr(value[:shortest])
        if json is not None and len(json) > 4 * shortest:
            return json[:shortest]
        return repr(value)[:shortest + 1]
    except Exception as error:
        return '<no text: ' + str(error)[:200] + '>'


_shidi_exact = {type(None): 1, bool: 1, int: 1, float: 1, str: 1, list: 1, dict: 1, tuple: 1}


def _shidi_show(name, value, largest, shortest):
    kind = type(value)
    exact = name != '_shidi_value'
    json = None
    if not exact or kind in _shidi_exact:
        json = _shidi_jsonable(value, largest, exact)
    return [name, kind.__name__, json, _shidi_text(value, json, shortest)]


def _shidi_report(space, hidden, largest, shortest, most):
    shown = [_shidi_show('_shidi_value', space.get('_shidi_value'), largest, shortest)]
    for name, value in space.items():
        if name[:7] == '_shidi_' or name in hidden:
            continue
        if type(value) is type(_shidi_json):
            continue
        if len(shown) > most:
            break
        shown.append(_shidi_show(name, value, largest, shortest))
    return shown
