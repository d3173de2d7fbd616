"""Character encodings: which one bytes are in that do not say so, or say it wrongly; text that is none, with
lone surrogates, which Python puts in place of bytes that are not UTF-8."""

from __future__ import annotations

from ...errors import UsageError

_AROUND = 30  # characters shown on either side of what is wrong
_LIKELY = "cp1252 cp1250 cp1251 cp1253 cp1254 koi8_r gb18030 big5 shift_jis euc_jp euc_kr".split()
_ALIKE = ("cp1250", "cp1253", "cp1254")  # a few letters apart from cp1252, which English books are in


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
