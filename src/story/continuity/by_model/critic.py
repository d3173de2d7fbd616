"""A language model as a critic: chapters held against the canon, and every finding tried once more.

1. Chapters, some together, go to the model with all that was told before them where that is short, else with
   the lines of the story's bible that are near to them. So cost is linear in the text.
2. What it finds counts only where both sides stand in the text. These findings, and those of the rules, are
   tried: the model is asked twice to show that they are none, all of a chapter in one request, and in the
   other order in a second. Of two answers that read the same text the second corrects much that the first
   made up (Dhuliawala et al. 2023), and models prefer what stands first (Wang et al. 2023).
"""

from __future__ import annotations

import logging
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from ....core.interfaces import Generator, Vectors
from ....core.prompting import read_answer
from ....core.runtime.model_requests import ModelPlan, answer_all
from ....core.text.sentences import sentences
from ....core.types import Chapter, Document, Evidence, Horizon, Prompt, Span
from ....errors import ModelRefused
from ...bible import Bible, Line, Nearness, bible, canon_lines, grouped, under_names
from ...evidence.quote_finder import QuoteFinder
from ...evidence.windows import text_windows
from ...graph_rag.views.story_view import StoryView
from ...model.findings import Severity, Violation
from .answers import Contradiction, Contradictions, Verdicts, contradiction_prompt, trial_prompt

RULE = "model_critic"
ANSWER_TOKENS = 2048
NO_VERDICT = ""
LEAST_WORDS = 3  # a shorter quote stands in any text
CANON_TOKENS = 10_000  # of the lines that a window is held against
_WHOLE_STORY = 12_000  # tokens of a story that is read as one passage
_WINDOW = 12_000  # tokens of text that is checked at once
_MOST_BEFORE, _MOST_TRIED = 6000, 2000  # tokens of text before a window, and between the sides of findings
_CANON_TRIED = 600
_SLACK = 64  # tokens of the chat's own markup
_MOST_CHARACTERS = 12  # of a token, on the average of a text
_AROUND = 600  # characters on either side of a quote that is tried
_PARAGRAPH_END = re.compile(r"\n\s*\n")
_WHOLE_BIBLE = partial(bible, whole=True)
_log = logging.getLogger(__name__)

Progress = Callable[[int, int], None]
Embed = Callable[[Sequence[str]], Vectors]


@dataclass(frozen=True, slots=True)
class ModelReview:
    """What came of asking a model. ``claimed`` counts the findings it stated, ``dropped`` those that were
    left out and why. Of ``tried`` ones, the rules' among them, it gave ``agreed`` the same verdict twice, and
    ``silent`` none in one order at least."""

    violations: tuple[Violation, ...]
    windows: int
    claimed: int
    dropped: tuple[tuple[str, int], ...]
    tried: int = 0
    agreed: int = 0
    silent: int = 0


class ModelCritic:
    """Asks ``generator`` for contradictions in ``book``, or in a draft set after some chapter of it.

    ``canon`` makes the bible of a view; ``embed`` makes vectors of unit length by which lines of it are near
    to a chapter's sentences, too; ``tries``: ask twice more of what is found; ``is_answered`` says
    whether a prompt with an answer of that length was asked before. Costs the model's time:
    a call a window, and two a chapter in which something is found. Same model and seed, same findings, where
    the model can. Findings bear the origin ``model:NAME``. ``review`` is what the last run found.
    """

    def __init__(
        self,
        generator: Generator,
        book: Document,
        *,
        canon: Callable[[StoryView], Bible] = _WHOLE_BIBLE,
        embed: Embed | None = None,
        tries: bool = True,
        is_answered: Callable[[Prompt, int], bool] = lambda *_: False,
        progress: Progress = lambda *_: None,
    ) -> None:
        self._generator = generator
        self._book = book
        self._canon = canon
        self._nearness = Nearness(embed) if embed is not None else None
        self._tries = tries
        self._is_answered = is_answered
        self._progress = progress
        self._answer_tokens = min(ANSWER_TOKENS, generator.context_tokens // 3)
        self.review = ModelReview((), 0, 0, ())

    @property
    def name(self) -> str:
        """The origin of its findings."""
        return f"model:{self._generator.name}"

    def plan(self, view: StoryView) -> ModelPlan:
        """What the windows will cost at most; to try what is found costs two calls more a chapter. Costs a
        count of tokens."""
        count = self._generator.count_tokens
        prompts = {asked.prompt for asked in self._asked(_Run(view, self._book, None))}
        due = [prompt for prompt in prompts if not self._is_answered(prompt, self._answer_tokens)]
        tokens = sum(count(prompt.system) + count(prompt.user) for prompt in due)
        most = len(due) * self._answer_tokens
        return ModelPlan(self._generator.name, len(due), len(prompts) - len(due), tokens, most)

    def judged(
        self, view: StoryView, candidates: Sequence[Violation] = (), *, draft: Document | None = None
    ) -> tuple[Violation, ...]:
        """What it finds in the book as far as the view goes, or in the ``draft`` told on top of it, and those
        of the ``candidates`` that stand. Raises ModelError; a window that the model refuses is counted and
        passed over, unless it refuses all of them."""
        run = _Run(view, self._book, draft)
        asked = list(self._asked(run))
        answers = self._answers([each.prompt for each in asked], self._answer_tokens)
        refused = [answer for answer in answers.values() if isinstance(answer, ModelRefused)]
        if asked and len(refused) == len(answers):
            raise refused[0]
        claimed, dropped = 0, Counter[str]()
        for each in asked:
            answer = answers[each.prompt]
            if isinstance(answer, ModelRefused):
                _log.warning("a window of %d characters was not checked: %s", len(each.window), answer)
                dropped["windows that the model refused"] += 1
                continue
            read = read_answer(answer, Contradictions)
            claimed += len(read.value.findings) + read.odd
            dropped["items in another form"] += read.odd
            for claim in read.value.findings:
                dropped[run.keep(claim, each, self.name)] += 1
        own = [one for one in run.found.values() if not any(_same_places(one, c) for c in candidates)]
        found = [*candidates, *own]
        verdicts = self._verdicts(run, found) if self._tries else {}
        stands = [one for one in found if set(verdicts.get(one, ())) <= {"none", NO_VERDICT}]
        dropped["findings that it took back when asked again"] += len(found) - len(stands)
        dropped.pop("", None)
        self.review = ModelReview(
            tuple(one for one in stands if one.origin == self.name),
            len(asked),
            claimed,
            tuple(sorted((+dropped).items())),
            len(verdicts),
            sum(
                NO_VERDICT not in said and len({one == "none" for one in said}) == 1
                for said in verdicts.values()
            ),
            sum(NO_VERDICT in said for said in verdicts.values()),
        )
        return tuple(stands)

    def _answers(self, prompts: Sequence[Prompt], most: int) -> dict[Prompt, str | ModelRefused]:
        def answer(prompt: Prompt) -> str | ModelRefused:
            try:
                return self._generator.generate(prompt, max_tokens=most).text
            except ModelRefused as error:
                return error

        every, concurrency = list(dict.fromkeys(prompts)), self._generator.concurrency
        return answer_all(every, answer, concurrency=concurrency, progress=self._progress)

    # --- a chapter against the canon ---------------------------------------------------------------

    def _asked(self, run: _Run) -> Iterator[_Asked]:
        document, chapters = run.documents[-1], run.chapters[run.documents[-1].id]
        if not chapters:
            return
        whole = Span(chapters[0].body.start, chapters[-1].body.end)
        room = min(_WHOLE_STORY, self._room() // 2)
        if len(run.documents) == 1 and self._fits(whole.of(document.text), room):
            prompt = contradiction_prompt(whole.of(document.text))
            yield _Asked(document, chapters[-1], whole, "", (), prompt)
            return
        for chapter, window in self._windows(chapters, document.text):
            yield self._against(run, document, chapter, window)

    def _against(self, run: _Run, document: Document, chapter: Chapter, window: Span) -> _Asked:
        passage, count = window.of(document.text), self._generator.count_tokens
        spare = self._room() - count(passage)
        before = run.all_before(document, chapter, window)
        fits = self._fits(before, min(_MOST_BEFORE, spare))
        lines: tuple[Line, ...] = ()
        if not fits:
            names = run.named_in(document.id, window)
            lines = self._lines(run, chapter.number - 1, names, passage, min(CANON_TOKENS, spare))
            before = Span(chapter.body.start, window.start).of(document.text)[-_AROUND:]
        prompt = contradiction_prompt(passage, canon=under_names(lines, run.view.name), earlier=before)
        return _Asked(document, chapter, window, before, lines, prompt)

    def _fits(self, text: str, tokens: int) -> bool:
        return len(text) <= _MOST_CHARACTERS * tokens and self._generator.count_tokens(text) <= tokens

    def _lines(
        self, run: _Run, last: int, names: Iterable[str], passage: str, most_tokens: int
    ) -> tuple[Line, ...]:
        """Of the canon up to chapter ``last`` what is near to a passage, in which these are named."""
        canon, count = self._canon(run.view.as_of(Horizon(last))), self._generator.count_tokens
        nearness, told = self._nearness, [span.of(passage) for span in sentences(passage)]
        likeness = None if nearness is None else lambda texts: nearness(texts, told)
        near = canon_lines(canon, names, told, most_tokens=most_tokens, count=count, likeness=likeness)
        return grouped(near)

    def _room(self) -> int:
        """Tokens for the passage and what is told before."""
        bare, count = contradiction_prompt(""), self._generator.count_tokens
        fixed = count(bare.system) + count(bare.user) + _SLACK
        return max(200, self._generator.context_tokens - self._answer_tokens - fixed)

    def _windows(self, chapters: Sequence[Chapter], text: str) -> Iterator[tuple[Chapter, Span]]:
        """Chapters together as far as they fill a window, each window with its first chapter; of one that
        does not fit alone whole sentences, and of a sentence that does not a part."""
        room, count = min(_WINDOW, self._room() // 2), self._generator.count_tokens
        first, end, filled = chapters[0], chapters[0].body.start, 0
        for chapter in chapters:
            tokens = count(chapter.body.of(text))
            if filled and filled + tokens > room:
                yield first, Span(first.body.start, end)
                filled = 0
            first = first if filled else chapter
            end = chapter.body.end
            if tokens > room:
                yield from ((chapter, one) for one in self._cut(chapter.body, text, room))
            else:
                filled += tokens
        if filled:
            yield first, Span(first.body.start, end)

    def _cut(self, body: Span, text: str, room: int) -> Iterator[Span]:
        inside = (one.moved(body.start) for one in sentences(body.of(text)))
        return text_windows(text, inside, room=room, count=self._generator.count_tokens)

    # --- findings are tried ------------------------------------------------------------------------

    def _verdicts(self, run: _Run, found: Sequence[Violation]) -> dict[Violation, tuple[str, str]]:
        """Of each why it is none, by either answer; ``none`` where it stands."""
        groups: dict[tuple[str, int], list[Violation]] = defaultdict(list)
        for one in found:
            if len(one.evidence) > 1:
                groups[one.evidence[-1].document_id, one.evidence[-1].chapter].append(one)
        prompts = {
            key: (self._trial(run, of), self._trial(run, of[::-1], swapped=True))
            for key, of in groups.items()
        }
        every = [prompt for pair in prompts.values() for prompt in pair]
        answers = self._answers(every, self._answer_tokens) if every else {}
        verdicts: dict[Violation, list[str]] = {one: [] for of in groups.values() for one in of}
        for key, (first, second) in prompts.items():
            for prompt, of in ((first, groups[key]), (second, groups[key][::-1])):
                answer = answers[prompt]
                read = (
                    () if isinstance(answer, ModelRefused) else read_answer(answer, Verdicts).value.findings
                )
                reasons = {one.number: one.reason for one in read}
                for number, one in enumerate(of, start=1):
                    verdicts[one].append(reasons.get(number, NO_VERDICT))
        return {one: (said[0], said[1]) for one, said in verdicts.items()}

    def _trial(self, run: _Run, of: Sequence[Violation], *, swapped: bool = False) -> Prompt:
        """With the text around both sides, and what the story lays down between them of whom they are about;
        all of the text, where that is short."""
        pairs = [(one.evidence[0].quote, one.evidence[-1].quote) for one in of]
        pairs = [pair[::-1] for pair in pairs] if swapped else pairs
        room = self._room() // 2
        whole = run.all_told(of)
        if self._fits(whole, min(_MOST_TRIED, room)):
            return trial_prompt(whole, pairs)
        quotes = {quote: None for one in of for quote in (one.evidence[0], one.evidence[-1])}
        text = "\n\n[…]\n\n".join(run.around(quote) for quote in sorted(quotes, key=run.view.place))
        last = max(one.evidence[-1].chapter for one in of)
        about = {who for one in of for who in one.entities}
        words = "\n".join(quote.quote for quote in quotes)
        lines = self._lines(run, last, about, words, _CANON_TRIED)
        return trial_prompt(text, pairs, canon=under_names(lines, run.view.name))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A window, what was told before it as text and as lines, and the prompt made of all."""

    document: Document
    chapter: Chapter
    window: Span
    before: str
    lines: tuple[Line, ...]
    prompt: Prompt


class _Run:
    """One run over one view: what may be read, where quotes stand, and what was kept. Of the book that is
    what the view's horizon admits, and nothing from the draft's own chapter on."""

    def __init__(self, view: StoryView, book: Document, draft: Document | None) -> None:
        self.view = view
        self.found: dict[tuple[Evidence, ...], Violation] = {}
        self.documents = (book,) if draft is None else (book, draft)
        last = draft.chapters[0].number - 1 if draft is not None else None
        told = [one for one in book.chapters if view.horizon.admits(one.number)]
        self.chapters = {book.id: [one for one in told if last is None or one.number <= last]}
        if draft is not None:
            self.chapters[draft.id] = list(draft.chapters)
        self._finders: dict[str, QuoteFinder] = {}

    def named_in(self, document: str, span: Span) -> tuple[str, ...]:
        """Ids of who and what is mentioned in that stretch, in order of first mention."""
        quotes = ((one.evidence, one.entity) for one in self.view.log.mentions)
        named = (
            self.view.resolve(entity)
            for quote, entity in quotes
            if quote.document_id == document and span.contains(quote.span)
        )
        return tuple(dict.fromkeys(named))

    def all_before(self, document: Document, chapter: Chapter, window: Span) -> str:
        """All that may be read before the window, in order of telling."""
        parts = []
        for one in self.documents:
            for part in self.chapters[one.id]:
                here = one.id == document.id and part.number == chapter.number
                parts.append(one.text[part.body.start : window.start if here else part.body.end])
                if here:
                    break
            if one.id == document.id:
                break
        return "\n\n".join(part for part in parts if part.strip())

    def all_told(self, of: Sequence[Violation]) -> str:
        """From the first quote's paragraph to the last one's."""
        first = min((one.evidence[0] for one in of), key=self.view.place)
        last = max((one.evidence[-1] for one in of), key=self.view.place)
        parts: list[str] = []
        for document in self.documents:
            low = first.span.start if document.id == first.document_id else 0
            end = self.chapters[document.id][-1].body.end if self.chapters[document.id] else 0
            high = last.span.end if document.id == last.document_id else end
            if parts or document.id == first.document_id:
                parts.append(_paragraphs(document.text[:end], low, high))
            if document.id == last.document_id:
                break
        return "\n\n".join(parts)

    def around(self, quote: Evidence) -> str:
        """The words around a quote, within its chapter."""
        document = next(one for one in self.documents if one.id == quote.document_id)
        body = next(one.body for one in self.chapters[document.id] if one.number == quote.chapter)
        span = quote.span
        return document.text[max(body.start, span.start - _AROUND) : min(body.end, span.end + _AROUND)]

    def keep(self, claim: Contradiction, asked: _Asked, origin: str) -> str:
        """Why the claim is dropped; empty where it is kept."""
        if len(claim.later.split()) < LEAST_WORDS:
            return "quotes too short to prove anything"
        document = asked.document
        last = self._placed(document, claim.later, asked.window)
        if last is None:
            return "later quotes that are not in the passage"
        line = asked.lines[claim.line - 1] if 1 <= claim.line <= len(asked.lines) else None
        first = line.evidence[0] if line is not None else self._earlier(claim.earlier, asked)
        if first is None:
            return "earlier quotes that stand nowhere before"
        if first.document_id == document.id and first.span.overlaps(last.span):
            return "two quotes from one place"
        sides = tuple(sorted((first, last), key=self.view.place))
        self.found.setdefault(sides, self._violation(claim, sides, origin))
        return ""

    def _placed(self, document: Document, quote: str, within: Span) -> Evidence | None:
        if document.id not in self._finders:
            self._finders[document.id] = QuoteFinder(document.text)
        found = self._finders[document.id].place(quote, within=within)
        if found is None:
            return None
        chapter = next((one for one in document.chapters if one.body.contains(found[0])), None)
        return Evidence.of(document, chapter.number, found[0]) if chapter is not None else None

    def _earlier(self, quote: str, asked: _Asked) -> Evidence | None:
        """In the window itself, else in the text that was shown before it."""
        if len(quote.split()) < LEAST_WORDS:
            return None
        if (found := self._placed(asked.document, quote, asked.window)) is not None:
            return found
        if not asked.before.strip():
            return None
        for document in self.documents:
            chapters, here = self.chapters[document.id], document.id == asked.document.id
            end = asked.window.start if here else chapters[-1].body.end if chapters else 0
            low = chapters[0].body.start if chapters else 0
            if low < end and (found := self._placed(document, quote, Span(low, end))) is not None:
                return found
        return None

    def _violation(self, claim: Contradiction, sides: tuple[Evidence, ...], origin: str) -> Violation:
        about = {who for side in sides for who in self.named_in(side.document_id, side.span)}
        chapters = list(dict.fromkeys(str(side.chapter) for side in sides))
        many = len(chapters) > 1
        where = f"chapters {' and '.join(chapters)} tell" if many else f"chapter {chapters[0]} tells"
        what = "" if claim.kind == "other" else f"of a {claim.kind} "
        sure = claim.sure  # of what a model is less than half sure it is mostly wrong
        return Violation(
            rule=RULE,
            severity=Severity.ERROR if sure >= 0.75 else Severity.WARNING if sure >= 0.5 else Severity.INFO,
            message=f"What {where} {what}cannot both be true.",
            entities=tuple(sorted(about)),
            evidence=sides,
            suggestion="Make the two agree, or tell what changed between them.",
            unless="a change, a lie, a dream or a mistake is told that accounts for both",
            origin=origin,
            confidence=round(sure, 2),
        )


def _same_places(one: Violation, other: Violation) -> bool:
    """Does each quote of the first overlap one of the second?"""
    return all(any(quote.overlaps(there) for there in other.evidence) for quote in one.evidence)


def _paragraphs(text: str, low: int, high: int) -> str:
    """From the start of the paragraph at ``low`` to the end of that at ``high``."""
    start = text.rfind("\n\n", 0, low)
    end = _PARAGRAPH_END.search(text, high)
    return text[0 if start < 0 else start + 2 : len(text) if end is None else end.start()]
