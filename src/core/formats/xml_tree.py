"""XML and HTML from outside as trees: no entity, no external file, no network, no great depth."""

from __future__ import annotations

import html
import logging
import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from ...errors import DocumentError
from ..text.encodings import BYTE_ORDER_MARKS, guess_encoding

_log = logging.getLogger(__name__)
_PROLOG = 2048  # bytes in which a document names its encoding
_DECLARED = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']""")
_META = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9._:-]{1,40})""", re.IGNORECASE)
_DECLARATION = re.compile(r"\s*<\?xml[^>]{0,400}\?>")
_NAMED = re.compile(r"&([A-Za-z][A-Za-z0-9]{1,31});")
# a quotation mark opens a value behind = alone; one that nothing closes goes on to the end
_TAG = re.compile(r"""(<[A-Za-z][^\s/>]{0,100})(?:=\s{0,100}(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z))|[^>])*+""")
_QUOTED = re.compile(r"""=\s{0,100}(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z))""")
_ATTRIBUTE = re.compile(r"""[^\s/="'>]+""")
_MOST_ATTRIBUTES = 500  # a parser may compare each with all before it
_OWN = frozenset({"amp", "lt", "gt", "quot", "apos"})
_MARKS = (*BYTE_ORDER_MARKS, (b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"))
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def xml_tree(data: bytes, name: str) -> Any:
    """The root element of an XML document. ``name`` is what errors call it.

    A document type may be named, but what it declares is thrown away unread. Raises DocumentError for what
    is no XML.
    """
    root = _parsed_xml(decoded_markup(data, name))
    if root is None:
        raise DocumentError(f"{name} is damaged (no well-formed XML): get a whole copy of the file")
    return root


def xhtml_tree(text: str) -> Any:
    """The root of a page that should be XHTML, read as HTML where it is not; None where it holds nothing."""
    root = _parsed_xml(_NAMED.sub(_numbered, text))
    return html_tree(text) if root is None else root


def html_tree(text: str) -> Any:
    """The root of an HTML page, mended as browsers do; None where it holds nothing at all."""
    from lxml import etree

    return _parsed(text, etree.HTMLParser)


def decoded_markup(data: bytes, name: str, *, encoding: str | None = None) -> str:
    """The text of XML or HTML bytes: by byte order mark, else in UTF-8, whatever they declare, where they are
    that; else as they declare themselves, else in ``encoding``, else in the likeliest one, with a warning.

    Raises DocumentError for what is no text in any of them.
    """
    tried = [known for mark, known in _MARKS if data.startswith(mark)][:1]
    if not tried:
        found = _DECLARED.search(data[:_PROLOG]) or _META.search(data[:_PROLOG])
        declared = found[1].decode("ascii").lower() if found else ""
        if declared in ("iso-8859-1", "latin-1", "latin1", "us-ascii", "ascii"):
            declared = "cp1252"  # as all browsers read them (WHATWG Encoding Standard)
        elif declared.startswith(("utf-16", "utf-32")):
            declared = ""  # what is in it began otherwise
        tried = list(dict.fromkeys(filter(None, ("utf-8", declared, encoding))))
    for one in tried:
        with suppress(UnicodeError, LookupError):
            return _UNFIT.sub("", data.decode(one)).removeprefix("\ufeff")
    likely = guess_encoding(data)
    if likely is None:
        raise DocumentError(f"{name} is in no known encoding: save it in UTF-8")
    _log.warning("%s is not in %s: it was read in %s, the likeliest encoding", name, ", ".join(tried), likely)
    return _UNFIT.sub("", data.decode(likely, "replace"))


def local(element: Any) -> str:
    """An element's name without its namespace, in small letters."""
    return str(element.tag).rpartition("}")[2].lower()


def _parsed_xml(text: str) -> Any:
    from lxml import etree

    return _parsed(text, partial(etree.XMLParser, resolve_entities=False, load_dtd=False))


def _parsed(text: str, make_parser: Callable[..., Any]) -> Any:
    """None where the parser finds nothing in the text."""
    from lxml import etree

    parser = make_parser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=False
    )
    with suppress(etree.LxmlError, ValueError):
        return etree.fromstring(_bare(text).encode(), parser)
    return None


def _bare(text: str) -> str:
    """Without XML declaration and document type, so that nothing in them can have an effect, and without
    attributes where a tag has more than any page needs."""
    text = _TAG.sub(_plain_tag, text)
    declared = _DECLARATION.match(text)
    text = text[declared.end() :] if declared else text
    start = text.find("<!DOCTYPE")
    if start < 0 or "<" in text[:start].replace("<!--", "").replace("<?", ""):
        return text
    end, subset = text.find(">", start), text.find("[", start)
    if 0 <= subset < end:
        close = text.find("]", subset)
        end = text.find(">", close) if close >= 0 else -1
    return text[:start] + text[end + 1 :] if end >= 0 else ""


def _plain_tag(found: re.Match[str]) -> str:
    """The tag as it is, or its name alone where its attributes are too many."""
    tag: str = found[0]
    if len(tag) < 2 * _MOST_ATTRIBUTES:
        return tag
    names = _ATTRIBUTE.findall(_QUOTED.sub(" ", tag))
    return tag if len(names) <= _MOST_ATTRIBUTES else found[1] + ("/" if tag.endswith("/") else "")


def _numbered(found: re.Match[str]) -> str:
    """A named character of HTML as itself; XML's own five, and what is none, stay as they are."""
    if found[1] in _OWN:
        return found[0]
    said = html.unescape(found[0])
    return found[0] if said == found[0] else html.escape(said)
