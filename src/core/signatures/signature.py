"""What a question asks, as a key: two questions with equal signatures ask for the same answer.

Cosine cannot tell "Who did Anna betray?" from "Who betrayed Anna?" (.98 with MiniLM, above most
paraphrases), so a cache must not trust it alone. A signature is the question rewritten to one form by a few
cautious rules: inflection undone, questions put in the order of statements, passives made active, possessives
in one form, numerals as digits, true synonyms as one word. Every other word stays, in its order; so negation,
roles, names, numbers, antonyms, quantifiers and prepositions all separate. What no rule covers differs: that
costs a hit and never gives a wrong one.
"""

from __future__ import annotations

from dataclasses import dataclass

from .inflection import base_form, numerals
from .rewriting import plain, rewritten
from .tokens import ARTICLES, STOPS, WH, possessives, tokens
from .words import (
    AGENTS,
    AUXILIARIES,
    DATIVES,
    EVENTS,
    INVERSES,
    NOT_AGENTS,
    PHRASES,
    PREPOSITIONS,
    QUANTIFIERS,
    STATES,
    SUBORDINATORS,
    SYNONYMS,
    UNCHANGED,
    VERBS,
)

__all__ = ["QuerySignature", "normalised", "signature"]

_LONGEST = 400  # characters; a longer text is a passage rather than a question, and keeps its wording


@dataclass(frozen=True, slots=True)
class QuerySignature:
    """``asks`` is the question word, ``"polar"`` (yes or no) or ``"tell"`` (no question at all); ``verb`` the
    auxiliary's kind and tense; ``negated`` whether the main clause is; ``words`` all else, in order."""

    asks: str
    verb: tuple[str, str]
    negated: bool
    words: tuple[str, ...]


@dataclass(slots=True)
class _Clause:
    """A question on its way to a signature: ``words`` with ``|`` where the auxiliary stood."""

    asks: str
    words: list[str]
    kind: str = "do"
    tense: str = ""
    negated: bool = False
    now: bool = False  # "is leaving" is not "left"


def normalised(query: str) -> str:
    """The query but for what never matters: case, spaces, kinds of quotes, the mark at its end."""
    return plain(query).casefold()


def signature(query: str) -> QuerySignature:
    """Equal signatures: the same answer, whatever the story. Costs 0.1 to 0.4 ms."""
    text = plain(query)
    if len(text) > _LONGEST:
        return QuerySignature("tell", ("", ""), False, (text,))
    text = rewritten(text)
    words = numerals(possessives(tokens(text)))
    clause = _unfold(words)
    _mend_negation(clause)
    _make_active(clause)
    _reword(clause)
    _merge_tense(clause)
    return QuerySignature(clause.asks, (clause.kind, clause.tense), clause.negated, tuple(clause.words))


def _unfold(words: list[str]) -> _Clause:
    """Question word, auxiliary (removed, remembered) and the rest in the order of a statement."""
    if not words:
        return _Clause("tell", [])
    if words[0] in AUXILIARIES:
        kind, tense = AUXILIARIES[words[0]]
        return _Clause("polar", _inflected(words[1:], main=False)[0], kind, tense)
    if words[0] not in WH:
        return _Clause("tell", _inflected(words, main=False)[0], "", "")
    return _unfold_asking(words[0], words[1:])


def _unfold_asking(asks: str, rest: list[str]) -> _Clause:
    at = _auxiliary(rest)
    if at is None:
        bases, tense = _inflected(rest, main=True, noun=asks in ("what", "which", "whose"))
        return _Clause(asks, bases, "do", tense)
    kind, tense = AUXILIARIES[rest[at]]
    after = _inflected(rest[at + 1 :], main=False)[0]
    if kind == "have" and not _has_participle(rest[at + 1 :]):  # "who had a key": the verb itself
        return _Clause(asks, [*rest[:at], "have", *after], "do", tense)
    before = rest[:at]
    phrase = before and asks not in ("where", "when", "why")  # "which ship" needs its end marked
    return _Clause(asks, [*before, "|", *after] if phrase else [*before, *after], kind, tense)


def _auxiliary(rest: list[str]) -> int | None:
    """Where the main clause's auxiliary is: the first, if no finite verb or new clause comes before."""
    for at, word in enumerate(rest):
        if word in AUXILIARIES:
            return at
        if word in SUBORDINATORS or (at == 0 and base_form(word, None)[1] in ("past", "s")):
            return None
    return None


def _has_participle(words: list[str]) -> bool:
    return any(
        base_form(word, words[i - 1] if i else None)[1] == "past" or word == "been"
        for i, word in enumerate(words)
    )


def _inflected(words: list[str], *, main: bool, noun: bool = False) -> tuple[list[str], str]:
    """Base forms; the first finite verb's tense apart where it is the main one. Other pasts are marked
    ``~``; other words in -s stay, since they may be plurals. ``noun``: the first word may be one
    ("which guards died"), and is where a finite verb follows."""
    out: list[str] = []
    tense = ""
    if noun and len(words) > 1 and any(base_form(w, "")[1] in ("past", "s") for w in words[1:3]):
        out, words = [words[0]], words[1:]
    for i, word in enumerate(words):
        base, form = base_form(word, words[i - 1] if i else None)
        if form == "ing" or (form == "s" and (tense or not main)):
            base = word
        if main and not tense and form in ("past", "s", "base"):
            tense = "past" if form == "past" or base in UNCHANGED else "present"
            tense = "present" if form == "s" else tense
            out.append(base)
        else:
            out.append(f"{base}~" if form == "past" else base)
    return out, tense


def _mend_negation(clause: _Clause) -> None:
    """Makes "why did not X" and "why did X not" one; among several clauses "not" keeps its place."""
    words = clause.words
    if words.count("not") != 1 or (SUBORDINATORS | QUANTIFIERS) & set(words):
        return
    at = words.index("not")
    verb = at + 1 < len(words) and words[at + 1].removesuffix("~") in VERBS
    if at == 0 or words[at - 1] == "|" or verb:
        clause.words, clause.negated = [*words[:at], *words[at + 1 :]], True


def _make_active(clause: _Clause) -> None:
    """ "was A killed by B" to "B kill A"; "who is hiding" to "who hides"."""
    if clause.kind != "be":
        return
    words = clause.words
    for at, word in enumerate(words):
        if word in SUBORDINATORS:
            return
        if word.endswith("ing") and clause.tense == "present" and clause.asks not in ("polar", "when"):
            base, form = base_form(word, words[at - 1] if at else None)
            if form == "ing" and (at == 0 or words[at - 1] not in PREPOSITIONS | {"and"}):
                clause.words, clause.kind, clause.now = [*words[:at], base, *words[at + 1 :]], "do", True
                return
        if word.endswith("~") and "by" in words[at:]:
            _turn(clause, at)
            return


def _turn(clause: _Clause, at: int) -> None:
    words = clause.words
    by = words.index("by", at)
    end = _phrase_end(words, by + 1)
    agent = words[by + 1 : end]
    bare = [word for word in agent if word not in ARTICLES]
    if any(word.lstrip("^") in NOT_AGENTS or word[0].isdigit() for word in bare) or (
        not bare and end < len(words)
    ):
        return
    if not bare and clause.asks not in ("who", "what"):
        return
    head: list[str] = []
    subject = words[:at]
    if "|" in subject:
        cut = subject.index("|")
        head, subject = words[: cut + 1], words[cut + 1 : at]
        if not bare:  # "which wolf was X killed by": the asked one is the subject
            head, agent = [], head[:-1]
    clause.words = [*head, *agent, words[at][:-1], *subject, *words[at + 1 : by], *words[end:]]
    clause.kind = "do"


def _phrase_end(words: list[str], start: int) -> int:
    end = start
    while end < len(words) and (words[end] in ARTICLES | {"'s"} or words[end] not in STOPS):
        end += 1
    return end


def _reword(clause: _Clause) -> None:
    """Articles go; set phrases, synonyms and a few relations take one form."""
    words = _phrases(clause.words)
    past = [word.endswith("~") for word in words]
    bases = [word.removesuffix("~") for word in words]
    words = [_synonym(base) + "~" * was for base, was in zip(bases, past, strict=True)]
    words = [word for word in words if word not in ARTICLES]
    if clause.kind == "be" and "afraid-of" in words and not SUBORDINATORS & set(words):
        words = [word if word != "afraid-of" else "fear" for word in words]
        clause.kind = "do"
    if (
        clause.asks == "who"
        and clause.kind == "be"
        and len(words) > 2
        and words[-2] == "'s"
        and words[-1] in AGENTS
    ):
        done = words[-1] != "owner"
        words, clause.kind = [AGENTS[words[-1]], *words[:-2]], "do"
        clause.tense = "past" if done else clause.tense
    if clause.asks == "who" and words[-2:] == ["belong", "to"]:
        words = ["own", *words[:-2]]
    if clause.asks not in ("who", "polar", "tell"):
        words = [w for i, w in enumerate(words) if not (w == "to" and i and words[i - 1] in DATIVES)]
    for i, word in enumerate(words[:-3]):
        if word == "between" and words[i + 2] == "and":
            words[i + 1], words[i + 3] = sorted((words[i + 1], words[i + 3]))
    clause.words = _compared(clause, words)


def _synonym(word: str) -> str:
    plural = SYNONYMS.get(word[:-1]) if word.endswith("s") and word not in SYNONYMS else None
    return f"{plural}s" if plural else SYNONYMS.get(word, word)


def _phrases(words: list[str]) -> list[str]:
    out: list[str] = []
    at = 0
    while at < len(words):
        for size in (4, 3, 2):
            found = PHRASES.get(tuple(words[at : at + size]))
            if found:
                out.extend(found)
                at += size
                break
        else:
            out.append(words[at])
            at += 1
    return out


def _compared(clause: _Clause, words: list[str]) -> list[str]:
    """ "A younger than B" to "B older than A", where that is the whole question."""
    if clause.asks != "polar" or clause.kind != "be" or words.count("than") != 1:
        return words
    than = words.index("than")
    left, comparative, right = words[: than - 1], words[than - 1], words[than + 1 :]
    simple = left and right and not (set(left) | set(right)) & (STOPS - {"'s"})
    return [*right, INVERSES[comparative], "than", *left] if simple and comparative in INVERSES else words


def _merge_tense(clause: _Clause) -> None:
    """Critics tell a happening in the present tense: "why does she leave" is "why did she leave"."""
    words = set(clause.words)
    if (
        clause.kind == "do"
        and not clause.now
        and words & EVENTS
        and not words & STATES
        and not words & SUBORDINATORS
    ):
        clause.tense = ""
