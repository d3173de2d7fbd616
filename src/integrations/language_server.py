"""A Language Server (LSP 3.17) over one project: what the check finds, as diagnostics in an editor.

A file that is open is checked as it stands there: the file that was indexed as an edited copy of the book, a
file of a folder that was indexed as the chapter that it holds or held when it was last recognised, any other
as a draft of the next chapter; of a file of such a folder the editor is told so. How
far the story is known is set when the server starts. It writes nothing but suppressions that a user asks for.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import threading
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import unquote

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path
from pygls.workspace import PositionCodec

from .. import __version__
from ..core.documents import PLAIN, SCREENPLAY, read_book
from ..core.formats.folders.packing import texts_in
from ..core.text.sentences import in_marks
from ..core.types import Evidence, Span
from ..errors import FabulaError
from ..project.checking import CheckAsked, Checked, checked, suppress
from ..project.storage.opening import open_store
from ..story.continuity.critic import DRAFT_ID
from ..story.evidence.quote_finder import QuoteFinder
from ..story.evidence.untrusted import one_line
from ..story.model.findings import Severity
from ..story.model.types import gathered
from ..views.bible_files.documents import markdown_line
from ..views.cards import CardShown, cards_at
from ..views.quotes import quotes_shown

if TYPE_CHECKING:
    from ..engine import Project

T = TypeVar("T")
INTENDED = "fabula.intended"  # the command; it takes a file's URI, a finding's fingerprint and a reason
_TITLE, _REASON = "Intended: do not report again", "Intended: marked in the editor."
_UNPLACED = (
    "shares no paragraph with the book as it was indexed, and is checked as a draft of the next chapter: if "
    "it is a chapter of the book, index the book again"
)
_PAUSE_S = 0.5  # without a change, before a text is checked
_MOST_SAID = 12  # sentences of a card
_SEVERITY = dict(zip((Severity.ERROR, Severity.WARNING, Severity.INFO), lsp.DiagnosticSeverity, strict=False))
_LINE_END = re.compile(r"\r\n|\n|\r")
_BLANK_LINE = re.compile(r"(?:\r\n?|\n)\s*(?:\r\n?|\n)")


def run(opening: Callable[[bool], Project], folder: Path, asked: CheckAsked) -> None:
    """Serves the project in ``folder`` on standard input and output until the client leaves; whatever else is
    printed goes to standard error. ``opening`` opens it, with its language model or without. ``asked`` holds
    horizon, rules and suppressions; with ``model`` the language model checks drafts too when they are saved.
    Raises what opening does, and HorizonError for a chapter that is not there."""
    server = LanguageServer("fabula", __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
    desk = _Desk(server, opening, folder, asked)
    desk.project().horizon(asked.as_of)
    desk.answer()
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    server.start_io(stdout=out)


class _Text:
    """A text as an editor has it, its places as lines and columns, which count what ``codec`` says."""

    def __init__(self, text: str, codec: PositionCodec) -> None:
        self.text, self.codec, self.lines = text, codec, _LINE_END.split(text)
        self._starts = [0, *(found.end() for found in _LINE_END.finditer(text))]

    @cached_property
    def _finder(self) -> QuoteFinder:
        return QuoteFinder(self.text)

    def range(self, span: Span) -> lsp.Range:
        def position(place: int) -> lsp.Position:
            line = bisect_right(self._starts, place) - 1
            return lsp.Position(line, self.codec.client_num_units(self.text[self._starts[line] : place]))

        return lsp.Range(position(span.start), position(span.end))

    def find(self, quote: Evidence, told: str) -> Span | None:
        """Where a quote from ``told``, which was read from this text, stands in it: of several such places in
        that of the same number; else where most of its words stand."""
        if self.text == told:
            return quote.span
        found, at = None, 0
        for _ in range(1 + told.count(quote.quote, 0, quote.span.start)):
            if (another := self._finder.find(quote.quote, within=Span(at, len(self.text)))) is None:
                break
            found, at = another, another.end
        placed = None if found else self._finder.place(quote.quote)
        return placed[0] if placed else found


class _Desk:
    """The project as it is indexed now, and the last check of each file that is open."""

    def __init__(
        self, server: LanguageServer, opening: Callable[[bool], Project], folder: Path, asked: CheckAsked
    ) -> None:
        self._server, self._opening, self._folder, self._asked = server, opening, folder, asked
        self._projects: dict[bool, tuple[str, Project]] = {}  # with the stamp of the index
        self._locks, self._turns = (threading.Lock(), threading.Lock()), Counter[str]()
        self._done: dict[str, tuple[Checked, bool]] = {}
        self._problem = ""  # what was wrong last, while it is
        self._placed: dict[str, int] = {}  # by URI the chapter of a file of the folder; 0: none, -1: and told

    def project(self, model: bool = False) -> Project:
        """With its language model or without; opened again where it was indexed again."""
        with open_store(self._folder) as store:
            stamp = store.stamp()
        held = self._projects.get(model)
        if held is None or held[0] != stamp:
            if held is not None:
                held[1].close()
            for part in () if model else ("_cards", "_paragraphs"):
                self.__dict__.pop(part, None)
            self._projects[model] = stamp, self._opening(model)
        return self._projects[model][1]

    @cached_property
    def _cards(self) -> tuple[CardShown, ...]:
        project = self._projects[False][1]
        view = project.view(self._asked.as_of)
        return cards_at(view, project.bible_of(view)).cards

    @cached_property
    def _paragraphs(self) -> dict[str, int]:
        """The chapter of each, the first of those that have it."""
        book = self._projects[False][1].document
        told = ((one.number, one.body.of(book.text)) for one in reversed(book.chapters))
        return {" ".join(each.split()): number for number, text in told for each in _BLANK_LINE.split(text)}

    def _chapter_in(self, text: str) -> int:
        """The chapter that shares most paragraphs with a text; 0 where none does."""
        held = (self._paragraphs.get(" ".join(one.split()), 0) for one in _BLANK_LINE.split(text))
        return max(Counter(filter(None, held)).most_common(1), default=(0, 0))[0]

    def _text(self, uri: str) -> _Text:
        """As it is open in the editor, else as it is on disk."""
        workspace = self._server.workspace
        opened = workspace.text_documents.get(unquote(uri))
        text = opened.source if opened else Path(to_fs_path(uri) or "").read_bytes().decode(errors="replace")
        return _Text(text, workspace.position_codec)

    def _files(self, project: Project) -> Mapping[int, Sequence[str]]:
        """By chapter of the book, the URIs of the text files that hold it."""
        document, book = project.document, project.book_source
        if book is not None and book.suffix.lower() in (*PLAIN, SCREENPLAY):
            return {one.number: [book.resolve().as_uri()] for one in document.chapters}
        notes = texts_in(book) if book is not None and book.is_dir() else ()
        uris = [path.resolve().as_uri() for path in notes if path.suffix.lower() in PLAIN]
        return gathered((self._chapter_in(self._text(uri).text), uri) for uri in uris)

    def _check(self, uri: str, text: str, model: bool) -> Checked | None:
        """Checks the text of an open file; None where there is nothing to compare it with."""
        path, project, last = Path(to_fs_path(uri) or "draft"), self.project(model), self._asked.as_of
        if path.suffix.lower() not in (*PLAIN, SCREENPLAY):
            path = path.with_suffix(".txt")
        document, book = read_book(path, data=text.encode())[0], project.book_source
        if book is not None and book.resolve() == path.resolve():
            copy = replace(document, id=project.document.id)
            return checked(self.project(), replace(self._asked, copy=copy, model=False))
        if book is not None and path.resolve().is_relative_to(book.resolve()):
            chapter = self._placed[uri] = self._chapter_in(document.text) or self._placed.get(uri, 0)
            if chapter == 1:
                return None
            last = min(chapter - 1, last or chapter) if chapter > 0 else last
        asked = replace(self._asked, text=document.text, as_of=last, model=model)
        return checked(project, asked)

    def _diagnostics(self, uri: str, model: bool, turn: int) -> Iterator[lsp.Diagnostic]:
        """The findings in an open file, each at its later quote; the earlier ones are in the message, and
        places where a text file holds them. None where a newer text waits."""
        text = self._text(uri)
        wanted = turn == self._turns[uri] and text.text.strip()
        if not wanted or (done := self._check(uri, text.text, model)) is None:
            return
        self._done[uri], told = (done, model), {one: source.text for one, source in done.sources}
        own, texts = DRAFT_ID if DRAFT_ID in told else next(iter(told)), cache(self._text)
        files = self._files(self._projects[model][1]) if DRAFT_ID in told and done.report.violations else {}
        for one in done.report.violations:
            *earlier, later = one.evidence
            quotes = [f"{quote.place}: {in_marks(quote.words)}" for quote in quotes_shown(earlier)]
            more = (("To fix", one.suggestion), ("Unless", one.unless))
            lines = (one.message, *quotes, *(f"{title}: {said}" for title, said in more if said))
            places = (
                (lsp.Location(where, texts(where).range(at)), _plain(in_marks(each.quote)))
                for each in earlier
                if each.document_id in told
                for where in ([uri] if each.document_id == own else files.get(each.chapter, ()))
                if (at := texts(where).find(each, told[each.document_id]))
            )
            yield lsp.Diagnostic(
                text.range(text.find(later, told[own]) or Span(0, 0)),
                "\n".join(map(_plain, lines)),
                severity=_SEVERITY[one.severity],
                code=one.rule,
                source="fabula",
                related_information=[lsp.DiagnosticRelatedInformation(*place) for place in places],
                data=one.fingerprint,
            )

    async def _apart(self, work: Callable[[], T], *, model: bool = False) -> T | None:
        """What is done in a thread, one after another, but that nothing waits for the language model. What is
        wrong is shown once, as long as it lasts."""

        def alone() -> T:
            with self._locks[model]:
                return work()

        before, self._problem = self._problem, ""
        try:
            return await asyncio.to_thread(alone)
        except (FabulaError, OSError) as error:
            self._problem = f"fabula: {error}"
            if self._problem != before:
                self._say(lsp.MessageType.Error, self._problem)
            return None

    async def _publish(self, uri: str, *, pause: float = 0.0, model: bool = False) -> None:
        """Checks an open file, unless a newer text comes before it is done."""
        turn = self._turns[uri] = self._turns[uri] + 1
        await asyncio.sleep(pause)
        if turn == self._turns[uri]:
            found = await self._apart(lambda: list(self._diagnostics(uri, model, turn)), model=model)
        if turn == self._turns[uri]:
            if self._placed.get(uri) == 0:
                self._placed[uri] = -1
                self._say(lsp.MessageType.Info, f"fabula: {unquote(uri.rpartition('/')[2])} {_UNPLACED}")
            self._show(uri, found or [])

    def _say(self, kind: lsp.MessageType, words: str) -> None:
        self._server.window_show_message(lsp.ShowMessageParams(kind, _plain(words)))

    def _show(self, uri: str, found: list[lsp.Diagnostic]) -> None:
        self._server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found))

    def _card(self, uri: str, at: lsp.Position) -> CardShown | None:
        """Of who or what is named there, by the longest of several names."""
        self.project()
        text = self._text(uri)
        if at.line >= len(text.lines):
            return None
        line, column = text.lines[at.line], text.codec.position_from_client_units(text.lines, at).character
        named = ((name, one) for one in self._cards for name in (one.name, *one.also) if name in line)
        for name, one in sorted(named, key=lambda each: -len(each[0])):
            if any(span.start <= column <= span.end for span in QuoteFinder(line).find_name(name)):
                return one
        return None

    def answer(self) -> None:
        """Registers what the server answers."""
        server = self._server

        def check_on(method: str, **how: Any) -> None:
            @server.feature(method)
            async def heard(params: Any) -> None:
                await self._publish(params.text_document.uri, **how)

        check_on(lsp.TEXT_DOCUMENT_DID_OPEN)
        check_on(lsp.TEXT_DOCUMENT_DID_CHANGE, pause=_PAUSE_S)
        check_on(lsp.TEXT_DOCUMENT_DID_SAVE, model=bool(self._asked.model))

        @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
        def closed(params: lsp.DidCloseTextDocumentParams) -> None:
            self._turns[params.text_document.uri] += 1
            self._done.pop(params.text_document.uri, None)
            self._show(params.text_document.uri, [])

        @server.feature(lsp.TEXT_DOCUMENT_HOVER)
        async def hover(params: lsp.HoverParams) -> lsp.Hover | None:
            card = await self._apart(lambda: self._card(params.text_document.uri, params.position))
            return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, _card_text(card))) if card else None

        @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION)
        def actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
            def action(of: lsp.Diagnostic) -> lsp.CodeAction:
                arguments = [params.text_document.uri, of.data, _REASON]
                command = lsp.Command(_TITLE, INTENDED, arguments=arguments)
                return lsp.CodeAction(_TITLE, lsp.CodeActionKind.QuickFix, [of], command=command)

            return [action(one) for one in params.context.diagnostics if one.source == "fabula"]

        @server.command(INTENDED)
        async def intended(uri: str, fingerprint: str, reason: str) -> None:
            if uri in self._done:
                done, model = self._done[uri]
                await self._apart(lambda: suppress(done, fingerprint, reason=reason, project=self.project()))
                await self._publish(uri, model=model)


def _plain(text: str) -> str:
    """On one line, with nothing in it that a client could take for markup or a link."""
    return one_line(text).translate({ord("<"): "‹", ord(">"): "›"}).replace("](", "] (")


def _card_text(card: CardShown) -> str:
    """The card in Markdown."""
    lines = [markdown_line(one) for one in (card.who, card.now) if one]
    said = [(title, one) for title, part in card.parts for one in part][:_MOST_SAID]
    told = [f"- {title}: {markdown_line(one.text)} ({markdown_line(one.place)})" for title, one in said]
    return "\n\n".join(
        [f"**{markdown_line(card.name)}** ({markdown_line(card.kind)})", *lines, "\n".join(told)]
    )
