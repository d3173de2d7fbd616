"""Text that is none: lone surrogates, which Python puts in place of bytes that are not UTF-8."""

from __future__ import annotations

from ...errors import UsageError

_AROUND = 30  # characters shown on either side


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
