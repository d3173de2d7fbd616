"""Which hand somebody does things with, told as a habit, a skill or a failing: "ate with her left hand,
as she always had", "his right was good for nothing"."""

from __future__ import annotations

import re

__all__ = ["HAND_TRIGGER", "hand_by_habit", "namesake_behind"]

HAND_TRIGGER = r"lefty|south-?paws?"
_SIDE, _HER = r"(left|right)", r"(?:the|his|her|my|your|[A-Z][a-z]+[’']s)"
_OTHER = {"left": "right", "right": "left"}
_GOOD = (
    r"strong(?:er)?|better|best|clever(?:er)?|good|ready|readier|handy|handier|skilful|skilled|quick(?:er)?|"
    r"working|shooting|writing|sword|pen|drawing|throwing|bowling|natural|master|steady|steadier"
)
_BAD = (
    r"(?:good )?for nothing|good for little|no (?:good|use|earthly use)|useless|clumsy|awkward|helpless|"
    r"of (?:no|little) use|hopeless|little better than a stump"
)
_DOING = (
    r"wr(?:ote|itten|iting)|sign(?:ed|ing)|drew|drawn|drawing|paint(?:ed|ing)|sew(?:ed|n|ing)?|stitch(?:ed|"
    r"ing)|threw|throw|thrown|throwing|bowl(?:ed|ing)?|batted|batting|dealt|deal|dealing|eat|ate|eaten|"
    r"eating|shav(?:e|ed|en|ing)|carv(?:e|ed|ing)|cast|casting|pour(?:ed|ing)?|stir(?:red|ring)?|cut|"
    r"cutting|count(?:ed|ing)?|play(?:ed|ing)?|fenc(?:ed|ing)|f(?:ou|i)ght|fighting|shoot|shot|shooting|"
    r"swung|swing|held|hold|holding|took|take|taken|taking|knit(?:ted|ting)?|hammer(?:ed|ing)?|whittled|"
    r"pitch(?:ed|ing)?|serv(?:ed|ing)|work(?:ed|ing)?|d(?:o|id|one|oes|oing)|us(?:e|ed|ing)|strike|struck|"
    r"comb(?:ed|ing)?|fiddled?|reached|waved|wave|lift(?:ed|ing)?|fed|feed|drove|drive|put"
)
_DOES = (
    r"writes|signs|draws|paints|sews|stitches|throws|bowls|bats|deals|eats|shaves|carves|casts|pours|stirs|"
    r"cuts|counts|plays|fences|fights|shoots|swings|holds|takes|knits|hammers|whittles|pitches|serves|works|"
    r"does|uses|combs|fiddles|reaches|feeds"
)
_HABIT = (
    r"always|ever|habit\w*|custom\w*|wont|invariably|usually|generally|naturally|by nature|everything|"
    r"all (?:his|her|my) (?:life|days)|(?:known|noticed|remarked|observed) (?:\w+ ){0,4}that|"
    r"from (?:a|his|her|my) (?:boy|girl|child|birth|baby|cradle)\w*|for (?:\w+ ){1,2}years|"
    r"as long as (?:any|he|she|I)|as (?:was|is) (?:his|her|my) (?:way|habit|custom)|as (?:he|she|I) (?:did|"
    r"does|do)|since (?:he|she|I) (?:was|could)|like (?:every|most|all|any)\b|as other people|trick of|"
    r"every (?:morning|night|day|evening)|at cards|at table|never (?:\w+ ){1,4}(?:otherwise|other)"
)


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(rf"\b(?:{each})\b" for each in patterns), re.IGNORECASE)


_WITH = rf"(?:with|in) {_HER} {_SIDE}(?: (?:hand|arm)\b|(?=\s*[,.;!?”’\"]))"
_BETTER = _any(
    rf"{_SIDE} (?:hand|arm)? ?(?:was|is|being) (?:always )?(?:the|his|her|my)? ?(?:{_GOOD}) (?:one|hand|arm)",
    rf"(?:{_GOOD}) (?:hand|arm) (?:was|is|being) (?:the|his|her|my) {_SIDE}",
    rf"{_SIDE} (?:hand|arm), (?:which was )?(?:the|his|her|my) (?:{_GOOD}) (?:one|hand|arm)",
    rf"{_SIDE} hand (?:was the one )?(?:that|which) (?:did|he always|she always|I always)",
    rf"{_SIDE} hand was the one (?:he|she|I) (?:used|wrote|worked)",
    rf"never (?:\w+ ){{1,6}}(?:but|except|save) (?:with|in) {_HER} {_SIDE}",
)
_WORSE = _any(
    rf"{_SIDE}(?: hand| arm| one)?,? (?:was|is|being|had always been) (?:\w+ )?(?:{_BAD})",
    rf"(?:{_BAD}) (?:\w+ )?(?:with|in) {_HER} {_SIDE}",
    rf"(?:had never|never in (?:his|her|my|all) (?:\w+ )?(?:life|days)) (?:{_DOING}) "
    rf"(?:(?!but|except|save)[\w-]+ ){{0,4}}?{_WITH}",
    rf"(?:could|can) (?:\w+ )?(?:do|{_DOING}) (?:nothing|little) (?:\w+ )?{_WITH}",
    rf"(?:able|learnt?|learned|taught) to (?:use|write with|work with) {_HER} {_SIDE} (?:hand )?so well",
)
_HABITUAL = _any(
    rf"(?:{_DOING})\b[^.;:]{{0,60}}?\b{_WITH}",
    rf"{_WITH}[^.;:]{{0,60}}?\b(?:{_DOING})",
    rf"(?:brush|needle|pen|pencil|quill|knife|spoon|hammer|chalk|sword|bow|razor)s? (?:was|is) {_WITH}",
)
_PRESENT = _any(rf"(?<!be )(?:{_DOES})\b[^.;:]{{0,40}}?\b{_WITH}")
_SKILLS = _any(rf"(?:{_DOING}),? (?:(?:and|{_DOING}),? )*(?:{_DOING})\b[^.;:]{{0,12}}?\b{_WITH}")
_LEFTY = re.compile(r"\b(?:lefty|south-?paw)\b", re.IGNORECASE)
_OFTEN = _any(_HABIT)
_SIDED = _any(r"left|right", HAND_TRIGGER)
_ONCE = _any(
    r"wound\w*|hurt|broken?|bandage\w*|sling|sprain\w*|lost|disabled|injur\w+|numb\w*|swollen|stiff\w*|"
    r"withered|paraly\w+|palsied|crippled|burn(?:t|ed)|amputat\w+|lame|gone|dead",
    r"if|should|might|would|even (?:with|the|his|her)|for once|this time|one day|once|both|either|equally|"
    r"pretend\w*|dream\w*|feign\w*|as well as|as easily|as though|suddenly|"
    r"learn(?:ed|t|ing)? to|taught|teach|make|made|force[ds]?|by the (?:left|right)|turn(?:ed|ing)? to|"
    r"(?:arm|hand) of|on (?:his|her|my|the) (?:left|right)",
)
_DENIED = _any(r"not|never|nor|neither|nobody|cannot|no|hardly|scarcely")
_NO_OTHER = re.compile(r"never (?:[\w]+ ){0,6}?(?:otherwise|other|but|except|save)\b", re.IGNORECASE)
_NAME = r"(?-i:[A-Z][\w.]*)"
_BEHIND = re.compile(
    r"^[“\"]?(?:she|he|it was|the \w+ (?:was|lay)|her|his|(?:with|in|from) (?:her|his))\b.*?,? (?:as|since|"
    rf"because|where|for|and|when|that) ({_NAME}(?: {_NAME})?) (?=always|never|had (?:always|never|ever)|"
    r"was (?:an? )?(?:left|right)-hand|is (?:left|right)-hand|did\b|does\b|held it|signed|wrote)",
    re.IGNORECASE,
)


def hand_by_habit(text: str) -> tuple[str, int] | None:
    """(``"left"`` or ``"right"``, where in the sentence the side is named) of the better hand that it tells
    of; None where it tells of none, denies it, or gives a reason why the other is used for now."""
    if _SIDED.search(text) is None or _ONCE.search(text):
        return None
    for pattern, turned in ((_BETTER, False), (_WORSE, True)):
        found = _first(pattern, text)
        if found is not None:
            side, at = found
            return (_OTHER[side] if turned else side), at
    if _DENIED.search(_NO_OTHER.sub("", text)):
        return None
    nick = _LEFTY.search(text)
    if nick is not None:
        return "left", nick.start()
    sides = {each.lower() for each in re.findall(r"\b(left|right)\b", text, re.IGNORECASE)}
    if len(sides) != 1:
        return None
    found = _first(_SKILLS, text) or _first(_PRESENT, text)
    return found or (_first(_HABITUAL, text) if _OFTEN.search(text) else None)


def _first(pattern: re.Pattern[str], text: str) -> tuple[str, int] | None:
    found = pattern.search(text)
    if found is None:
        return None
    group = next(n for n, each in enumerate(found.groups(), 1) if each)
    return found.group(group).lower(), found.start(group)


def namesake_behind(text: str) -> int | None:
    """Where the name stands for which the pronoun before it goes: "She bowled with her right arm, as Lucy
    always did"."""
    found = _BEHIND.search(text)
    return found.start(1) if found is not None and found.group(1)[0].isupper() else None
