"""Settled purposes by turns of phrase that no verb of vowing holds: "had one purpose: to find it", "would not
die before he had found it", "nothing should stop him from finding it"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...model.chapter_reading import Goal
from ..clauses.arguments import Arguments
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Sentence
from ..patterns.masking import masked, text_of

__all__ = ["read_vow_gist"]

_SURE = 0.7
_LEAST = 0.7
_MOST = 20  # words of an aim
_LONGEST = 250
_AIM = r"(?P<aim>[a-z][\w’' -]+)"
_SELF = r"(?:himself|herself|myself)"
_WORDINGS = tuple(
    re.compile(words)
    for words in (
        r"\b(?:purpose|aim|object|ambition|thought|desire|mission|task|business|goal|intention|errand|"
        r"duty|vow|oath|promise|pledge|resolution|"
        r"resolve)\b[^.;?!]{0,45}?(?:\bwas|\bwere|\bbecame|:|—|--|,) ?(?:now |only |still )?"
        r"(?:to(?! (?:the|an?|his|her|my|their|this|that|it|him|them|be|which|whom)\b)|"
        rf"(?:that )?(?:he|she|i) (?:would|should)) {_AIM}",
        r"\b(?:declared|announced|told \w+(?: \w+)?|vowed|maintained|said aloud|cried|proclaimed|"
        r"wrote)\b[^.;]{0,40}?"
        r"\bthat (?:he|she|i) would (?P<aim>(?:one day|some day|yet|live to|never rest|stand|see|go to|"
        r"have|be master|be mistress|"
        r"win|find|bring|make|build) [\w’' -]+)",
        rf"\bnothing (?:would|could|should) (?:content|satisfy|do for|please|serve) [^.;]{{2,30}}? (?:now "
        rf")?but to {_AIM}",
        r"^(?P<aim>[\w’' ,-]{12,90})[;:—,] ?(?:up)?on (?:that|this) [^.;]{3,40}?\b(?:resolved|set (?:his|"
        r"her) (?:mind|heart)|"
        r"determined|swore|sworn|vowed|bent)\b",
        rf"\bgave (?:\w+ ){{1,4}}(?:his|her|my) (?:solemn )?(?:word|oath|promise) (?:that (?:he|she|i) "
        rf"would|to) {_AIM}",
        rf"\b(?:set|bound|pledged|dedicated|devoted|gave|addressed|bent) {_SELF}(?: \w+){{0,4}}? to {_AIM}",
        rf"\b(?:dedicated|devoted|consecrated|gave|given) (?:{_SELF}|(?:his|her|my) (?:whole )?(?:life|"
        rf"days|strength))(?: up)? to {_AIM}",
        rf"\bthought of nothing (?:else )?but (?:how )?to {_AIM}",
        rf"\bheart (?:was |had been )?(?:\w+ )?set (?:up)?on {_AIM}",
        r"\b(?:would|could|should|did|was|might)(?: not|n[’']t| never)(?: \w+)? (?:to )?(?:rest|sleep|"
        r"stop|die|marry|know peace|have peace|return|shave|turn back|"
        r"be happy|give up|smile|go home|lie easy)\b[^.;]{0,50}\b(?:until|till|before|unless) (?:he |"
        rf"she |i )(?:had |should |should have |have )?{_AIM}",
        r"\b(?:would|could|should|did|was)(?: not|n[’']t| never)(?: \w+)? (?:to )?(?:rest|sleep|die|marry|"
        r"have peace|shave)\b[^.;]{0,30}"
        r"\b(?:until|till|before) (?P<aim>(?:the|this|that|his|her) [\w’' -]+)",
        rf"\bnothing\b[^.;]{{0,30}}\b(?:stop|keep|turn|hinder|prevent|hold)\b[^.;]{{0,30}}\bfrom {_AIM}",
        r"^to (?P<aim>[a-z][\w’' -]+?)(?:,|:|;| was| became| that was)[^.]{0,40}\b(?:aim|purpose|object|"
        r"one thing|task|thought|business)\b",
        rf"\b(?:told {_SELF}|swore to {_SELF}|vowed to {_SELF}|promised {_SELF}|solemnly declared|"
        r"declared solemnly|wrote it|swore it|vowed it|sworn it)"
        rf"(?: [\w’']+){{0,3}}?(?:,|:|;|—)? ?(?:that )?(?:he|she|i) (?:would|should) {_AIM}",
        r"\b(?:whatever|no matter what) it (?:cost|costs|took|might cost)\b[^.;]{0,30}\b(?:would|must|"
        rf"should) {_AIM}",
        rf"\b(?:he|she|i) (?:would|should) (?P<aim>[a-z][\w’' -]+), [\w’' ]{{3,25}}(?:told {_SELF}|swore|"
        r"vowed|declared)",
        rf"\btook (?:it )?(?:up)?on {_SELF} (?:the (?:task|duty|office|charge) of |to ){_AIM}",
        rf"\btook (?:up)?on {_SELF} {_AIM}",
        r"\b(?:oath|vow|(?:his|her) word|hands? (?:up)?on it|swore|vowed)\b[^.;]{0,25}?(?:that|:) "
        r"(?P<aim>(?:the|this|that|his|her) [\w’' -]+ (?:should|would) [\w’' -]+)",
        rf"\b(?:vow|oath|promise|pledge|resolution)\b[^.;,]{{0,40}}\bwas to(?! (?:the|an?|his|her)\b) "
        rf"{_AIM}",
    )
)
_TRIGGER = re.compile(
    r"\b(?:purpose|aim|object|ambition|thought|desire|mission|task|business|goal|intention|errand|duty|"
    r"vow|oath|promise|pledge|resolution|resolve|"
    r"himself|herself|myself|heart|until|till|before|nothing|swore|sworn|vowed|whatever|no matter|"
    r"solemnly|diary|word|hands? (?:up)?on it|declared|announced|told|proclaimed|resolved|determined)\b"
)
_UNTOLD = re.compile(
    r"\b(?:dream\w*|dreamt|imagin\w*|fanc(?:y|ied)|whether|nobody|no one|refus\w+|wonder\w*|if (?:he|she|"
    r"i) (?:would|could|might)|perhaps|"
    r"would have|had almost|pretend\w*|lied)\b|\?"
)


def read_vow_gist(
    chapter: ParsedChapter, arguments: Arguments, *, told: frozenset[tuple[int, int]]
) -> Iterator[Goal]:
    """In order of the text, adopted goals of the narration in sentences (as offsets) that are not among
    ``told``. Costs one search of a pattern a paragraph, more where a trigger stands."""
    for paragraph in chapter.paragraphs:
        if not paragraph.mention_of or not _TRIGGER.search(paragraph.prose.text.lower()):
            continue
        for sentence in paragraph.sentences:
            if (sentence.span.start, sentence.span.end) not in told:
                goal = _goal(chapter, arguments, paragraph, sentence)
                if goal is not None:
                    yield goal


def _goal(
    chapter: ParsedChapter, arguments: Arguments, paragraph: ParsedParagraph, sentence: Sentence
) -> Goal | None:
    text = " ".join(text_of(paragraph, sentence).lower().split())
    if len(text) > _LONGEST or not _TRIGGER.search(text) or _UNTOLD.search(text):
        return None
    found = next((match for words in _WORDINGS if (match := words.search(text)) is not None), None)
    if found is None or paragraph.spoken(paragraph.words[sentence.start]) or paragraph.prose.letter:
        return None
    if chapter.scenes[paragraph.prose.scene].dream:
        return None
    people = masked(chapter, arguments, paragraph, sentence).people
    if not people or people[0].factor < _LEAST:
        return None
    aim = " ".join(found["aim"].split()[:_MOST])
    sure = round(_SURE * people[0].factor, 3)
    return Goal(people[0].mention, aim, "adopted", sentence.span, sure)
