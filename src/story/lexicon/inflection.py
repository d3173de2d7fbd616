"""Which verb of the lexicon a word form belongs to.

The parser's small model takes "hated" for "hat" and "lied" for "ly"; a verb so misread would never be looked
up. The forms of a closed list of verbs are few enough to be written out: regular ones by rule, the others
by table.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from types import MappingProxyType

from ..model.types import gathered
from .verbs_and_nouns import OTHER_VERBS, VERBS

# lemma → past, past participle, and whatever else is not regular
_IRREGULAR: MappingProxyType[str, str] = MappingProxyType(
    {
        "be": "am is are was were been being 's 're 'm", "have": "has had having 's 've 'd",
        "do": "does did done", "go": "goes went gone", "say": "says said", "make": "made",
        "lie": "lied lay lain", "lay": "laid", "die": "died dying", "slay": "slew slain slayed",
        "strike": "struck stricken", "beat": "beat beaten", "shoot": "shot", "fight": "fought",
        "leave": "left", "meet": "met", "tell": "told", "speak": "spoke spoken", "write": "wrote written",
        "give": "gave given", "lend": "lent", "steal": "stole stolen", "know": "knew known", "come": "came",
        "ride": "rode ridden", "run": "ran run", "drive": "drove driven", "flee": "fled", "stand": "stood",
        "sit": "sat", "wed": "wed wedded", "forsake": "forsook forsaken", "forgive": "forgave forgiven",
        "think": "thought", "see": "saw seen", "hear": "heard", "feel": "felt", "find": "found",
        "keep": "kept", "let": "let", "begin": "began begun", "rise": "rose risen", "read": "read",
        "get": "got gotten", "become": "became", "grow": "grew grown", "fall": "fell fallen",
        "take": "took taken", "bring": "brought", "send": "sent", "teach": "taught",
        "bid": "bade bid bidden", "swear": "swore sworn", "seek": "sought", "strive": "strove striven",
        "understand": "understood", "forget": "forgot forgotten", "weep": "wept", "dwell": "dwelt dwelled",
        "bear": "bore borne", "fly": "flew flown", "break": "broke broken", "hide": "hid hidden",
        "throw": "threw thrown", "sell": "sold", "feed": "fed", "hold": "held", "draw": "drew drawn",
        "lose": "lost", "hurt": "hurt", "sing": "sang sung", "burn": "burnt burned",
        "learn": "learnt learned", "dream": "dreamt dreamed", "creep": "crept", "climb": "climbed",
        "sail": "sailed", "hang": "hung hanged", "overcome": "overcame", "show": "showed shown",
        "pay": "paid", "buy": "bought", "win": "won", "mistake": "mistook mistaken",
        "overhear": "overheard", "withstand": "withstood", "spring": "sprang sprung", "wake": "woke woken",
        "misuse": "misused", "foretell": "foretold", "mislead": "misled", "lead": "led", "spend": "spent",
        "sleep": "slept", "leap": "leapt leaped", "speed": "sped", "cast": "cast",
        "stride": "strode stridden", "sink": "sank sunk", "stick": "stuck", "slip": "slipped",
        "cling": "clung", "stink": "stank", "fling": "flung", "slide": "slid", "steer": "steered",
        "behold": "beheld", "undertake": "undertook undertaken", "forbear": "forbore forborne",
        "smell": "smelt", "spill": "spilt", "mean": "meant", "swim": "swam swum", "build": "built",
        "catch": "caught", "bite": "bit bitten", "choose": "chose chosen", "wear": "wore worn",
        "wound": "wounded", "seize": "seized",
        "sting": "stung",
    }
)  # fmt: skip
_VOWELS = "aeiou"
_STRESSED_END = frozenset(
    """admit permit abhor regret prefer refer forget begin compel rebel propel commit befit submit
    outwit""".split()
)


def forms_of(lemma: str) -> frozenset[str]:
    """Every inflected form of a verb, the lemma among them; British and American spellings both."""
    return frozenset({lemma, *_third(lemma), *_participles(lemma), *_pasts(lemma)})


def base_form(form: str) -> str:
    """The verb of an irregular form in lower case ("hid" is "hide"), whatever part of speech it stands for;
    the form itself where it is none. Where two verbs share it ("lay") the first of the alphabet."""
    return _bases().get(form, form)


@lru_cache(maxsize=1)
def _bases() -> dict[str, str]:
    return {form: lemma for lemma in sorted(_IRREGULAR, reverse=True) for form in _IRREGULAR[lemma].split()}


def verb_lemma(form: str, guess: str) -> str:
    """The lexicon's verb that ``form`` (lower case) belongs to; ``guess`` where it belongs to none, or to
    more than one of which ``guess`` is one. Costs a look-up."""
    verbs = _table().get(form)
    if verbs is None or guess in verbs:
        return guess
    return verbs[0]


def _third(lemma: str) -> Iterable[str]:
    if lemma.endswith("y") and lemma[-2:-1] not in _VOWELS:
        return (lemma[:-1] + "ies",)
    return (lemma + ("es" if lemma.endswith(("s", "x", "z", "ch", "sh", "o")) else "s"),)


def _participles(lemma: str) -> Iterable[str]:
    if lemma.endswith("ie"):
        return (lemma[:-2] + "ying",)
    return (stem + "ing" for stem in _stems(lemma))


def _pasts(lemma: str) -> Iterable[str]:
    if lemma in _IRREGULAR:
        return _IRREGULAR[lemma].split()
    if lemma.endswith("y") and lemma[-2:-1] not in _VOWELS:
        return (lemma[:-1] + "ied",)
    if lemma.endswith(("ie", "ee", "ye", "oe")):
        return (lemma + "d",)
    return (stem + "ed" for stem in _stems(lemma))


def _stems(lemma: str) -> tuple[str, ...]:
    """What "ed" and "ing" are put to: without a mute e, the last consonant doubled where it is stressed."""
    if lemma.endswith("e") and not lemma.endswith(("ee", "ye", "oe")):
        return (lemma[:-1],)
    closed = (
        len(lemma) > 2
        and lemma[-1] not in _VOWELS + "wxy"
        and lemma[-2] in _VOWELS
        and (lemma[-3] not in _VOWELS or (lemma[-3:-1] == "ui" and lemma[-4:-3] == "q"))
    )
    if not closed:
        return (lemma,)
    if sum(letter in _VOWELS for letter in lemma) == 1 or lemma in _STRESSED_END:
        return (lemma + lemma[-1],)
    return (lemma, lemma + lemma[-1]) if lemma[-1] in "lp" else (lemma,)


@lru_cache(maxsize=1)
def _table() -> dict[str, tuple[str, ...]]:
    """form → the lexicon's verbs that have it, sorted; verbs that carry a predicate before the others."""
    carrying = set(VERBS)
    verbs = sorted(carrying | OTHER_VERBS, key=lambda verb: (verb not in carrying, verb))
    table = gathered((form, verb) for verb in verbs for form in forms_of(verb))
    return {form: tuple(verbs) for form, verbs in table.items()}
