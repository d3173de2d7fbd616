"""A draft accepted as the next chapter of a project's book, of a series the last one, and taken back.

The project keeps the book as it grows in ``book/ID.md``: the file that was indexed first is never written
to. Since a chapter is only added, the book before it is the one without it, and can always be had back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.chapters.numerals import in_roman, number
from ..core.documents import document_from_text
from ..core.files.atomic import replace_file
from ..core.series import parted, with_last
from ..core.store.records import AcceptedChapter, accepted_in, remember_accepted
from ..core.types import Document, Span
from ..errors import DocumentError, UsageError
from ..story.writing.pipelines import FUSED
from ..story.writing.prompts import Form, read_suggestions, suggestions_prompt
from .comparing import context_maker, settings_of
from .creating import Reindexing
from .factories import require_own_model
from .storage.opening import open_store

if TYPE_CHECKING:
    from ..story.model.findings import Violation
    from .indexing import IndexReport
    from .parts import OpenProject


BOOKS = "book"
"""The folder in a project with the text of its book, once a chapter was accepted."""
MAX_TITLE = 200
"""Characters of the longest title."""
_NUMERAL = re.compile(r"\b(?:\d{1,4}|[IVXLC]{1,8})\b")
_MARKS = re.compile(r"#{1,6} ")
_MARKED = re.compile(r"#{1,6} +(\S.*)")
_NUMBERED = re.compile(r"(?:[A-Za-z]+ )?(?:\d{1,4}|[IVXLC]{1,8})\b[.:]?(.*)")


@dataclass(frozen=True, slots=True)
class Accepted:
    """The chapter that was added, or taken back, and what indexing it took. ``file`` holds the book now."""

    number: int
    title: str
    words: int
    file: Path
    report: IndexReport


class Desk(Reindexing):
    """Accepts drafts for the project in a folder. One publication changes text, index and graph together: who
    reads meanwhile, or after a crash, sees the book with the chapter or without it."""

    __slots__ = ()

    def accept(self, draft: str, *, title: str = "", after: int | None = None) -> Accepted:
        """Makes the draft the next chapter; only that is read and embedded. ``after`` is the chapter that the
        draft was written to follow. Raises UsageError where that is not the last one, and for a draft that
        cannot be a chapter (see :func:`.next_chapter.with_next_chapter`); then all is as it was."""

        def grow(book: Document) -> Document:
            if after is not None and after != len(book.chapters):
                raise UsageError(
                    f"the draft was written to follow chapter {after}, but {book.title} continues "
                    f"after it: write one that follows its last chapter"
                )
            grown = with_next_chapter(parted(book)[-1], draft, title=title)
            whole, before = with_last(book, grown.document), _before_last(book)
            added = Span(before + grown.added.start, before + grown.added.end)
            with open_store(self.folder) as store:
                kept = (*accepted_in(store, book), AcceptedChapter.of(whole.text, added))
                remember_accepted(store, kept)
            return whole

        return self._change(grow, about=1)

    def take_back(self) -> Accepted:
        """Takes the last chapter out again, where it was accepted: the book is as it was before, to the
        byte. Raises UsageError where the book's last chapter is not one that was accepted."""

        def cut(book: Document) -> Document:
            with open_store(self.folder) as store:
                standing = accepted_in(store, book)
            last = standing[-1].span if standing else None
            if last is None or not last.contains(book.chapters[-1].body):
                raise UsageError(
                    f"the last chapter of {book.title} was not accepted from a draft: there is "
                    f"nothing to take back"
                )
            text = book.text[_before_last(book) : last.start] + book.text[last.end :]
            own = parted(book)[-1]
            return with_last(book, document_from_text(text, id=own.id, title=own.title))

        return self._change(cut, about=0)

    def _change(self, change: Callable[[Document], Document], *, about: int) -> Accepted:
        """The book before (0) or after (1) the change ends with the chapter that it is ``about``."""
        seen: list[Document] = []

        def changed(book: Document) -> Document:
            seen.extend((book, change(book)))
            return seen[1]

        report = self.change_text(changed)
        book = seen[about]
        last = book.chapters[-1]
        words = len(last.body.of(book.text).split())
        return Accepted(last.number, last.title, words, self._write(*seen), report)

    def _write(self, before: Document, book: Document) -> Path:
        """The file that the project keeps the book in, once it holds this. What is there and is not the book
        before, as another text was indexed since, is kept beside it."""
        old, new = parted(before)[-1], parted(book)[-1]
        file = self.folder / BOOKS / f"{new.id}.md"
        if file.is_file() and file.read_bytes() not in (old.text.encode(), new.text.encode()):
            file.replace(file.with_suffix(".old.md"))
        replace_file(file, new.text)
        if not book.books:
            with open_store(self.folder) as store:
                store.remember("book", file.relative_to(self.folder).as_posix())
        return file


def _before_last(book: Document) -> int:
    """Where the text of a series' last book begins."""
    return book.books[-1].start if book.books else 0


@dataclass(frozen=True, slots=True)
class Grown:
    """A book with one chapter more; ``added`` covers all that was added, heading and white space too."""

    document: Document
    added: Span


def with_next_chapter(book: Document, draft: str, *, title: str = "") -> Grown:
    """The book with ``draft`` as its next chapter, every other chapter where it was.

    A heading that the draft begins with stays where the book takes it, unless ``title`` names another; else
    its title goes into one that reads as the book's do. Raises UsageError for a blank draft or a title that
    is none; for a draft that would not be read again as one chapter, as it holds headings or ends the book;
    and where no heading begins a chapter in a book like this one."""
    said = "\n".join(draft.splitlines()).strip()
    if not said:
        raise UsageError("the draft is blank: give one with a chapter in it")
    line = _line(title)
    plain, own, has_heading = _without_heading(said)
    tries = [(opening, plain) for opening in _openings(book, line or own)]
    if has_heading and not line and _marks(said) == _marks(book.chapters[-1].heading.of(book.text)):
        tries.insert(0, ("", said))  # under its own heading, where the book takes it
    most = 0
    for opening, body in tries:
        grown = _grown(book, opening, body)
        count = len(grown.document.chapters) - len(book.chapters)
        most = max(most, count)
        if count == 1 and _holds(grown, book, plain):
            return grown
    if most > 1:
        raise UsageError(f"the draft would be read as {most} chapters: remove lines that look like headings")
    if not book.chapters[-1].heading:
        raise UsageError(
            f"{book.title} has no chapter headings, so none can follow: put a line such as CHAPTER 1 above "
            "its text and index it again"
        )
    raise UsageError(
        f"the draft would not be read as chapter {len(book.chapters) + 1} of {book.title}: remove lines "
        "in it that end a book or look like headings"
    )


def _without_heading(said: str) -> tuple[str, str, bool]:
    """The draft without its heading, that heading's title ("" for a number alone), and whether it has one."""
    first, _, rest = said.partition("\n")
    label, body = "", said
    if marked := _MARKED.match(first):
        label, body = marked[1], rest.strip()
    else:
        chapters = document_from_text(said, id="draft", title="draft").chapters
        if len(chapters) == 1 and chapters[0].heading and not chapters[0].heading.start:
            label, body = chapters[0].title, chapters[0].body.of(said)
    if not body:
        return said, "", False
    numbered = _NUMBERED.match(label)
    return body, numbered[1].strip() if numbered else label, bool(label)


def _marks(heading: str) -> str:
    found = _MARKS.match(heading.strip())
    return found[0] if found else ""


def _line(title: str) -> str:
    line = " ".join(title.split())
    if len(line) > MAX_TITLE or not line.isprintable():
        raise UsageError(f"a title is one line of at most {MAX_TITLE} printable characters: give another")
    return line.lstrip("# ")


def _grown(book: Document, opening: str, said: str) -> Grown:
    at = book.chapters[-1].body.end
    newline = "\r\n" if "\r\n" in book.text else "\n"
    added = "\n\n".join(("", *([opening] if opening else []), said)).replace("\n", newline)
    added += newline if at == len(book.text) else ""
    text = book.text[:at] + added + book.text[at:]
    try:
        return Grown(document_from_text(text, id=book.id, title=book.title), Span(at, at + len(added)))
    except DocumentError as error:
        raise UsageError(f"the draft cannot be added: {error}") from error


def _holds(grown: Grown, book: Document, body: str) -> bool:
    """Is all that was there where it was, and the draft the body of the last chapter?"""
    *others, last = grown.document.chapters
    pairs = zip(others, book.chapters, strict=True)
    same = all((one.number, one.body) == (old.number, old.body) for one, old in pairs)
    return same and last.body.of(grown.document.text).replace("\r\n", "\n") == body


def _openings(book: Document, title: str) -> Iterator[str]:
    """Headings to try, the likeliest first."""
    next_ = len(book.chapters) + 1
    behind = f": {title}" if title else ""
    lines = [line.strip() for line in book.chapters[-1].heading.of(book.text).splitlines() if line.strip()]
    marks = next(filter(None, map(_marks, lines)), "")
    for line in reversed(lines):
        numeral = _NUMERAL.search(line)
        value = number(numeral[0]) if numeral else None
        if numeral and value:
            following = int(value[0]) + 1
            like = str(following) if numeral[0].isdigit() else in_roman(following)  # as the last is written
            named = line[: numeral.start()] + like
            yield from (named + behind, f"{named}\n\n{title}") if title else (named,)
    words = [f"{marks}Chapter"] if marks else []
    yield from (f"{word} {next_}{behind}" for word in (*words, "Chapter", "CHAPTER", "# Chapter"))


_ASKED = "What happens next?"
_TOKENS = {"line": 60, "outline": 160, "scene": 260}  # of one


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One way to go on, and what the critic finds in it beside the story, gravest first."""

    text: str
    findings: tuple[Violation, ...]


@dataclass(frozen=True, slots=True)
class Suggestions:
    """What ``model`` suggested after chapter ``after``; ``notices`` say what else is to be known."""

    model: str
    after: int
    items: tuple[Suggestion, ...]
    notices: tuple[str, ...] = ()


def suggest(
    project: OpenProject, wish: str = "", *, count: int = 3, form: Form = "line", as_of: int | None = None
) -> Suggestions:
    """``count`` ways to go on after ``as_of``, by the language model, each held against the story. Raises
    UsageError for the packaged model, which is too small, HorizonError for a chapter that is not,
    MemoryBudgetError, ModelError where the model fails."""
    require_own_model(project.config, "suggestions are made")
    config, horizon = project.config, project.horizon(as_of)
    room = settings_of(project)
    maker = context_maker(project)
    task = maker.task(wish.strip() or _ASKED, horizon=horizon, room=room)
    made = maker.make(task, FUSED)
    notices = [f"without material from the story: {made.error}"] if made.error else []
    prompt = suggestions_prompt(
        wish,
        context=made.context.text if made.context else "",
        count=count,
        form=form,
        wishes=config.wishes.words,
    )
    sampling = room.sampling
    with project.monitor.work():
        answer = project.generator.generate(
            prompt,
            max_tokens=max(sampling.max_tokens, count * _TOKENS[form]),
            temperature=sampling.temperature,
            seed=sampling.seed,
        )
        found = read_suggestions(answer.text, count=count)
        checker = project.draft_checker(as_of, by_rules=True)
        items = tuple(Suggestion(text, tuple(checker.check(text).counted)) for text in found)
    if len(found) < count:
        notices.append(f"the model gave {len(found)} of {count}")
    return Suggestions(answer.model, task.chapter, items, tuple(notices))
