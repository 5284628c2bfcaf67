"""Escapes text for XML. What the library's module has beyond that fetches documents, which a program cannot do."""


def escape(data, entities={}):
    return _replaced(data.replace("&", "&amp;").replace(">", "&gt;").replace("<", "&lt;"), entities)


def unescape(data, entities={}):
    # The ampersand comes last: it begins all others.
    return _replaced(data.replace("&lt;", "<").replace("&gt;", ">"), entities).replace("&amp;", "&")


def quoteattr(data, entities={}):
    data = escape(data, {**entities, "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
    if '"' not in data:
        return f'"{data}"'
    if "'" not in data:
        return f"'{data}'"
    return '"' + data.replace('"', "&quot;") + '"'


def _replaced(data, entities):
    for text, entity in entities.items():
        data = data.replace(text, entity)
    return data
