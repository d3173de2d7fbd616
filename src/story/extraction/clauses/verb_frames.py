"""Does a verb in its clause say what its rule says? Particles, set phrases, figures of speech, deaths."""

from __future__ import annotations

from ...lexicon.inflection import verb_lemma
from ...lexicon.verbs_and_nouns import VERBS, VerbRule
from ...lexicon.words import ALMOST, CLAUSE_WORDS, FEELINGS, FIGURES, GRAVES, NOT_QUITE, ONLY_LIKE
from ...model.types import EntityKind
from ..parsing.chapter import ParsedChapter, ParsedParagraph
from ..parsing.words import Word
from ..pronouns import Reference
from .modality import negated

_AWAY = frozenset({"away", "out", "down", "back"})


def is_literal_death(verb: Word) -> bool:
    """Does this verb of dying or killing tell a death: not "nearly died", "died of shame", "the talk died
    down", "was killed with kindness", "was buried in thought"?"""
    lemma = verb.lemma_.lower()
    if verb.said() & ALMOST:
        return False
    for child in verb.children:
        behind = [noun.lower_ for noun in child.children]
        if child.dep_ == "xcomp" or (
            child.dep_ in ("advmod", "prt") and child.lower_ in _AWAY and lemma != "pass"
        ):
            return False
        if child.dep_ in ("prep", "agent"):
            if lemma == "bury" and child.lower_ in ("in", "under", "beneath", "amid") and behind:
                return not GRAVES.isdisjoint(behind)
            if not FEELINGS.isdisjoint(behind) or not FIGURES.isdisjoint(behind):
                return False
    return True


def is_literally_dead(adjective: Word) -> bool:
    """Is somebody dead by this "dead": not "as good as dead", "half dead", "dead to the world"?"""
    if any(child.lower_ in NOT_QUITE | ALMOST for child in adjective.children):
        return False
    words = adjective.doc.words
    before = words[adjective.i - 1].lower_ if adjective.i else ""
    after = words[adjective.i + 1].lower_ if adjective.i + 1 < len(words) else ""
    return before not in NOT_QUITE and after not in ONLY_LIKE


_FACTOR = 0.95
_ENDINGS = ("ed", "es", "s", "t", "k", "w", "ing")
_FINITE_LOOK = frozenset("NN NNS NNP NNPS JJ RB".split())


def plain_lemma(chapter: ParsedChapter, paragraph: ParsedParagraph, token: Word) -> str:
    """The lexicon's verb where a token taken for a noun or adjective stands between two persons' names
    ("Elena forsook Marcus"); empty where it does not."""
    if token.tag_ not in _FINITE_LOOK or not token.is_lower or token.i in paragraph.mention_of:
        return ""
    lemma = verb_lemma(token.lower_, "")
    if lemma not in VERBS or lemma == token.lower_ or not token.lower_.endswith(_ENDINGS):
        return ""
    both = name_before(chapter, paragraph, token) and name_after(chapter, paragraph, token)
    return lemma if both else ""


def name_before(chapter: ParsedChapter, paragraph: ParsedParagraph, token: Word) -> Reference | None:
    """The person named right before the token, at the beginning of a sentence or behind a mark."""
    start = token.i - 1
    if start > 0 and token.lower_.endswith("ing") and paragraph.words[start].lower_ in ("was", "is"):
        start -= 1
    number = paragraph.mention_of.get(start)
    if number is None or chapter.mentions[number].kind is not EntityKind.CHARACTER:
        return None
    while start > 0 and paragraph.mention_of.get(start - 1) == number:
        start -= 1
    first = paragraph.words[start]
    opens = first.is_sent_start or paragraph.words[start - 1].is_punct
    return Reference(number, _FACTOR) if opens else None


def name_after(chapter: ParsedChapter, paragraph: ParsedParagraph, token: Word) -> Reference | None:
    """The person named right behind the token, unless the name only owns what comes next."""
    number = paragraph.mention_of.get(token.i + 1)
    if number is None or chapter.mentions[number].kind is not EntityKind.CHARACTER:
        return None
    end = token.i + 1
    while end < len(paragraph.doc) and paragraph.mention_of.get(end) == number:
        end += 1
    owns = end < len(paragraph.doc) and paragraph.words[end].tag_ == "POS"
    return None if owns else Reference(number, _FACTOR)


_LIKE = frozenset("like would should".split())
_STRIKING = frozenset(
    "strike beat shoot hit".split()
)  # "it struck him", "her heart beat", "he shot a glance"
_EXPERIENCE = frozenset("love hate fear dread like".split())
_PASSING_ON = frozenset("over back up out".split())
_ABLE = frozenset("can could ca".split())
_NOUN_SLOTS = frozenset("dobj attr oprd acomp".split())
_ENDS = frozenset("last breath life death".split())
# what is given only in a manner of speaking
_NOT_GIVEN = CLAUSE_WORDS.listed("not_given")
_TAUGHT = CLAUSE_WORDS.listed("taught")
_PARTICLES = frozenset("prt advmod acomp oprd advcl amod".split())  # "gave up", "shot him dead"
_TREATED = frozenset("as like to with well better badly worse so".split())
_OWN = frozenset("his her their its own".split())


def applies(verb: Word, rule: VerbRule) -> bool:  # noqa: PLR0911 (a frame a line)
    """Is this the frame of the rule, and no idiom that says something else?"""
    if not _particle(verb, rule):
        return False
    if rule.noun:
        noun = noun_of(verb, rule)
        return noun is not None and (rule.noun not in _ENDS or rule.slot != "none" or _own_end(noun))
    if rule.unable:
        return negated(verb) and bool(verb.said("aux") & _ABLE)
    lemma = verb.lemma_.lower()
    if rule.predicate == "DIES" and verb.tag_ not in ("VBD", "VBN", "VBZ"):
        return lemma not in ("die", "expire") or verb.tag_ == "VB"  # "was dying" may take years; "men die"
    if rule.predicate == "GIVES_TO" and any(thing.lemma_ in _NOT_GIVEN for thing in verb.by("dobj")):
        return False
    if verb.tag_ == "VBG" and rule.predicate == "LOCATED_AT" and rule.slot in ("prep:to", "prep:into"):
        return False  # on the way, not there
    if lemma == "lie":
        lied = verb.lower_ in ("lied", "lying", "lies", "lie")
        return rule.predicate != "DECEIVES" or lied
    return not _idiom(verb, rule, lemma)


def noun_of(verb: Word, rule: VerbRule) -> Word | None:
    """The noun that the rule asks for: the verb's object, or behind its "in" or "to"."""
    for child in verb.children:
        if child.dep_ in _NOUN_SLOTS and _is(child, rule.noun):
            return child
        if child.dep_ in ("prep", "dative") and child.lower_ in ("in", "to", "into"):
            for behind in child.children:
                if behind.dep_ == "pobj" and _is(behind, rule.noun):
                    return behind
    return None


def _is(noun: Word, wanted: str) -> bool:
    return wanted in (noun.lemma_.lower(), noun.lower_)


def _own_end(noun: Word) -> bool:
    """Like "his life", "their death", "his last"; a breath must be the last one."""
    words = noun.said()
    return bool(words & _OWN) and (noun.lower_ != "breath" or bool(words & {"last", "final"}))


def _particle(verb: Word, rule: VerbRule) -> bool:
    if rule.particle:
        return rule.particle in verb.said(*_PARTICLES)
    found = verb.said("prt")
    if not found or rule.predicate == "LOCATED_AT":
        return True
    return rule.predicate == "GIVES_TO" and found <= _PASSING_ON


def _idiom(verb: Word, rule: VerbRule, lemma: str) -> bool:  # noqa: PLR0911 (an idiom a line)
    words = verb.said()
    if lemma in ("die", "expire") and (verb.has("xcomp") or "for" in words):
        return True
    if lemma == "know" and verb.has("ccomp"):  # "knew Frank was surly"
        return True
    if lemma == "teach":  # "taught her to read", not "taught her to swear"
        return any(clause.lemma_ not in _TAUGHT for clause in verb.by("xcomp", "ccomp"))
    if lemma == "treat":  # "treated her twice a week", not "badly", "like a fool", "to lunch"
        healing = verb.tag_ == "VBG" or verb.has("aux", "npadvmod") or "for" in words
        return not healing or any(word in _TREATED or word.endswith("ly") for word in words)
    if lemma == "strike" and verb.has("auxpass"):  # by a thought, as a rule
        return True
    if lemma in _EXPERIENCE and verb.said("aux") & _LIKE:
        return True
    if lemma in _STRIKING and verb.said("prep", "nsubj") & {"as", "it"}:
        return True
    # "told him a story" has its person in the dative; "saw him die" hangs the person on a clause
    clauses = verb.by("ccomp") if rule.slot == "dobj" and rule.target == "person" else ()
    return any(one.pos_ == "VERB" and one.tag_ == "VB" and not one.has("mark") for one in clauses)
