# textwrap: wrapping, filling, shortening, and common indentation.

_shidi_textwrap_space = '\t\n\x0b\x0c\r '


def _shidi_textwrap_is_word(letter):
    return letter.isalnum() or letter == '_'


def _shidi_textwrap_is_letter(letter):
    return _shidi_textwrap_is_word(letter) and not letter.isdecimal()


def _shidi_textwrap_is_joint(letter):
    return _shidi_textwrap_is_word(letter) or letter in '!"\'&.,?'


# Where a dash of two or more, before a word, ends; 0 when there is none.
def _shidi_textwrap_dash(text, place):
    end = place
    while end < len(text) and text[end] == '-':
        end += 1
    if end - place >= 2 and end < len(text) and _shidi_textwrap_is_word(text[end]):
        return end
    return 0


# Whether a word may be broken behind the hyphen at place: two letters before it, or one behind another hyphen.
def _shidi_textwrap_breaks(text, place):
    letter = _shidi_textwrap_is_letter
    before = place >= 2 and letter(text[place - 2]) and letter(text[place - 1])
    if not before and place >= 3:
        before = letter(text[place - 3]) and text[place - 2] == '-' and _shidi_textwrap_is_joint(text[place - 1])
    if not before or place + 2 >= len(text) or not letter(text[place + 1]):
        return False
    if letter(text[place + 2]):
        return True
    return text[place + 2] == '-' and place + 3 < len(text) and letter(text[place + 3])


# The text in pieces between which a line may end.
def _shidi_textwrap_pieces(text, at_hyphens):
    pieces = []
    start = 0
    size = len(text)
    while start < size:
        end = start + 1
        if text[start] in _shidi_textwrap_space:
            while end < size and text[end] in _shidi_textwrap_space:
                end += 1
        elif not at_hyphens:
            while end < size and text[end] not in _shidi_textwrap_space:
                end += 1
        elif start > 0 and _shidi_textwrap_is_joint(text[start - 1]) and _shidi_textwrap_dash(text, start):
            end = _shidi_textwrap_dash(text, start)
        else:
            while end < size and text[end] not in _shidi_textwrap_space:
                if text[end] == '-':
                    if _shidi_textwrap_breaks(text, end):
                        end += 1
                        break
                    if _shidi_textwrap_is_joint(text[end - 1]) and _shidi_textwrap_dash(text, end):
                        break
                end += 1
        pieces.append(text[start:end])
        start = end
    return pieces


def _shidi_textwrap_ends_sentence(piece):
    if piece and piece[-1] in '"\'':
        piece = piece[:-1]
    return len(piece) >= 2 and piece[-1] in '.!?' and 'a' <= piece[-2] <= 'z'


def _shidi_textwrap_length(pieces):
    return sum([len(piece) for piece in pieces])


class _shidi_textwrap_wrapper:
    def __init__(self, width=70, initial_indent='', subsequent_indent='', expand_tabs=True,
                 replace_whitespace=True, fix_sentence_endings=False, break_long_words=True,
                 drop_whitespace=True, break_on_hyphens=True, tabsize=8, *, max_lines=None,
                 placeholder=' [...]'):
        self.width = width
        self.initial_indent = initial_indent
        self.subsequent_indent = subsequent_indent
        self.expand_tabs = expand_tabs
        self.replace_whitespace = replace_whitespace
        self.fix_sentence_endings = fix_sentence_endings
        self.break_long_words = break_long_words
        self.drop_whitespace = drop_whitespace
        self.break_on_hyphens = break_on_hyphens
        self.tabsize = tabsize
        self.max_lines = max_lines
        self.placeholder = placeholder

    def pieces(self, text):
        if self.expand_tabs:
            text = text.expandtabs(self.tabsize)
        if self.replace_whitespace:
            for space in '\t\n\x0b\x0c\r':
                text = text.replace(space, ' ')
        pieces = _shidi_textwrap_pieces(text, self.break_on_hyphens)
        if self.fix_sentence_endings:
            for place in range(1, len(pieces)):
                if pieces[place] == ' ' and _shidi_textwrap_ends_sentence(pieces[place - 1]):
                    pieces[place] = '  '
        return pieces

    # Takes what fits of a piece that is longer than a line.
    def break_long(self, rest, line, used, width):
        room = 1 if width < 1 else width - used
        if self.break_long_words:
            end = room
            piece = rest[-1]
            if self.break_on_hyphens and len(piece) > room:
                hyphen = piece.rfind('-', 0, room)
                if hyphen > 0 and piece[:hyphen].strip('-'):
                    end = hyphen + 1
            line.append(piece[:end])
            rest[-1] = piece[end:]
        elif not line:
            line.append(rest.pop())

    # Ends the text here: as much of the line as leaves room for the placeholder.
    def give_up(self, lines, line, indent, width):
        while line:
            if line[-1].strip() and _shidi_textwrap_length(line) + len(self.placeholder) <= width:
                line.append(self.placeholder)
                lines.append(indent + ''.join(line))
                return
            line.pop()
        if lines:
            before = lines[-1].rstrip()
            if len(before) + len(self.placeholder) <= self.width:
                lines[-1] = before + self.placeholder
                return
        lines.append(indent + self.placeholder.lstrip())

    def wrap(self, text):
        if self.width <= 0:
            raise ValueError('invalid width ' + repr(self.width) + ' (must be > 0)')
        if self.max_lines is not None:
            indent = self.subsequent_indent if self.max_lines > 1 else self.initial_indent
            if len(indent) + len(self.placeholder.lstrip()) > self.width:
                raise ValueError('placeholder too large for max width')
        rest = self.pieces(text)
        rest.reverse()
        lines = []
        while rest:
            indent = self.subsequent_indent if lines else self.initial_indent
            width = self.width - len(indent)
            if self.drop_whitespace and lines and not rest[-1].strip():
                rest.pop()
            line = []
            used = 0
            while rest and used + len(rest[-1]) <= width:
                used += len(rest[-1])
                line.append(rest.pop())
            if rest and len(rest[-1]) > width:
                self.break_long(rest, line, used, width)
                used = _shidi_textwrap_length(line)
            if self.drop_whitespace and line and not line[-1].strip():
                used -= len(line[-1])
                line.pop()
            if not line:
                continue
            last = not rest or (self.drop_whitespace and len(rest) == 1 and not rest[0].strip())
            room = self.max_lines is None or len(lines) + 1 < self.max_lines
            if room or (last and used <= width):
                lines.append(indent + ''.join(line))
            else:
                self.give_up(lines, line, indent, width)
                break
        return lines

    def fill(self, text):
        return '\n'.join(self.wrap(text))


class _shidi_textwrap:
    TextWrapper = _shidi_textwrap_wrapper

    def wrap(text, width=70, **kwargs):
        return _shidi_textwrap_wrapper(width=width, **kwargs).wrap(text)

    def fill(text, width=70, **kwargs):
        return _shidi_textwrap_wrapper(width=width, **kwargs).fill(text)

    def shorten(text, width, **kwargs):
        wrapper = _shidi_textwrap_wrapper(width=width, max_lines=1, **kwargs)
        return wrapper.fill(' '.join(text.strip().split()))

    def dedent(text):
        lines = [line if line.strip(' \t') else '' for line in text.split('\n')]
        margin = None
        for line in lines:
            if not line:
                continue
            indent = line[:len(line) - len(line.lstrip(' \t'))]
            if margin is None:
                margin = indent
            while not indent.startswith(margin):
                margin = margin[:-1]
        size = len(margin) if margin else 0
        return '\n'.join([line[size:] for line in lines])

    def indent(text, prefix, predicate=None):
        indented = []
        for line in text.splitlines(True):
            wanted = line.strip() if predicate is None else predicate(line)
            indented.append(prefix + line if wanted else line)
        return ''.join(indented)
