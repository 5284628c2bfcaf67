# The text part of urllib: addresses taken apart, put together, quoted. Nothing here reaches a network.


_shidi_urllib_unreserved = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~'
_shidi_urllib_relative = ['', 'ftp', 'http', 'gopher', 'nntp', 'imap', 'wais', 'file', 'https', 'shttp', 'mms',
                          'prospero', 'rtsp', 'rtspu', 'sftp', 'svn', 'svn+ssh', 'ws', 'wss']
_shidi_urllib_scheme = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.'


class _shidi_urllib_result:
    def __init__(self, kind, names, parts):
        self._kind = kind
        self._fields = tuple(names)
        self._parts = tuple(parts)
        for name, part in zip(names, parts):
            setattr(self, name, part)
        place = self.netloc.rpartition('@')
        user, colon, word = place[0].partition(':')
        self.username = user if place[1] else None
        self.password = word if place[1] and colon else None
        host = place[2]
        if host[:1] == '[':
            name, _, rest = host[1:].partition(']')
            port = rest[1:]
        else:
            name, _, port = host.partition(':')
        self.hostname = name.lower() or None
        self.port = None
        if port:
            if not (port.isdigit() and port.isascii()):
                raise ValueError('Port could not be cast to integer value as ' + repr(port))
            if int(port) > 65535:
                raise ValueError('Port out of range 0-65535')
            self.port = int(port)

    def __iter__(self):
        return iter(self._parts)

    def __getitem__(self, index):
        return self._parts[index]

    def __eq__(self, other):
        if isinstance(other, _shidi_urllib_result):
            other = other._parts
        return self._parts == other

    def __hash__(self):
        return hash(self._parts)

    def __repr__(self):
        fields = [name + '=' + repr(part) for name, part in zip(self._fields, self._parts)]
        return self._kind + '(' + ', '.join(fields) + ')'

    def _asdict(self):
        return dict(zip(self._fields, self._parts))

    def _replace(self, **changed):
        for name in changed:
            if name not in self._fields:
                raise ValueError('Got unexpected field names: ' + repr([name]))
        parts = [changed.get(name, part) for name, part in zip(self._fields, self._parts)]
        return _shidi_urllib_result(self._kind, self._fields, parts)

    def geturl(self):
        if len(self._parts) == 5:
            return _shidi_urllib_unsplit(self._parts)
        return _shidi_urllib_unparse(self._parts)


def _shidi_urllib_split(url, scheme='', allow_fragments=True):
    url = url.lstrip(' \x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0b\x0c\r\x1b\x1f')
    for letter in '\t\r\n':
        url = url.replace(letter, '')
    netloc = query = fragment = ''
    colon = url.find(':')
    if colon > 0 and url[0].isascii() and url[0].isalpha():
        if all([letter in _shidi_urllib_scheme for letter in url[:colon]]):
            scheme = url[:colon].lower()
            url = url[colon + 1:]
    if url[:2] == '//':
        end = min([place for place in [url.find(mark, 2) for mark in '/?#'] if place >= 0] + [len(url)])
        netloc = url[2:end]
        url = url[end:]
        if ('[' in netloc) != (']' in netloc):
            raise ValueError('Invalid IPv6 URL')
    if allow_fragments and '#' in url:
        url, _, fragment = url.partition('#')
    if '?' in url:
        url, _, query = url.partition('?')
    return _shidi_urllib_result('SplitResult', ('scheme', 'netloc', 'path', 'query', 'fragment'),
                                (scheme, netloc, url, query, fragment))


def _shidi_urllib_params(path):
    last = path.rfind('/')
    semicolon = path.find(';', last if last >= 0 else 0)
    if semicolon < 0:
        return path, ''
    return path[:semicolon], path[semicolon + 1:]


def _shidi_urllib_urlparse(url, scheme='', allow_fragments=True):
    scheme, netloc, path, query, fragment = _shidi_urllib_split(url, scheme, allow_fragments)
    params = ''
    if scheme in ['', 'ftp', 'hdl', 'prospero', 'http', 'imap', 'https', 'shttp', 'rtsp', 'rtspu', 'sip', 'sips',
                  'mms', 'sftp', 'tel'] and ';' in path:
        path, params = _shidi_urllib_params(path)
    return _shidi_urllib_result('ParseResult', ('scheme', 'netloc', 'path', 'params', 'query', 'fragment'),
                                (scheme, netloc, path, params, query, fragment))


def _shidi_urllib_unsplit(parts):
    scheme, netloc, url, query, fragment = parts
    if netloc or (scheme and scheme in _shidi_urllib_relative and url[:2] != '//' and scheme == 'file'):
        if url and url[:1] != '/':
            url = '/' + url
        url = '//' + netloc + url
    elif url[:2] == '//':
        url = '//' + url
    if scheme:
        url = scheme + ':' + url
    if query:
        url = url + '?' + query
    if fragment:
        url = url + '#' + fragment
    return url


def _shidi_urllib_unparse(parts):
    scheme, netloc, url, params, query, fragment = parts
    if params:
        url = url + ';' + params
    return _shidi_urllib_unsplit((scheme, netloc, url, query, fragment))


def _shidi_urllib_joined_path(base, path):
    if path[:1] == '/':
        segments = path.split('/')
    else:
        start = base.split('/')
        if start[-1] != '':
            start = start[:-1]
        segments = start + path.split('/')
        segments = segments[:1] + [part for part in segments[1:-1] if part] + segments[-1:]
    resolved = []
    for part in segments:
        if part == '..':
            if resolved:
                resolved.pop()
        elif part != '.':
            resolved.append(part)
    if segments[-1] in ('.', '..'):
        resolved.append('')
    return '/'.join(resolved) or '/'


def _shidi_urllib_join(base, url, allow_fragments=True):
    if not base:
        return url
    if not url:
        return base
    old = _shidi_urllib_urlparse(base, '', allow_fragments)
    new = _shidi_urllib_urlparse(url, old.scheme, allow_fragments)
    if new.scheme != old.scheme or new.scheme not in _shidi_urllib_relative:
        return url
    if new.netloc:
        return new.geturl()
    if not new.path and not new.params:
        query = new.query or old.query
        return new._replace(netloc=old.netloc, path=old.path, params=old.params, query=query).geturl()
    return new._replace(netloc=old.netloc, path=_shidi_urllib_joined_path(old.path, new.path)).geturl()


def _shidi_urllib_quote(text, safe='/', encoding='utf-8', errors='strict'):
    if isinstance(text, str):
        text = text.encode(encoding, errors)
    if isinstance(safe, bytes):
        safe = safe.decode('ascii', 'ignore')
    quoted = []
    for byte in text:
        letter = chr(byte)
        if byte < 128 and (letter in _shidi_urllib_unreserved or letter in safe):
            quoted.append(letter)
        else:
            quoted.append(f'%{byte:02X}')
    return ''.join(quoted)


def _shidi_urllib_quote_plus(text, safe='', encoding='utf-8', errors='strict'):
    if isinstance(safe, bytes):
        safe = safe.decode('ascii', 'ignore')
    if isinstance(text, str) and ' ' not in text:
        return _shidi_urllib_quote(text, safe, encoding, errors)
    return _shidi_urllib_quote(text, safe + ' ', encoding, errors).replace(' ', '+')


def _shidi_urllib_to_bytes(text):
    if isinstance(text, str):
        text = text.encode('utf-8')
    collected = []
    index = 0
    while index < len(text):
        digits = ''.join([chr(byte) for byte in text[index + 1:index + 3]])
        if text[index] == 37 and len(digits) == 2 and all([d in '0123456789abcdefABCDEF' for d in digits]):
            collected.append(int(digits, 16))
            index += 3
        else:
            collected.append(text[index])
            index += 1
    return bytes.fromhex(''.join([f'{byte:02x}' for byte in collected]))


def _shidi_urllib_unquote(text, encoding='utf-8', errors='replace'):
    if '%' not in text:
        return text
    return _shidi_urllib_to_bytes(text).decode(encoding, errors)


def _shidi_urllib_unquote_plus(text, encoding='utf-8', errors='replace'):
    return _shidi_urllib_unquote(text.replace('+', ' '), encoding, errors)


def _shidi_urllib_encoded(value, quote_via, safe):
    return quote_via(value if isinstance(value, (str, bytes)) else str(value), safe)


def _shidi_urllib_urlencode(query, doseq=False, safe='', encoding=None, errors=None, quote_via=_shidi_urllib_quote_plus):
    pairs = list(query.items()) if isinstance(query, dict) else list(query)
    written = []
    for key, value in pairs:
        several = doseq and not isinstance(value, (str, bytes)) and isinstance(value, (list, tuple, set, frozenset))
        for one in (value if several else [value]):
            written.append(_shidi_urllib_encoded(key, quote_via, safe) + '='
                           + _shidi_urllib_encoded(one, quote_via, safe))
    return '&'.join(written)


def _shidi_urllib_parse_qsl(qs, keep_blank_values=False, strict_parsing=False, encoding='utf-8', errors='replace',
                            max_num_fields=None, separator='&'):
    if max_num_fields is not None and qs and max_num_fields < 1 + qs.count(separator):
        raise ValueError('Max number of fields exceeded')
    pairs = []
    for field in qs.split(separator):
        if not field and not strict_parsing:
            continue
        name, equals, value = field.partition('=')
        if not equals:
            if strict_parsing:
                raise ValueError('bad query field: ' + repr(field))
            if not keep_blank_values:
                continue
        if value or keep_blank_values:
            pairs.append((_shidi_urllib_unquote_plus(name, encoding, errors),
                          _shidi_urllib_unquote_plus(value, encoding, errors)))
    return pairs


def _shidi_urllib_parse_qs(qs, keep_blank_values=False, strict_parsing=False, encoding='utf-8', errors='replace',
                           max_num_fields=None, separator='&'):
    found = {}
    for name, value in _shidi_urllib_parse_qsl(qs, keep_blank_values, strict_parsing, encoding, errors,
                                               max_num_fields, separator):
        if name in found:
            found[name].append(value)
        else:
            found[name] = [value]
    return found


def _shidi_urllib_urldefrag(url):
    if '#' not in url:
        return url, ''
    parts = _shidi_urllib_urlparse(url)
    return parts._replace(fragment='').geturl(), parts.fragment


class _shidi_urllib_parse:
    urlsplit = _shidi_urllib_split
    urlparse = _shidi_urllib_urlparse
    urlunsplit = _shidi_urllib_unsplit
    urlunparse = _shidi_urllib_unparse
    urljoin = _shidi_urllib_join
    urldefrag = _shidi_urllib_urldefrag
    urlencode = _shidi_urllib_urlencode
    quote = _shidi_urllib_quote
    quote_plus = _shidi_urllib_quote_plus
    quote_from_bytes = _shidi_urllib_quote
    unquote = _shidi_urllib_unquote
    unquote_plus = _shidi_urllib_unquote_plus
    unquote_to_bytes = _shidi_urllib_to_bytes
    parse_qs = _shidi_urllib_parse_qs
    parse_qsl = _shidi_urllib_parse_qsl


class _shidi_urllib:
    parse = _shidi_urllib_parse
