import asyncio
import json
import os
import shutil
import subprocess
import sys
from functools import partial

import pytest
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient
from tests.browser.stories import LATER_WORD
from tests.llm.chat_server import ChatServer, answer
from tests.tables import file_text, values

from fabula.engine import index_book

COMMAND = [sys.executable, "-c", "from fabula.cli import main; main()", "check"]
TOLD = (
    "Anna Weir kept the lock at Moss End.\n\nBela Stone had green eyes.",
    "Carl Finch hated Bela Stone. Dora Quill hated Bela Stone <img src=x> [as ever](command:x).",
    f"{LATER_WORD} was the father of Bela Stone.\n\nBela Stone died at Moss End. {LATER_WORD} loved Dora.",
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
        self.client.feature("textDocument/publishDiagnostics")(partial(asyncio.Queue.put_nowait, self.shown))
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
        shown = await self.client.text_document_hover_async(lsp.HoverParams(of, lsp.Position(line, column)))
        return shown.contents.value if shown else ""


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


def test_a_finding_is_at_its_words_and_names_the_other_side_whatever_the_story_says(place):
    drafts = values(__file__, "drafts.tsv")

    async def work(editor):
        found = [(await editor.open(place / name, text), text, words) for name, text, words in drafts]
        assert await editor.hover(place / "hostile.md", 99, 0) == ""
        return found, await editor.hover(place / "hostile.md", 0, 55)

    book = (place / "lock.md").read_text(encoding="utf-8")
    done, hover = in_editor(place / "project", work, "--as-of", "2")
    assert hover.startswith("**Dora Quill**")
    for found, text, words in done:
        [one] = found
        rule, start = ("attribute_conflict", "Bela") if words == BLUE else ("relationship_conflict", "Dora")
        assert (one.code, one.source, one.severity.name) == (rule, "fabula", "Error")
        assert words_at(text, one.range) == words, text
        [other] = one.related_information
        assert other.location.uri == (place / "lock.md").as_uri()
        quote = words_at(book, other.location.range)
        assert quote.startswith(start) and quote in book
        assert ": “Bela Stone had green eyes.”\n" in one.message or "‹img src=x› as ever." in one.message
        for said in (one.message, other.message, hover):
            assert "<" not in said and "](" not in said and "\x1b" not in said


def test_the_newest_text_is_checked_and_a_finding_that_is_intended_goes(place):
    draft = place / "draft.md"

    async def work(editor):
        [one] = await editor.open(draft, BLUE)
        editor.change(draft, f"{BLUE} Carl Finch loved Bela Stone.")
        editor.change(draft, f"Anna Weir slept. {BLUE}")
        [moved] = await editor.diagnostics(draft.as_uri())
        assert one.data == moved.data and moved.range.start.character == 17
        asked = lsp.ExecuteCommandParams("fabula.intended", [draft.as_uri(), moved.data, "She lies."])
        await editor.client.workspace_execute_command_async(asked)
        left = await editor.diagnostics(draft.as_uri())
        editor.client.text_document_did_close(
            lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(draft.as_uri()))
        )
        return left, await editor.diagnostics(draft.as_uri()), editor.messages

    assert in_editor(place / "project", work) == ((), (), [])
    file = place / "project" / "suppressions.toml"
    assert 'reason = "She lies."' in file.read_text(encoding="utf-8")
    file.unlink()
    assert {one.name for one in (place / "project").glob("[!.]*")} == {"fabula.db", "index"}


def test_nothing_told_later_reaches_the_editor(place, tmp_path):
    """Another third chapter, and every message of a server that has read two is the same."""
    other = tmp_path / "other"
    index_book(book_of(other, (*TOLD[:2], "Somebody else came. Anna Weir died.")), other / "project")

    async def everything(editor, at):
        draft = f"{BLUE} Carl Finch loved Bela Stone. {LATER_WORD} hated Dora Quill. Anna Weir laughed."
        book = (at / "lock.md").read_text(encoding="utf-8")
        said = [await editor.open(at / "draft.md", draft)]
        said.append(await editor.open(at / "lock.md", book.replace("hated Bela", "loved Bela")))
        said += [await editor.hover(at / "draft.md", 0, column) for column in range(0, len(draft), 4)]
        return str((said, editor.messages)).replace(at.as_uri(), "")

    told = [
        in_editor(at / "project", lambda editor, at=at: everything(editor, at), *options)
        for at, options in ((place, ("--as-of", "2")), (other, ("--as-of", "2")), (place, ()))
    ]
    assert told[0] == told[1] and "relationship_conflict" in told[0] and "**Bela Stone**" in told[0]
    assert f"{LATER_WORD} is the father" not in told[0] and f"{LATER_WORD} is the father" in told[2]


def test_a_file_of_an_indexed_folder_is_checked_as_its_chapter(tmp_path):
    folder, files = tmp_path / "folder", ("01 One.md", "02 Two.md", "03 Three.md")
    folder.mkdir()
    for name, text in zip(files, TOLD, strict=True):
        (folder / name).write_text(f"{text}\n\nIt rained on the lock of {name}.\n", encoding="utf-8")
    index_book(folder, tmp_path / "project")

    async def work(editor):
        second = (folder / files[1]).read_text(encoding="utf-8")
        found = [await editor.open(folder / files[0], f"{TOLD[0]} {BLUE}")]
        found.append(await editor.open(folder / files[1], f"{second}\nBela Stone laughed. {BLUE}\n"))
        index_book(folder, tmp_path / "project", title="Again", rebuild=True)
        (folder / files[0]).write_text(f"{TOLD[0].replace('green', 'grey')}\n", encoding="utf-8")
        index_book(folder, tmp_path / "project")
        for text in (f"{second}\n{BLUE}\n", f"Bela Stone laughed. {BLUE}\n"):
            editor.change(folder / files[1], text)
            found.append(await editor.diagnostics((folder / files[1]).as_uri()))
        for name in ("new.md", "new.md", "03 Three.md"):
            found.append(await editor.open(folder / name, "Bela Stone laughed."))
        return *found, editor.messages

    async def third(editor):
        text = f"{(folder / files[2]).read_text(encoding='utf-8')}\nDora Quill loved Bela Stone.\n"
        return await editor.open(folder / files[2], text)

    first, second, again, rewritten, *drafts, messages = in_editor(tmp_path / "project", work)
    assert [one.code for one in rewritten] == ["attribute_conflict"]  # still the second
    assert [one.code for found in drafts for one in found] == ["dead_then_acts"] * 3
    assert [one.split(" shares no paragraph")[0] for one in messages] == [
        "fabula: new.md",
        "fabula: 03 Three.md",
    ]
    known = in_editor(tmp_path / "project", third, "--as-of", "1")
    assert known == ()  # that she dies, and whom Dora hates, is told after chapter 1
    assert first == () and [one.code for one in second] == ["attribute_conflict"]  # she dies in the third
    assert second[0].related_information[0].location.uri == (folder / files[0]).as_uri()
    assert "grey eyes" in again[0].message and "green" not in again[0].message


def test_what_is_wrong_is_shown_once_and_the_server_goes_on(place):
    draft, file = place / "draft.md", place / "project" / "suppressions.toml"
    file.write_text("[[suppress]]\n", encoding="utf-8")

    async def work(editor):
        found = [await editor.open(draft, BLUE)]
        editor.change(draft, f"{BLUE} It rained.")
        found.append(await editor.diagnostics(draft.as_uri()))
        file.unlink()
        editor.change(draft, BLUE)
        return [*found, await editor.diagnostics(draft.as_uri())], editor.messages

    (first, second, third), messages = in_editor(place / "project", work)
    assert (first, second, len(third)) == ((), (), 1)
    assert len(messages) == 1 and "has no reason" in messages[0] and "\n" not in messages[0]


def test_a_model_checks_what_is_saved(place):
    claim = {
        "earlier": "Anna Weir kept the lock at Moss End.",
        "later": "Anna Weir never saw a lock.",
        "sure": 0.9,
    }
    draft = place / "saved.md"

    def reply(body):
        tried = "[Findings]\n1. A: " in body["messages"][-1]["content"]
        return answer(json.dumps({"findings": [] if tried else [claim]}))

    async def work(editor):
        text = f"It rained. {claim['later']}"
        opened, asked = await editor.open(draft, text), len(model.requests)
        saved = lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(draft.as_uri()))
        editor.client.text_document_did_save(saved)
        [found] = await editor.diagnostics(draft.as_uri())
        return opened, asked, found.code, words_at(text, found.range), found.message

    with ChatServer(reply) as model:
        settings = {"provider": "openai", "model": "m", "base_url": model.url}
        options = [part for key, value in settings.items() for part in ("--set", f"generator.{key}={value}")]
        *found, message = in_editor(place / "project", work, "--model", *options)
    assert found == [(), 0, "model_critic", claim["later"]] and claim["earlier"] in message


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_neovim_shows_the_findings(place):
    (place / "client.lua").write_text(file_text(__file__, "neovim.lua"), encoding="utf-8")
    (place / "scene.md").write_text(f"😀 Åh. {BLUE}\n", encoding="utf-8")
    command = json.dumps([*COMMAND, str(place / "project"), "--lsp"])
    environment = {**os.environ, "COMMAND": command}
    asked = ["nvim", "--headless", "-u", "NONE", "scene.md", "-c", "luafile client.lua", "-c", "qa!"]
    done = subprocess.run(asked, cwd=place, env=environment, capture_output=True, check=True, timeout=120)
    [found], left, [action] = json.loads(done.stdout or done.stderr)
    assert (found["code"], found["lnum"], action["kind"], left) == ("attribute_conflict", 0, "quickfix", [])
    assert f"😀 Åh. {BLUE}".encode()[found["col"] : found["end_col"]].decode() == BLUE
    (place / "project" / "suppressions.toml").unlink()
