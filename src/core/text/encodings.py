"""Character encodings: which one bytes are in that do not say so, or say it wrongly; text that is none, with
lone surrogates, which Python puts in place of bytes that are not UTF-8; and the normal form of the rest."""

from __future__ import annotations

import codecs
import re
import unicodedata

from ...errors import UsageError

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def marked_encoding(data: bytes) -> tuple[bytes, str]:
    """The byte order mark that bytes begin with, and the encoding it says; UTF-8 where there is none."""
    return next((one for one in BYTE_ORDER_MARKS if data.startswith(one[0])), (b"", "utf-8"))


def decoded(data: bytes) -> str:
    """The text of bytes in UTF-8, or in what their byte order mark says. Raises UnicodeDecodeError."""
    mark, name = marked_encoding(data)
    return data[len(mark) :].decode(name)


_AROUND = 30  # characters shown on either side of what is wrong
_LIKELY = "cp1252 cp1250 cp1251 cp1253 cp1254 koi8_r gb18030 big5 shift_jis euc_jp euc_kr".split()
_ALIKE = ("cp1250", "cp1253", "cp1254")  # a few letters apart from cp1252, which English books are in
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011", "-"),
        **dict.fromkeys("\u00a0\u2007\u202f", " "),
        **dict.fromkeys("\x85\u2028", "\n"),
        "\u2029": "\n\n",
        **{letters: unicodedata.normalize("NFKC", letters) for letters in "\ufb00\ufb01\ufb02\ufb03\ufb04"},
    }
)
_PAGE_END = re.compile(r"\f\s*(?=(\w)?)")
# where files were put together: a mark between the end of one and the beginning of the next
_FILE_END = re.compile('(?<=[^\\W_]|[\n.!?\u2026"\'\u201d\u2019)*])\ufeff(?=[#A-Z0-9"\u201c])')
_WORD_BREAK = re.compile(r"\u00ad[ \t]*\r?\n[ \t]*(?=[^\W\d_])")
_UNSEEN = re.compile(
    "[\u00ad\u034f\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f]"
)
_JOINER = re.compile("[\u200c\u200d]+(?=[A-Za-z])|(?<=[A-Za-z])[\u200c\u200d]+")  # other scripts need them


def guess_encoding(data: bytes) -> str | None:
    """The most likely encoding of a text that is not in UTF-8; None for what seems to be no text. Costs some
    milliseconds."""
    from charset_normalizer import from_bytes

    found = from_bytes(data, cp_isolation=_LIKELY, preemptive_behaviour=False)
    best = found.best()
    if best is None:
        return None
    fitting = {name for one in found for name in one.could_be_from_charset}
    return "cp1252" if best.encoding in _ALIKE and "cp1252" in fitting else best.encoding


def require_text(text: str, what: str) -> str:
    """The text as it is. Raises UsageError where it cannot be written as UTF-8; ``what`` it is is said."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        near = text[max(0, error.start - _AROUND) : error.start + _AROUND]
        raise UsageError(f"{what} is not valid UTF-8 at {near!a}: write it, or its name, in UTF-8") from None
    return text


def require_said(text: str, what: str, advice: str) -> str:
    """As :func:`require_text`; refuses blanks too, with ``advice`` on what to write."""
    if not text.strip():
        raise UsageError(f"{what} is empty: {advice}")
    return require_text(text, what)


def normalized(text: str) -> str:
    """The text as described above. Linear in its length."""
    if not text.isascii():
        text = _FILE_END.sub("\n\n", text.translate(_PLAIN))
        text = _JOINER.sub("", _UNSEEN.sub("", _WORD_BREAK.sub("", text)))
        text = unicodedata.normalize("NFC", text)
    # a sentence that goes on over the page stays one paragraph
    return _PAGE_END.sub(lambda page: "\n" if (page[1] or "").islower() else "\n\n", text.replace("\v", "\n"))
