"""Normalisation on reading: a text in Unicode's form C (Standard Annex 15), without signs that show nothing.

Letters and their accents become one character, odd spaces and hyphens and ligatures plain ones. Whatever
ends a line or a page becomes a line's end. Normalising twice gives what once gives.
"""

from __future__ import annotations

import re
import unicodedata

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


def normalized(text: str) -> str:
    """The text as described above. Linear in its length."""
    if not text.isascii():
        text = _FILE_END.sub("\n\n", text.translate(_PLAIN))
        text = _JOINER.sub("", _UNSEEN.sub("", _WORD_BREAK.sub("", text)))
        text = unicodedata.normalize("NFC", text)
    return _PAGE_END.sub(_line_end, text.replace("\v", "\n"))


def _line_end(page: re.Match[str]) -> str:
    """A sentence that goes on over the page stays one paragraph."""
    return "\n" if page[1] and page[1].islower() else "\n\n"
