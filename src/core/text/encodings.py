"""Character encodings: which one bytes are in that do not say so, or say it wrongly."""

from __future__ import annotations

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
