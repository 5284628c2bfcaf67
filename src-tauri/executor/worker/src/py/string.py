# string: constants of letters, capwords, and Template.

_shidi_string_lower = 'abcdefghijklmnopqrstuvwxyz'
_shidi_string_upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
_shidi_string_digits = '0123456789'
_shidi_string_punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
_shidi_string_space = ' \t\n\r\x0b\x0c'


# Pieces of a template: ('text', t), ('name', n, as written), ('wrong', place behind the sign).
def _shidi_string_pieces(template):
    first = _shidi_string_lower + _shidi_string_upper + '_'
    later = first + _shidi_string_digits
    pieces = []
    place = 0
    while True:
        sign = template.find('$', place)
        if sign < 0:
            pieces.append(('text', template[place:]))
            return pieces
        pieces.append(('text', template[place:sign]))
        after = template[sign + 1:sign + 2]
        start = sign + 2 if after == '{' else sign + 1
        end = start
        while end < len(template) and template[end] in (later if end > start else first):
            end += 1
        if after == '$':
            pieces.append(('text', '$'))
            place = sign + 2
        elif after == '{' and end > start and template[end:end + 1] == '}':
            pieces.append(('name', template[start:end], template[sign:end + 1]))
            place = end + 1
        elif after != '{' and end > start:
            pieces.append(('name', template[start:end], template[sign:end]))
            place = end
        else:
            pieces.append(('wrong', sign + 1))
            pieces.append(('text', '$'))
            place = sign + 1


def _shidi_string_wrong(template, place):
    lines = template[:place].splitlines(True)
    column = place - len(''.join(lines[:-1]))
    line = len(lines)
    return ValueError('Invalid placeholder in string: line %d, col %d' % (line, column))


class _shidi_string_template:
    def __init__(self, template):
        self.template = template

    def substitute(self, mapping={}, /, **kws):
        text = ''
        for piece in _shidi_string_pieces(self.template):
            if piece[0] == 'wrong':
                raise _shidi_string_wrong(self.template, piece[1])
            if piece[0] == 'name':
                text += str(kws[piece[1]] if piece[1] in kws else mapping[piece[1]])
            else:
                text += piece[1]
        return text

    def safe_substitute(self, mapping={}, /, **kws):
        text = ''
        for piece in _shidi_string_pieces(self.template):
            if piece[0] == 'name':
                if piece[1] in kws:
                    text += str(kws[piece[1]])
                elif piece[1] in mapping:
                    text += str(mapping[piece[1]])
                else:
                    text += piece[2]
            elif piece[0] == 'text':
                text += piece[1]
        return text

    def is_valid(self):
        for piece in _shidi_string_pieces(self.template):
            if piece[0] == 'wrong':
                return False
        return True

    def get_identifiers(self):
        names = []
        for piece in _shidi_string_pieces(self.template):
            if piece[0] == 'wrong':
                pass
            elif piece[0] == 'name' and piece[1] not in names:
                names.append(piece[1])
        return names


class _shidi_string:
    ascii_lowercase = _shidi_string_lower
    ascii_uppercase = _shidi_string_upper
    ascii_letters = _shidi_string_lower + _shidi_string_upper
    digits = _shidi_string_digits
    hexdigits = _shidi_string_digits + 'abcdefABCDEF'
    octdigits = '01234567'
    punctuation = _shidi_string_punctuation
    whitespace = ' \t\n\r\x0b\x0c'
    printable = (_shidi_string_digits + _shidi_string_lower + _shidi_string_upper
                 + _shidi_string_punctuation + ' \t\n\r\x0b\x0c')
    Template = _shidi_string_template

    def capwords(s, sep=None):
        joint = ' ' if sep is None else sep
        return joint.join([word.capitalize() for word in s.split(sep)])
