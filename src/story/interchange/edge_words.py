"""What an edge in free words says, as a predicate of the closed table; the surest reading or none."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["edge_predicate"]

_UNDONE = re.compile(
    r"\b(?:not|never|no longer|former(?:ly)?|ex|once|almost|nearly|might|may|would|could|wants?|hopes?|plans?"
    r"|refus\w+|den(?:y|ies|ied)|pretend\w*|suspected|alleged\w*|like an?|as if|possible|potential)\b"
    r"[^.;]{0,40}$",
    re.IGNORECASE,
)
# First match wins, so what is narrower stands first. The words are those that name the tie itself.
_WORDS = (
    ("KILLS", r"kill(?:s|ed)|murder(?:s|ed)?|slays?|slew|slain"),
    ("BETRAYS", r"betray(?:s|ed|al)"),
    ("SAVES", r"rescue[sd]?|save[sd] (?:\w+ ){0,2}life|saves|saved"),
    ("DISTRUSTS", r"distrust(?:s|ed)?|mistrust(?:s|ed)?"),
    ("HATES", r"hate[sd]?|hatred|loath(?:es|ed|ing)|despise[sd]?|detest(?:s|ed)"),
    ("ENEMY_OF", r"enem(?:y|ies)|enmity|nemesis|archenem(?:y|ies)|adversar(?:y|ies)|antagonis\w+"),
    ("MARRIED_TO", r"husband|wife|spouses?|marriage|married to|marital"),
    ("SIBLING_OF", r"brothers?|sisters?|siblings?"),
    ("PARENT_OF", r"father|mother|parents?|parent-child|parental"),
    ("CHILD_OF", r"sons?|daughters?|child(?: of)?"),
    (
        "KIN_OF",
        r"cousins?|uncle|aunt|nephew|niece|grand(?:father|mother|son|daughter)|kin(?:ship)?|famil(?:y|ial)",
    ),
    ("SERVES", r"servants?|serve[sd]|valet|maid|butler|employ(?:ee|ed by)|works for|in the service of"),
    ("ALLIES_WITH", r"all(?:y|ies|ied|iance)"),
    ("FRIEND_OF", r"friends?|friendship|companions?|companionship"),
    ("LOVES", r"loves|loved|in love|beloved|romantic(?:ally)?|lovers?"),
    ("TRUSTS", r"trusts|trusted|confid(?:es|ant|ante)"),
    ("FEARS", r"fears|feared|afraid of|terrified of"),
    ("LIVES_IN", r"live[sd] (?:in|at)|resid(?:es|ed|ence|ent)|home (?:of|to)|dwell(?:s|ing)|inhabit\w*"),
    ("COMES_FROM", r"comes from|came from|born in|native of|hails from|birthplace"),
    ("OWNS", r"own(?:s|ed|er|ership)|possess(?:es|ed|ion)|belongs to"),
    (
        "LOCATED_AT",
        r"located (?:in|at)|visit(?:s|ed)|arrive[sd] (?:in|at)|stay(?:s|ed) (?:in|at)|goes to|went to",
    ),
    ("HELPS", r"help(?:s|ed)|assist(?:s|ed|ance)|aid(?:s|ed)"),
    ("KNOWS", r"know[ns]?|knew|acquaint(?:ed|ances?)|acquaintanceship"),
)
_PATTERNS = tuple((name, re.compile(rf"\b(?:{words})\b", re.IGNORECASE)) for name, words in _WORDS)
# said of the object first: "X belongs to Y", "X is home to Y"
_TURNED = re.compile(
    r"\b(?:belongs to|home (?:of|to)|birthplace|employed by|beloved by|trusted by)\b", re.IGNORECASE
)
_PASSIVE = re.compile(
    r"\b(?:is|was|are|were|been|being)\s+\w+ed\s+by\b|\bslain by\b|\bhated by\b", re.IGNORECASE
)


def edge_predicate(keywords: str, description: str, *, first: str, second: str) -> tuple[str, bool] | None:
    """The predicate of an edge between two names, and whether ``first`` is its subject.

    The keywords are looked at before the description (a summary of many). The direction is that in which
    the description names the two, turned round for a passive; what is negated, past or only possible in
    its own clause is nothing.
    """
    forward = _named_first(description, first, second)
    for text in (keywords, *_clauses(description)):
        for name, pattern in _PATTERNS:
            match = pattern.search(text)
            if match and not _UNDONE.search(text[: match.start()]):
                turned = bool(_TURNED.search(text)) or bool(_PASSIVE.search(text))
                return name, forward != turned
    return None


def _clauses(description: str) -> Iterator[str]:
    yield from (clause for clause in re.split(r"[.;]|<SEP>", description[:4000]) if clause.strip())


def _named_first(description: str, first: str, second: str) -> bool:
    said = description.casefold()
    one, other = said.find(first.casefold()), said.find(second.casefold())
    return one < 0 or other < 0 or one <= other
