"""What is kept from somebody, and what somebody shows to know, told by a turn of phrase that no verb's frame
holds: "it was the one thing that Anna had never been told", "Tom's first words were of the letter"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ....core.types import Span
from ...model.chapter_reading import Learning
from ...model.types import EntityKind, Modality
from ..clauses.arguments import Arguments
from ..coreference.pronouns import Reference
from ..parsing.chapter import ParsedChapter, ParsedParagraph, Sentence
from ..patterns.masking import Masked, masked, text_of, wording

__all__ = ["read_knowledge_gist"]

_KEPT, _SHOWN = 0.7, 0.7
_LONGEST = 320
_LEAST = 2  # words of a matter
_LEARN = (
    r"(?:know|knew|known|hear|heard|suspect|suspected|guess|guessed|dream|dreamt|dreamed|learn|learnt|"
    r"learned|"
    r"aware|told|tell|informed|discover|discovered|find (?:it |this |that |them )?out|found (?:it )?out|"
    r"made aware|"
    r"let into|breathed|undeceived|enlightened)"
)
_COME_TO_KNOW = (
    r"(?:know|knew|known|hear|heard|suspect|suspected|guess|guessed|dream|dreamt|dreamed|learn|learnt|learned|"
    r"aware|(?:be|been|being) (?:told|informed)|discover|discovered|find (?:it |this |that |them )?out|"
    r"found (?:it )?out|made aware|let into|undeceived|enlightened)"
)
_NO_ORDER = r"(?! (?:not )?to\b)"  # "told her to sing", "learned to sing"
_NOT_WHAT = r"(?! (?:what|how|where|whether|which|why|if|when|who|her|him|them|himself|herself|me)\b)"
_ALONE = r"(?:[\w’'-]+,? ){0,7}?"  # words none of which is another person's
_IDEA = r"(?:idea|notion|suspicion|inkling|knowledge|hint|word|whisper|syllable|breath|conception)"
_UTTERED = (
    r"(?:spoke|talked|hinted|joked|laughed|jested|whispered|gossiped|complained|sighed|wept|smiled|boasted|"
    r"inquired|enquired|thought|dreamed|dreamt|wrote|sang)"
)
_SHOWING = (
    r"(?:knew|remembered|recalled|recollected|mentioned|forgave|reproached|thanked|congratulated|pitied|"
    r"blamed|"
    r"taunted|twitted|accused|alluded|referred|touched (?:up)?on|dwelt (?:up)?on|betrayed|confronted|"
    r"consoled|"
    r"condoled|sympathi[sz]ed|brought up|cast up|threw|flung|let (?:fall|slip|drop|out)|blurted|quoted|"
    r"named|"
    r"repeated|described|related|reminded)"
)

_UNAWARE = tuple(
    wording(pattern)
    for pattern in (
        r"T (?:\w+ ){0,4}?(?:not|never|n't) (?:\w+ ){0,2}?(?:tell|told|inform|informed) E",
        rf"(?:sooner|rather|never|not) ~let(?:ting)? E ~{_LEARN}",
        rf"E {_ALONE}(?:not|never|n't|hardly) ~{_COME_TO_KNOW}{_NOT_WHAT}",
        r"E ~(?:knew|know|heard|suspected|guessed|learnt|learned|dreamed|dreamt) (?:nothing|little|"
        r"as little|less)",
        rf"E ~(?:had|have|with|got|was given) (?:no|not the \w+|never the \w+|not an?|neither) ~{_IDEA}",
        rf"not (?:an?|one|the \w+) ~{_IDEA} ~(?:had |ever |was )*(?:reached|reach|come to|came to|"
        rf"breathed to|to) E",
        r"(?:hidden|hid|kept|keep|keeping|concealed|withheld|a secret|secret|guarded|dark) ~from E",
        r"(?:unknown|unbeknown|unbeknownst|no word|not a word|nothing|never|news) ~to E",
        r"(?:without E's (?:knowledge|knowing)|behind E's back|in E's ignorance)",
        r"(?:kept|left|leave|keep) E ~(?:in the dark|in ignorance|ignorant|from knowing|unaware)",
        r"E ~(?:in the dark|in (?:complete |total |entire |perfect )?ignorance|unaware|ignorant|"
        r"unsuspecting|"
        r"unsuspicious)",
        rf"(?:nobody|no one|none|not a soul) ~{_LEARN} E",
        rf"E (?:must|shall|should|might|was|were|is|may|could|can) (?:never|not|on no account) ~{_LEARN}",
        rf"(?:everybody|everyone|all the world|whole \w+|all) ~{_LEARN} ~(?:but|except|save) E",
        r"(?:all|everybody|everyone|nobody) (?:but|except|save) E (?:knew|were told|was told|had heard|"
        r"had been)",
        r"E ~(?:the last|the only one|the one person|alone) ~(?:not|never|ignorant|kept|to (?:know|hear|"
        r"learn|be))",
        rf"E (?:\w+ ){{0,3}}the (?:only|one|sole|last) [^.;§]{{0,40}}\b(?:not|never)\b ~{_LEARN}",
        r"(?:a|an|still|always|ever) (?:\w+ ){0,2}?(?:mystery|riddle|secret|enigma|puzzle) to E",
        r"from E\b[^.;§]{0,70}?\b(?:hidden|hid|kept|concealed|withheld|guarded)",
        r"no \w+ ~(?:reach(?:ed|es)?|came|come) ~(?:E's ears|to E)",
        r"(?:spared|keep|kept|shielded|saved) E the knowledge",
        r"E's (?:ears|knowledge) ~(?:never|not)",
        r"(?:never|not) ~(?:reached?|come to|came to) E's (?:ears|knowledge)",
        rf"(?:care|care|pains|sure|agreed|arranged|decided|sworn|see to it|saw to it|settled) (?:\w+ "
        rf"){{0,4}}?that E "
        rf"(?:should|would|might|must) (?:not|never) ~{_LEARN}",
        r"E (?:believed|thought|supposed|was told|had been told|was led to|went on) [^.;]{4,60}(?:and|but|"
        r";) (?:nobody|"
        r"no one|none) (?:dared|would|had the heart|was to|undeceived|had ever)",
        r"(?:would|must|should|did) not have E (?:undeceived|told|know|learn|hear)",
    )
)
_KEEPER = tuple(
    wording(pattern)
    for pattern in (
        r"E (?:[\w’'-]+,? ){1,14}?(?:nobody|no one|none|not a soul|no living soul|no creature) (?:[\w’'-]+ "
        r"){0,4}?"
        r"(?:knew|know|suspected|guessed|had been told|was told|had heard|ever knew|dreamed|dreamt)",
        r"known (?:only )?to E (?:alone|and to no|and no|and nobody|only)",
        r"(?:only )?E (?:and [\w’' -]{3,25} )?alone ~(?:knew|know)",
        r"only E(?: and [\w’' -]{3,25})? ~(?:knew|know)",
        r"(?:nobody|no one|none|not a soul) (?:but|except|save) E ~(?:knew|know|had|was|were)",
        r"E ~(?:told|tell|breathed|spoken|confided|said) ~(?:nobody|no one|none|not a soul|to nobody|"
        r"to no one|"
        r"no living)",
        r"E ~(?:never|not) ~(?:told|tell|breathed|spoken|confided|said) ~(?:a soul|anybody|anyone|any one|"
        r"a living|any living)",
        r"E ~(?:never|not) ~(?:breathed|uttered|spoken|said|let fall) (?:a|one) (?:single )?(?:word|"
        r"syllable|hint|"
        r"whisper)",
        r"E ~(?:concealed|hid|hidden|kept|withheld) ~from (?:everybody|everyone|all|the world|the house|"
        r"the town|"
        r"the family|them all|his friends|her friends)",
        r"E ~(?:swore|sworn|bound|pledged) ~to (?:silence|secrecy)",
        r"(?:known|only) to E alone",
        r"E alone ~knew",
        r"E ~(?:kept|locked|carried|hid|buried) ~(?:secret|to (?:him|her|my)self|own counsel|in E's (?:own "
        r")?"
        r"(?:breast|heart|bosom))",
        r"E's (?:one )?secret",
        r"E ~(?:carry|carried|take|took|taken) ~secret ~(?:grave|tomb|coffin)",
        r"secret ~E ~shared? with (?:no|nobody|none)",
    )
)
_FORBIDDEN = tuple(
    wording(pattern)
    for pattern in (
        r"(?:do not|don't|never|not to|shall not|must not|mustn't|will not|won't|nor) (?:\w+ ){0,3}?"
        r"(?:tell|breathe|mention|say|let|repeat|show|whisper|write) (?:\w+ ){0,8}?E",
        r"not (?:a|one) (?:word|syllable|hint|whisper|breath) (?:\w+ ){0,6}?(?:to|before) E",
        r"E (?:is|was|are|must|shall|may|need) (?:not|never) (?:to )?"
        r"(?:know|hear|learn|be told|find out|suspect)",
        r"(?:swear|promise|vow|word) ~(?:never|not) ~(?:tell|let|breathe|mention) ~E",
        r"(?:keep|hide|conceal) ~from E",
        r"(?:sooner|rather) (?:\w+ ){0,6}?than (?:\w+ ){0,3}?E (?:\w+ ){0,2}?(?:know|hear|learn)",
    )
)
"""What a speaker means to keep from somebody."""
_SHOWS = tuple(
    wording(pattern)
    for pattern in (
        rf"E ~{_SHOWING}",
        r"E ~known ~(?:of|about|that|all)",
        rf"E ~{_UTTERED} ~(?:of|about|at|over|after|for)",
        r"(?:it was )E who ",
        r"E(?:'s)?,? ~(?:knowing|remembering|aware|mindful|conscious|recalling|recollecting|thinking)",
        r"(?:knowing|remembering|aware|mindful|recalling|thinking) ~E",
        r"(?:no secret|no news|no surprise|nothing new|old news|well known|not news) ~(?:to|from|for) E",
        r"E ~(?:needed no telling|was not surprised|knew all about|knew very well|had always known|"
        r"had long known)",
        r"E ~(?:said|told|cried|remarked|observed|declared) ~(?:that|how|why)",
        r"E's ~(?:first|next|last)? ?~(?:words?|thoughts?|question|letter|allusion|reference|hint|mention|"
        r"remark|"
        r"talk|lips|mouth|joke|story|toast|answer|speech)",
        r"(?:on|from|in) E's (?:lips|mouth|letter|diary|talk)",
        r"the first to ~(?:was|were) E",
        r"E ~(?:asked|wanted to know|inquired|wondered aloud) ~(?:what|why|how|where|when|whether|after)",
    )
)
_TOLD = tuple(
    wording(pattern)
    for pattern in (
        r"(?:let|lets|letting) E ~(?:into|know|hear|have the|see how|see that)",
        r"(?:took|taken|take|taking|admitted) E ~(?:into|to) ~(?:confidence|secret)",
        r"(?:put|placed) E ~(?:in possession of|on the (?:scent|track) of|up to)",
        r"(?:made|make) E ~(?:aware|privy|party|acquainted|a partner)",
        r"(?:told|tells|informed|wrote to|confided in|confessed to|enlightened|apprised|acquainted|warned|"
        rf"undeceived) E{_NO_ORDER}",
        r"(?:told|confided|confessed|revealed|disclosed|broke|imparted|betrayed|known|explained|laid bare|"
        r"clean breast|unburdened|read aloud|read out|owned|brought|carried|repeated) ~(?:to|before) E",
        r"(?:came|come|reached|got|brought) ~(?:to )?E's (?:ears?|knowledge|notice)",
        r"(?:news|word|tidings|letter|story|report|rumou?r|message) ~(?:reached|came to|told|informed) E",
        r"E's eyes ~opened",
        r"E ~(?:had|got) (?:it|this|that|the \w+) ~from",
        r"E ~(?:came to (?:know|hear|learn)|got wind of|stumbled (?:up)?on|overheard|was told|had been "
        rf"told|learned|learnt|found out|discovered|was informed|made out|was let into){_NO_ORDER}",
    )
)
"""By which somebody comes to know of a matter, wherever it is told."""
_TRIGGER = re.compile(
    r"\b(?:nothing|know\w*|knew|hear\w*|suspect\w*|guess\w*|dream\w*|learn\w*|told|tell|tells|idea|notion|"
    r"suspicion|inkling|"
    r"hid\w*|kept|keep\w*|conceal\w*|withheld|secret\w*|unknown|unbeknown\w*|dark|ignoran\w+|unaware|"
    r"unsuspecting|ears|lips|news|back|alone|spoke\w*|talk\w*|hint\w*|jok\w+|whisper\w*|mention\w*|"
    r"remember\w*|"
    r"recall\w*|recollect\w*|forgave|reproach\w*|congratulat\w*|pitied|blam\w+|taunt\w*|twit\w*|accus\w+|"
    r"allu\w+|"
    r"referr?\w*|reference|dwelt|confront\w*|consol\w+|blurted|slip|drop|words?|thoughts?|question|who|"
    r"aware|"
    r"mindful|inquired|enquired|soul|breathed|touched|brought|threw|flung|cast)\b",
)
_UNSURE = re.compile(r"\b(?:if|whether|pretend\w*|as though|perhaps|dreamt that)\b|\?")
_SUPPOSED = re.compile(r"\b(?:if|whether|perhaps|suppose|why|would have)\b")
_SIGNS = ".,;:!?—-'\"“”"
_REAL = re.compile(r"\b(?:never|not|no|n't|nobody|nothing|hardly|none|would have|might|could)\b")
_VAGUE_MATTER = re.compile(r"\b(?:it|this|that|so much|the matter|the fact|the secret|the truth)\b")
_MARKS = re.compile(r"[“”\"«»]")
_CUES = re.compile(
    rf"\b(?:{_IDEA}|{_LEARN}|not|never|no|n't|nothing|hardly|ever|reach(?:ed|es)?|came|come|to|from|kept|"
    rf"keep|"
    r"keeping|left|leave|hid|hidden|concealed|withheld|guarded|secret|dark|ignorant|ignorance|unaware|news|"
    r"had|"
    r"has|have|with|got|been|be|was|were|so|much|as|even|yet|should|must|shall|would|could|in|about|alone|"
    r"whisper\w*|nobody|none|one|soul|anybody|anyone)\b"
)
_IT = re.compile(r"\bit\b(?! was §)")
_LIGHT = re.compile(
    r"§\d(?:'s)?|\b(?:the|a|an|of|to|it|this|that|was|had|been|and|but|as|from|which|for|"
    r"in|ever)\b"
)


def read_knowledge_gist(
    chapter: ParsedChapter, arguments: Arguments, *, kept: frozenset[int], shown: frozenset[int]
) -> Iterator[Learning]:
    """In order of the text, out of narration: what is kept (``kept``) and what is shown to be known
    (``shown``) in sentences of which nothing of the kind was read; ``kept`` and ``shown`` hold where those
    begin. The
    content is the sentence, or, where that is only "it", the one before. Costs a search of a pattern a
    paragraph, more where a trigger stands."""
    for paragraph in chapter.paragraphs:
        if (
            not paragraph.mention_of
            or paragraph.prose.letter
            or not _TRIGGER.search(paragraph.prose.text.lower())
        ):
            continue
        if chapter.scenes[paragraph.prose.scene].dream:
            continue
        for at, sentence in enumerate(paragraph.sentences):
            length = sentence.span.end - sentence.span.start
            if sentence.span.start in kept or length > _LONGEST:
                continue
            if not _narrated(paragraph, sentence):
                yield from _forbidden(chapter, arguments, paragraph, sentence)
                continue
            found = masked(chapter, arguments, paragraph, sentence)
            if not found.people or len(found.people) > 3 or _UNSURE.search(found.words):
                continue
            before = paragraph.sentences[at - 1] if at else None
            for each in _read(arguments, paragraph, (sentence, before), found):
                if each.kept or sentence.span.start not in shown:
                    yield each


def _forbidden(
    chapter: ParsedChapter, arguments: Arguments, paragraph: ParsedParagraph, sentence: Sentence
) -> Iterator[Learning]:
    """What is said to be kept from somebody named, in the words of the speech."""
    lower = text_of(paragraph, sentence).lower()
    words = [word for word in paragraph.tokens(sentence) if paragraph.spoken(word)]
    if not words or "?" in lower or not _TRIGGER.search(lower):
        return
    found = masked(chapter, arguments, paragraph, sentence, spoken=True)
    who = _first(found, _FORBIDDEN)
    if who is None or _SUPPOSED.search(found.words) or arguments.kind(who[0]) is not EntityKind.CHARACTER:
        return
    person, rest = who
    telling = _telling(rest)
    named = any(paragraph.mention_of.get(word.i) == person.mention for word in words)
    if named and len(telling) >= _LEAST:
        said = paragraph.prose.text[words[0].idx : words[-1].idx + len(words[-1])]
        sure = round(_KEPT * person.factor, 3)
        yield Learning(person.mention, said, None, (sentence.span,), Modality.NEGATED, sure, kept=True)


def _narrated(paragraph: ParsedParagraph, sentence: Sentence) -> bool:
    words = paragraph.tokens(sentence)
    text = text_of(paragraph, sentence)
    if not _TRIGGER.search(text.lower()) or _MARKS.search(text):
        return False
    return not any(paragraph.spoken(word) for word in words)


def _read(
    arguments: Arguments,
    paragraph: ParsedParagraph,
    where: tuple[Sentence, Sentence | None],
    found: Masked,
) -> Iterator[Learning]:
    for patterns, modality in ((_UNAWARE, Modality.NEGATED), (_KEEPER, Modality.FACT)):
        who = _first(found, patterns)
        if who is None or arguments.kind(who[0]) is not EntityKind.CHARACTER:
            continue
        person, rest = who
        content, spans = _matter(paragraph, where, rest)
        source = _keeper(found, person) if modality is Modality.NEGATED else None
        if content:
            sure = round(_KEPT * person.factor, 3)
            mention = source.mention if source is not None else None
            yield Learning(person.mention, content, mention, spans, modality, sure, kept=True)
        return
    if _REAL.search(found.words):
        return
    for patterns, shown in ((_TOLD, False), (_SHOWS, True)):
        who = _first(found, patterns)
        if who is not None and arguments.kind(who[0]) is EntityKind.CHARACTER:
            person, _ = who
            text = paragraph.tokens(where[0]).text.strip()
            sure = round(_SHOWN * person.factor, 3)
            span = where[0].span
            yield Learning(person.mention, text, None, (span,), Modality.FACT, sure, shown=shown)
            return


def _first(found: Masked, patterns: tuple[re.Pattern[str], ...]) -> tuple[Reference, str] | None:
    """Who the first wording that fits is about, and the masked sentence without it."""
    for pattern in patterns:
        match = pattern.search(found.words)
        if match is not None:
            rest = found.words[: match.start()] + " " + found.words[match.end() :]
            if len(_telling(rest)) < _LEAST:  # the matter stands within: "not a word of the will reached him"
                rest = f"{rest} {_CUES.sub(' ', match.group())}"
            return found.people[int(match["e"])], rest
    return None


def _telling(rest: str) -> list[str]:
    return [word for word in _LIGHT.sub(" ", rest).split() if word.strip(_SIGNS)]


def _keeper(found: Masked, unaware: Reference) -> Reference | None:
    others = [each for each in found.people if each.mention != unaware.mention]
    return others[0] if len(others) == 1 else None


def _matter(
    paragraph: ParsedParagraph, where: tuple[Sentence, Sentence | None], rest: str
) -> tuple[str, tuple[Span, ...]]:
    """(what is kept, the sentences that say so); empty where nothing tells it."""
    sentence, before = where
    text = paragraph.tokens(sentence).text.strip()
    telling = _telling(rest)
    if _IT.search(rest) and before is not None and _plain(paragraph, before):
        return paragraph.tokens(before).text.strip(), (sentence.span, before.span)
    if len(telling) >= (_LEAST if before is not None else 1):
        return text, (sentence.span,)
    if before is None or not _VAGUE_MATTER.search(rest) or not _plain(paragraph, before):
        return "", ()
    return paragraph.tokens(before).text.strip(), (sentence.span, before.span)


def _plain(paragraph: ParsedParagraph, sentence: Sentence) -> bool:
    return not any(paragraph.spoken(word) for word in paragraph.tokens(sentence))
