"""Wordings by which a bond of two people turns: they make it up, or fall out (``masked.wording``). A turn for
the better is told as FORGIVES, one for the worse as QUARRELS_WITH."""

from __future__ import annotations

from types import MappingProxyType

__all__ = ["TURNS"]

_COLD = (
    r"(?:quarrel|enmity|feud|coldness|coolness|hatred|misunderstanding|difference|differences|bitterness|war|"
    r"ill[- ]will|bad blood)"
)
_ILL_WILL = (
    r"(?:heart|anger|hatred|hate|dislike|coldness|resentment|bitterness|scorn|contempt|suspicions?|distrust|"
    r"aversion|enmity|grudge|prejudice|reserve|jealousy|wrath|indignation)"
)
_GOOD_WILL = r"(?:love|affection|friendship|trust|faith|confidence|devotion|liking|regard|esteem|attachment)"
_MELTED = (
    r"(?:softened|melted|thawed|warmed|relented|gave way|vanished|died|faded|went out|gone|left|cooled|"
    r"passed|forgotten|evaporated|turned|changed|gave place|ebbed|at an end|over|grew into|became)"
)
_FOND = r"(?:love|like|trust|respect|admire|esteem|value|care for|be fond of|lean on|look up to|cherish)"
_ILL = r"(?:hate|loathe|detest|despise|distrust|mistrust|dislike|fear|abhor|shun)"
_CAME_TO = r"(?:came|come|comes|grew|grown|learned|learnt|began|begun|taught|brought)"
_TOWARDS = r"(?:against|towards?|for|at|to|of|in)"
_DONE = (
    r"(?:over|ended|forgotten|healed|made up|died|at an end|dead|buried|laid by|laid aside|mended|patched)"
)

TURNS: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {
        "FORGIVES": (
            r"E and T ~(?:made (?:it |matters |things |their quarrel )?up|(?:were|was) reconciled|"
            r"shook hands|made (?:their )?peace|friends again|buried the|forgave each other|became friends|"
            r"good friends now|embraced|understood each other)",
            r"E and T ~(?:friends|on good terms) (?:from that|from then|from this|ever after|thenceforth|"
            r"after that|henceforth)",
            r"E and T ~(?:laid|put|cast|threw|set) ~(?:quarrel|differences?|enmity|feud|anger|grudges?|"
            r"grievances) ~(?:by|aside|away|behind)",
            r"E ~(?:forgave|forgiven|forgives|was reconciled (?:to|with)|made it up with|made "
            r"E's peace with|begged E's pardon of|asked pardon of|held out E's hand to|owed E's life to|"
            r"was saved by) T",
            r"E ~(?:begged|asked|asks|craved|entreated|implored|received|won|had) T's (?:pardon|forgiveness)",
            rf"{_COLD} (?:between|of) E and T ~{_DONE}",
            rf"E's {_ILL_WILL} (?:\w+ )?{_TOWARDS} T ~{_MELTED}",
            rf"E's (?:heart|face|manner|voice|feelings) ~(?:softened|melted|thawed|warmed) ~{_TOWARDS} T",
            r"E ~(?:won over|disarmed|conquered|appeased|softened) (?:by|towards?) T",
            r"E ~(?:changed|altered) E's (?:mind|opinion|feelings) ~(?:about|of|to|towards?) T",
            r"E ~(?:misjudged|wronged|done T wrong|been unjust to|mistaken in|mistaken about|wrong about) T",
            rf"E ~{_CAME_TO} to {_FOND} T",
            r"(?:what|all that|whatever) E ~felt (?:for|towards?) T ~(?:turned|changed|became|grew)",
            r"(?:talk|word|letter|explanation|meeting|hour) ~(?:set|put|made) ~(?:right|straight|up|peace|"
            r"friends) ~(?:between |of )?E and T",
            r"(?:peace|all forgiven|all was forgiven|friendship was restored|reconciliation) ~between E and "
            r"T",
            r"(?:reconciled|peace) ~E (?:and|with|to) T",
            r"E ~(?:bygones|hatchet) ~T",
            r"(?:bygones|hatchet) ~E (?:and|to|with) T",
        ),
        "QUARRELS_WITH": (
            r"E and T ~(?:quarrell?ed|fell out|fallen out|broke(?:n)? (?:off|with)|came to blows|had words|"
            r"parted in anger|parted as enemies)",
            r"E ~(?:quarrell?ed|fell out|fallen out|broke|broken|had done) with T",
            rf"E's {_GOOD_WILL} (?:\w+ )?{_TOWARDS} T ~(?:died|turned|changed|ended|cooled|faded|gone|"
            r"vanished|over|at an end|dead|gave way|gave place|soured|withered)",
            rf"{_GOOD_WILL} (?:between|of) E and T ~(?:over|ended|at an end|dead|broken|soured|turned|"
            r"cooled)",
            rf"E ~{_CAME_TO} to {_ILL} T",
            r"E ~(?:turned|set E's face) (?:against|from|upon) T",
        ),
    }
)
"""By predicate; the people are E and T."""
