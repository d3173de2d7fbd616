import asyncio
import json
import os
import shutil
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient
from tests.browser.stories import LATER_WORD

from fabula.engine import index_book

COMMAND = [sys.executable, "-c", "from fabula.cli import main; main()", "check"]
TOLD = (
    "Anna Weir kept the lock at Moss End.\n\nBela Stone had green eyes.",
    "Carl Finch hated Bela Stone. <b onclick=x>[Wilf](command:x)</b> hated <img src=x> Carl Finch.",
    f"{LATER_WORD} was the father of Bela Stone.\n\nBela Stone died at Moss End. {LATER_WORD} loved Wilf.",
)


def book_of(folder, told=TOLD, *, name="lock.md"):
    folder.mkdir(exist_ok=True)
    book = folder / name
    chapters = (f"## Chapter {number}\n\n{text}\n" for number, text in enumerate(told, 1))
    book.write_text("# The Lock\n\n" + "\n".join(chapters), encoding="utf-8")
    return book


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = tmp_path_factory.mktemp("editor")
    index_book(book_of(place), place / "project")
    return place


class Editor:
    """A client over standard input and output; it keeps what the server has sent of each file."""

    def __init__(self):
        self.client, self.shown, self.messages = LanguageClient("editor", "1"), asyncio.Queue(), []
        self.client.feature("textDocument/publishDiagnostics")(self.shown.put_nowait)
        self.client.feature("window/showMessage")(lambda said: self.messages.append(said.message))
        self.version = 1

    async def diagnostics(self, uri):
        while True:
            shown = await asyncio.wait_for(self.shown.get(), 120)
            if shown.uri == uri:
                return shown.diagnostics

    async def open(self, path, text):
        item = lsp.TextDocumentItem(path.as_uri(), "markdown", self.version, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return await self.diagnostics(path.as_uri())

    def change(self, path, text):
        self.version += 1
        of = lsp.VersionedTextDocumentIdentifier(self.version, path.as_uri())
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(of, [lsp.TextDocumentContentChangeWholeDocument(text)])
        )

    async def hover(self, path, line, column):
        of = lsp.TextDocumentIdentifier(path.as_uri())
        shown = await self.client.text_document_hover_async(
            lsp.HoverParams(of, lsp.Position(line, column))
        )
        return shown.contents.value if shown else ""

    async def intend(self, path, finding):
        asked = lsp.ExecuteCommandParams("fabula.intended", [path.as_uri(), finding.data, "She lies."])
        await self.client.workspace_execute_command_async(asked)
        return await self.diagnostics(path.as_uri())


def in_editor(project, work, *options):
    """What ``work`` gives of an editor that is connected to the command."""

    async def run():
        editor = Editor()
        await editor.client.start_io(*COMMAND, str(project), "--lsp", *options)
        await editor.client.initialize_async(lsp.InitializeParams(lsp.ClientCapabilities()))
        editor.client.initialized(lsp.InitializedParams())
        try:
            return await work(editor)
        finally:
            await editor.client.shutdown_async(None)
            editor.client.exit(None)
            await editor.client.stop()

    return asyncio.run(run())


def words_at(text, at):
    """What stands at a range, whose columns count UTF-16 units."""
    lines = text.replace("\r\n", "\n").split("\n")
    assert at.start.line == at.end.line
    units = lines[at.start.line].encode("utf-16-le")
    return units[2 * at.start.character : 2 * at.end.character].decode("utf-16-le")


BLUE = "Bela Stone had blue eyes."
DRAFTS = [
    ("plain.txt", f"It rained. {BLUE}", BLUE),
    ("emoji.md", f"😀😀 “Åh, så skönt!” said Anna Weir. {BLUE}", BLUE),
    ("crlf.md", f"# Fyra\r\n\r\nÅska 😀.\r\n\r\nIt rained. {BLUE}\r\n", BLUE),
    ("notes.md", f"---\ntitle: X\n---\n%% {BLUE} %%\n\n[[Anna Weir|Anna]] slept. {BLUE}\n", BLUE),
    ("odd\u2028.md", f"A line\u2028 with an odd end. {BLUE}", BLUE),
    ("scene.fountain", "INT. LOCK - DAY\n\nIt rained. Bela Stone had blue eyes.\n", BLUE),
]


def test_a_finding_is_at_its_words_and_names_the_place_of_the_other_side(place):
    async def work(editor):
        return [(await editor.open(place / name, text), text, words) for name, text, words in DRAFTS]

    book = (place / "lock.md").read_text(encoding="utf-8")
    for found, text, words in in_editor(place / "project", work, "--as-of", "2"):
        [one] = found
        assert (one.code, one.source, one.severity.name) == ("attribute_conflict", "fabula", "Error")
        assert words_at(text, one.range) == words, text
        assert "ch. 1: “Bela Stone had green eyes.”" in one.message
        [other] = one.related_information
        assert other.location.uri == (place / "lock.md").as_uri()
        assert words_at(book, other.location.range) == "Bela Stone had green eyes."
