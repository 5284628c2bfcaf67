"""The XML parser beneath `xml.etree`, `xml.dom` and `plistlib`, with expat's interface, over the native `_markup`.

It reads what is fed to it and nothing else: an entity that is a file or an address is never opened.
"""

import codecs as _codecs
import re as _re
import types as _types

__all__ = [
    "EXPAT_VERSION",
    "ErrorString",
    "ExpatError",
    "ParserCreate",
    "XMLParserType",
    "XML_PARAM_ENTITY_PARSING_ALWAYS",
    "XML_PARAM_ENTITY_PARSING_NEVER",
    "XML_PARAM_ENTITY_PARSING_UNLESS_STANDALONE",
    "error",
    "errors",
    "features",
    "model",
    "native_encoding",
    "version_info",
]

EXPAT_VERSION = "expat_2.7.1"
version_info = (2, 7, 1)
native_encoding = "UTF-8"
features = []
XML_PARAM_ENTITY_PARSING_NEVER, XML_PARAM_ENTITY_PARSING_UNLESS_STANDALONE, XML_PARAM_ENTITY_PARSING_ALWAYS = 0, 1, 2

_MESSAGES = {
    3: "no element found",
    4: "not well-formed (invalid token)",
    7: "mismatched tag",
    8: "duplicate attribute",
    9: "junk after document element",
    11: "undefined entity",
    18: "unknown encoding",
    27: "unbound prefix",
    36: "parsing finished",
}
# Beginnings of the reader's own messages, with expat's number for each.
_KINDS = (
    ("no element found", 3),
    ("Unexpected end of stream", 3),
    ("Unexpected closing tag", 7),
    ("Attribute '", 8),
    ("Unexpected characters outside", 9),
    ("multiple elements on top level", 9),
    ("unknown encoding", 18),
    ("parsing finished", 36),
    ("Undefined entity", 11),
    ("Unexpected entity", 11),
    ("Element ", 27),
    ("Attribute ", 27),
)
_NOT_WELL_FORMED = 4
_HEAD_BYTES = 256
"""Within these stands the declaration that names the encoding."""
_ALWAYS_READ = 1 << 16
"""A document of as many characters is read at every piece that comes; a longer one when it has grown by half."""
_ENTITY = _re.compile(r"<!ENTITY\s+(%\s+)?(\S+)\s+(?:\"([^\"]*)\"|'([^']*)')")
_DOCTYPE = _re.compile(
    r"<!DOCTYPE\s+([^\s\[>]+)(?:\s+(?:PUBLIC\s+(?:\"([^\"]*)\"|'([^']*)')|SYSTEM))?(?:\s+(?:\"([^\"]*)\"|'([^']*)'))?"
)
_DECLARED = _re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)")


class ExpatError(Exception):
    __module__ = "xml.parsers.expat"


error = ExpatError
model = _types.ModuleType("pyexpat.model")
errors = _types.ModuleType("pyexpat.errors")
errors.messages = _MESSAGES
errors.codes = {text: code for code, text in _MESSAGES.items()}


def ErrorString(code):
    return _MESSAGES.get(code)


class XMLParserType:
    """A parser; its handlers are attributes that a program sets."""

    buffer_size = 8192
    buffer_text = namespace_prefixes = ordered_attributes = specified_attributes = False
    CurrentLineNumber = ErrorLineNumber = 1
    CurrentColumnNumber = ErrorColumnNumber = ErrorCode = 0
    CurrentByteIndex = ErrorByteIndex = -1
    StartElementHandler = EndElementHandler = CharacterDataHandler = CommentHandler = None
    ProcessingInstructionHandler = StartCdataSectionHandler = EndCdataSectionHandler = None
    StartNamespaceDeclHandler = EndNamespaceDeclHandler = None
    StartDoctypeDeclHandler = EndDoctypeDeclHandler = EntityDeclHandler = None
    DefaultHandler = DefaultHandlerExpand = ExternalEntityRefHandler = XmlDeclHandler = None
    ElementDeclHandler = AttlistDeclHandler = NotationDeclHandler = UnparsedEntityDeclHandler = None
    NotStandaloneHandler = SkippedEntityHandler = None

    def __init__(self, encoding, separator, intern):
        self.intern = {} if intern is None else intern
        self._encoding = encoding
        self._separator = separator
        self._base = None
        self._head = b""
        self._decoder = None
        self._document = ""
        self._read_to = self._told = 0
        self._open = []
        self._is_over = self._is_busy = False

    def Parse(self, data, isfinal=False):
        if self._is_busy:
            raise RuntimeError("Parse() called from a handler of the same parser")
        if self._is_over:
            self._fail("parsing finished", self.CurrentLineNumber, self.CurrentColumnNumber)
        self._document += data if isinstance(data, str) else self._decoded(bytes(data), isfinal)
        grown = len(self._document) - self._read_to
        if isfinal or len(self._document) < _ALWAYS_READ or grown * 2 > self._read_to:
            self._read(isfinal)
        return 1

    def ParseFile(self, file):
        return self.Parse(file.read(), True)

    def SetBase(self, base):
        self._base = base

    def GetBase(self):
        return self._base

    def GetInputContext(self):
        return None

    def SetParamEntityParsing(self, flag):
        return 1

    def UseForeignDTD(self, flag=True):
        pass

    def GetReparseDeferralEnabled(self):
        return False

    def SetReparseDeferralEnabled(self, enabled):
        pass

    def _decoded(self, data, isfinal):
        """The text of a further piece, in the encoding that the document names at its start."""
        if self._decoder is None:
            self._head += data
            is_cut = b">" not in self._head and len(self._head) < _HEAD_BYTES
            if is_cut and not isfinal and (self._head[:5] == b"<?xml"[: len(self._head)]):
                return ""
            data, self._head = self._head, b""
            try:
                self._decoder = _codecs.getincrementaldecoder(self._encoding or _named_encoding(data))()
            except LookupError:
                self._fail("unknown encoding", 1, 0)
        try:
            return self._decoder.decode(data, isfinal)
        except UnicodeDecodeError:
            self._fail(_MESSAGES[_NOT_WELL_FORMED], self._document.count("\n") + 1, 0)

    def _read(self, isfinal):
        import _markup

        self._read_to = len(self._document)
        self._is_busy = True
        try:
            fault = _markup.read(self._document.removeprefix("\ufeff"), self._told, self._event)
        finally:
            self._is_busy = False
        if isfinal:
            self._is_over = True
            if fault is not None:
                self._fail(*fault)

    def _fail(self, why, line, column):
        number = next((number for start, number in _KINDS if why.startswith(start)), _NOT_WELL_FORMED)
        raised = ExpatError(f"{_MESSAGES[number]}: line {line}, column {column}")
        raised.code = self.ErrorCode = number
        raised.lineno = self.ErrorLineNumber = line
        raised.offset = self.ErrorColumnNumber = column
        raise raised

    def _event(self, name, line, column, *parts):
        # Counted before the handler, which may raise: no event is reported twice.
        self._told += 1
        self.CurrentLineNumber, self.CurrentColumnNumber = line, column
        getattr(self, "_" + name)(*parts)

    def _name(self, name):
        prefix, local, uri = name
        if self._separator is None:
            made = f"{prefix}:{local}" if prefix else local
        elif not uri:
            made = local
        elif self.namespace_prefixes and prefix:
            made = self._separator.join((uri, local, prefix))
        else:
            made = uri + self._separator + local
        return self.intern.setdefault(made, made)

    def _start(self, name, attributes, declared):
        given = [(self._name(name), value) for name, value in attributes]
        if self._separator is None:
            given = [(f"xmlns:{prefix}" if prefix else "xmlns", uri) for prefix, uri in declared] + given
            declared = ()
        self._open.append(declared)
        if self.StartNamespaceDeclHandler:
            for prefix, uri in declared:
                self.StartNamespaceDeclHandler(prefix or None, uri or None)
        if self.StartElementHandler:
            flat = [part for pair in given for part in pair] if self.ordered_attributes else dict(given)
            self.StartElementHandler(self._name(name), flat)

    def _end(self, name):
        if self.EndElementHandler:
            self.EndElementHandler(self._name(name))
        declared = self._open.pop()
        if self.EndNamespaceDeclHandler:
            for prefix, _ in reversed(declared):
                self.EndNamespaceDeclHandler(prefix or None)

    def _characters(self, text):
        # White space around the root element does not belong to the root's text.
        if self._open and self.CharacterDataHandler:
            self.CharacterDataHandler(text)

    def _cdata(self, text):
        if self.StartCdataSectionHandler:
            self.StartCdataSectionHandler()
        self._characters(text)
        if self.EndCdataSectionHandler:
            self.EndCdataSectionHandler()

    def _comment(self, text):
        if self.CommentHandler:
            self.CommentHandler(text)

    def _instruction(self, target, data):
        if self.ProcessingInstructionHandler:
            self.ProcessingInstructionHandler(target, data)

    def _doctype(self, syntax):
        found = _DOCTYPE.match(syntax)
        if found is None:
            return
        name, public, public_too, system, system_too = found.groups()
        if self.StartDoctypeDeclHandler:
            system, public = system or system_too, public or public_too
            self.StartDoctypeDeclHandler(name, system, public, int("[" in syntax))
        for entity in _ENTITY.finditer(syntax) if self.EntityDeclHandler else ():
            percent, name, value, value_too = entity.groups()
            text = value if value is not None else value_too
            self.EntityDeclHandler(name, int(bool(percent)), text, self._base, None, None, None)
        if self.EndDoctypeDeclHandler:
            self.EndDoctypeDeclHandler()


def _named_encoding(head):
    if head.startswith((_codecs.BOM_UTF16_LE, _codecs.BOM_UTF16_BE)):
        return "utf-16"
    found = _DECLARED.match(head.removeprefix(_codecs.BOM_UTF8))
    return found[1].decode("ascii") if found else "utf-8"


def ParserCreate(encoding=None, namespace_separator=None, intern=None):
    if namespace_separator is not None and len(namespace_separator) > 1:
        raise ValueError("namespace_separator must be at most one character, omitted, or None")
    return XMLParserType(encoding, namespace_separator, intern)
