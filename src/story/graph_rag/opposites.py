"""Words that cannot both be true of one thing at one time: adjectives and verbs with their opposites.

The pairs are direct antonyms of WordNet 3.0 (Fellbaum 1998; its licence allows the use), chosen by hand:
states and acts of people and things. Left out are pairs that hold of one thing in two regards (old/new,
left/right, first/last), that compare (same/other), and senses of one trade only. A prefix that denies ("un-",
"in-", "dis-") makes an opposite of any adjective of the table.
"""

from __future__ import annotations

from types import MappingProxyType

__all__ = ["ADJECTIVES_OPPOSED", "VERBS_OPPOSED", "scale_of_adjective", "scale_of_verb"]

_ADJECTIVES = """able/unable absent/present active/inactive adequate/inadequate
    agreeable/disagreeable alive/dead asleep/awake attractive/unattractive available/unavailable
    aware/unaware bad/good beautiful/ugly better/worse big/little bold/timid brave/cowardly bright/dull
    broken/unbroken busy/idle capable/incapable careful/careless certain/uncertain cheap/expensive
    clean/dirty clear/unclear close/distant closed/open cold/hot comfortable/uncomfortable
    common/uncommon compatible/incompatible complete/incomplete concerned/unconcerned
    confident/diffident conscious/unconscious convenient/inconvenient cooked/raw
    cooperative/uncooperative curly/straight dangerous/safe decent/indecent dependent/independent
    desirable/undesirable difficult/easy dry/wet effective/ineffective empty/full expected/unexpected
    experienced/inexperienced fair/unfair faithful/unfaithful familiar/unfamiliar far/near fast/slow
    fat/thin favorable/unfavorable female/male foolish/wise fortunate/unfortunate fresh/stale
    friendly/hostile friendly/unfriendly frozen/unfrozen generous/stingy glad/sad grateful/ungrateful
    guilty/innocent happy/unhappy hard/soft healthy/unhealthy heavy/light helpful/unhelpful high/low
    honest/dishonest hopeful/hopeless humble/proud ill/well important/unimportant impossible/possible
    interested/uninterested interesting/uninteresting kind/unkind large/small legal/illegal
    likely/unlikely loud/soft lucky/unlucky married/unmarried mature/immature modest/immodest
    necessary/unnecessary nasty/nice noisy/quiet normal/abnormal obedient/disobedient old/young
    organized/disorganized patient/impatient perfect/imperfect pleasant/unpleasant pleased/displeased
    polite/impolite poor/rich popular/unpopular practical/impractical prepared/unprepared
    qualified/unqualified rational/irrational real/unreal reliable/unreliable responsible/irresponsible
    right/wrong rough/smooth sane/insane satisfactory/unsatisfactory selfish/unselfish sharp/dull
    significant/insignificant sincere/insincere skilled/unskilled smart/stupid strong/weak
    successful/unsuccessful sufficient/insufficient sure/unsure sweet/sour tall/short thick/thin
    thoughtful/thoughtless tidy/untidy tight/loose tired/rested true/false usual/unusual useful/useless
    visible/invisible warm/cool welcome/unwelcome wide/narrow willing/unwilling"""
# as much opposed, by hand
_MORE_ADJECTIVES = """dressed/undressed famous/unknown lazy/industrious married/single
    satisfied/dissatisfied sick/well sober/drunk wealthy/poor"""
_VERBS = """accept/refuse accept/reject agree/disagree appear/disappear approve/disapprove
    arrive/leave attach/detach attend/miss avoid/confront begin/end borrow/lend close/open
    connect/disconnect continue/discontinue cover/uncover cry/laugh decrease/increase depart/stay
    dress/undress empty/fill encourage/discourage fail/succeed fail/pass fall/rise fold/unfold
    forget/remember hide/show hire/fire include/exclude keep/lose like/dislike lock/unlock lower/raise
    lose/win obey/disobey please/displease praise/criticize push/pull sleep/wake start/stop
    strengthen/weaken tie/untie trust/distrust trust/mistrust"""
# as much opposed, by hand
_MORE_VERBS = """allow/prevent allow/forbid gain/lose improve/worsen like/hate love/hate
    release/capture save/waste enjoy/hate adore/hate like/loathe like/detest"""


def _scales(pairs: str) -> MappingProxyType[str, tuple[str, int]]:
    """word → (scale, pole): chained pairs share a scale, named for the first word of the first pair."""
    found: dict[str, tuple[str, int]] = {}
    for pair in pairs.split():
        one, other = pair.split("/")
        if other in found and one not in found:
            one, other = other, one
        scale, pole = found.setdefault(one, (one, 1))
        found.setdefault(other, (scale, -pole))
    return MappingProxyType(found)


ADJECTIVES_OPPOSED = _scales(f"{_ADJECTIVES} {_MORE_ADJECTIVES}")
VERBS_OPPOSED = _scales(f"{_VERBS} {_MORE_VERBS}")
_PREFIXES = ("un", "in", "im", "dis", "ir", "il")
_LONG = 4  # letters that a word must have for its prefix to count as one


def scale_of_adjective(word: str) -> tuple[str, int]:
    """The scale that an adjective (lower case) stands on and its pole, 1 or -1; a word without an opposite
    stands on a scale of its own, at 1."""
    return _scale(word, ADJECTIVES_OPPOSED)


def scale_of_verb(lemma: str) -> tuple[str, int]:
    """As ``scale_of_adjective``, of a verb's lemma."""
    return VERBS_OPPOSED.get(lemma, (lemma, 1))


def _scale(word: str, table: MappingProxyType[str, tuple[str, int]]) -> tuple[str, int]:
    if word in table:
        return table[word]
    for prefix in _PREFIXES:
        bare = word.removeprefix(prefix)
        if bare != word and bare in table and len(bare) >= _LONG:
            scale, pole = table[bare]
            return scale, -pole
    return word, 1
