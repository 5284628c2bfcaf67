# Keyed hashes over the interpreter's own hashlib.
import hashlib as _shidi_hmac_hashlib


def _shidi_hmac_hash(digestmod, data=b''):
    if isinstance(digestmod, str):
        return _shidi_hmac_hashlib.new(digestmod, data)
    return digestmod(data)


def _shidi_hmac_masked(key, mask):
    return bytes.fromhex(''.join([f'{byte ^ mask:02x}' for byte in key]))


class _shidi_hmac_code:
    def __init__(self, key, msg, digestmod):
        first = _shidi_hmac_hash(digestmod)
        self._digestmod = digestmod
        self.block_size = 128 if first.name in ('sha512', 'sha384', 'blake2b') else 64
        if first.name[:4] == 'sha3':
            self.block_size = 200 - 2 * first.digest_size
        self.digest_size = first.digest_size
        self.name = 'hmac-' + first.name
        if len(key) > self.block_size:
            key = _shidi_hmac_hash(digestmod, key).digest()
        self._key = key + b'\x00' * (self.block_size - len(key))
        self._message = b'' if msg is None else msg

    def update(self, msg):
        self._message = self._message + msg

    def copy(self):
        copied = _shidi_hmac_code(b'', self._message, self._digestmod)
        copied._key = self._key
        return copied

    def digest(self):
        inner = _shidi_hmac_hash(self._digestmod, _shidi_hmac_masked(self._key, 0x36) + self._message)
        outer = _shidi_hmac_masked(self._key, 0x5c) + inner.digest()
        return _shidi_hmac_hash(self._digestmod, outer).digest()

    def hexdigest(self):
        return self.digest().hex()


def _shidi_hmac_new(key, msg=None, digestmod=''):
    if not digestmod:
        raise TypeError("Missing required argument 'digestmod'.")
    return _shidi_hmac_code(key, msg, digestmod)


def _shidi_hmac_compare(a, b):
    if isinstance(a, str):
        a = a.encode('ascii')
    if isinstance(b, str):
        b = b.encode('ascii')
    different = len(a) ^ len(b)
    for one, other in zip(a, b):
        different |= one ^ other
    return different == 0


class _shidi_hmac:
    new = _shidi_hmac_new
    compare_digest = _shidi_hmac_compare

    def digest(key, msg, digest):
        return _shidi_hmac_code(key, msg, digest).digest()
