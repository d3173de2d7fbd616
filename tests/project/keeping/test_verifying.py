import json

import numpy as np
import pytest
from tests.tables import values

from fabula.core.store.sqlite import ProjectStore

ASKED = ("the letter in the mill", "--mode", "lexical")


def digests(kept):
    with_names = json.loads((kept.index / "manifest.json").read_text())["files"]
    return {name: about["sha256"] for name, about in with_names.items()}


class Breaks:
    """Ways to break an index or the database of a project; where it rewrites an array or the story's log it
    has the manifest agree."""

    def __init__(self, kept):
        self.kept = kept
        self.change = kept.change

    def put(self, name, place, value):
        array = np.load(self.kept.index / name)
        array[place] = value
        self._save(name, array)

    def add(self, name, place, value):
        self.put(name, place, np.load(self.kept.index / name)[place] + value)

    def take(self, name, rows):
        self._save(name, np.load(self.kept.index / name)[rows])

    def _save(self, name, array):
        np.save(self.kept.index / name, array)
        self.kept.reseal()

    def quote(self, table, at, said):
        file = self.kept.index / "story.json"
        story = json.loads(file.read_text(encoding="utf-8"))
        quotes = story["log"][table][at]["evidence"]
        (quotes[0] if isinstance(quotes, list) else quotes).update(said)
        file.write_text(json.dumps(story), encoding="utf-8")
        self.kept.reseal()

    def flip(self, name):
        raw = bytearray((self.kept.index / name).read_bytes())
        raw[len(raw) // 2] ^= 4
        (self.kept.index / name).write_bytes(bytes(raw))

    def write(self, name, text):
        (self.kept.index / name).write_text(text)

    def drop(self, name):
        (self.kept.index / name).unlink()


def test_a_whole_project_is_clean(kept, done):
    verified = done("verify", kept.project)
    counts = "3 chunks,3 vectors,3 chapters,1 ratings,1 turns,1 corrections,7 pieces"
    assert [one for one in counts.split(",") if one not in verified] == []
    assert verified.count("\n") == 1
    assert json.loads(done("verify", kept.project, "--mend", "--json"))["did"] == []


@pytest.mark.parametrize(("name", "act", "given", "line"), values(__file__, "breaks.tsv"))
def test_a_break_is_named_and_mended(kept, run_cli, done, name, act, given, line):
    before, answer = digests(kept), done("search", kept.project, *ASKED)
    getattr(Breaks(kept), act)(*given)
    verified = run_cli("verify", kept.project)
    assert verified.code == 1
    broken = [each for each in verified.out.splitlines() if each.startswith("broken")]
    assert any(line in each for each in broken), verified.out
    assert all("fabula verify --mend" in each for each in broken), verified.out
    mended = done("verify", kept.project, "--mend")
    assert "mended  " in mended and "clean" in mended
    done("verify", kept.project)
    assert digests(kept) == before
    assert done("search", kept.project, *ASKED) == answer


def test_a_text_that_the_books_file_no_longer_gives_is_not_made_up(kept, run_cli):
    kept.change("UPDATE documents SET text = replace(text, 'letter', 'ladder')")
    kept.book.write_text(kept.book.read_text() + "\n\nMore.\n")
    mended = run_cli("verify", kept.project, "--mend")
    assert mended.code == 1
    assert "the text is damaged and the book's file does not give it" in mended.out
    assert "restore the project from a backup" in mended.out and "--mend" not in mended.out
    assert run_cli("verify", kept.project).out.endswith(mended.out)


def test_ratings_that_cannot_be_read_are_dropped_and_others_stay(kept, run_cli, done, refusal):
    kept.change(
        "INSERT INTO feedback SELECT 77, query, 'odd', chunk_id, rating, chapter, weight, placements"
        " FROM feedback"
    )
    refusal("search", kept.project, "mill")
    verified = run_cli("verify", kept.project)
    assert verified.code == 1 and "feedback: rating 77 cannot be read" in verified.out
    assert "dropped 1 ratings" in done("verify", kept.project, "--mend")
    done("search", kept.project, "mill")


def test_a_rating_of_a_passage_that_is_gone_is_no_break(kept, done):
    kept.change("UPDATE feedback SET chunk_id = '0123456789abcdef'")
    assert "1 ratings are of passages that the text no longer has" in done("verify", kept.project)


@pytest.mark.parametrize(("file", "content", "line"), values(__file__, "what_the_author_keeps.tsv"))
def test_what_the_author_keeps_is_named_and_left_alone(kept, run_cli, file, content, line):
    (kept.project / file).write_text(content)
    verified = run_cli("verify", kept.project)
    assert verified.code == 1 and line in verified.out
    assert run_cli("verify", kept.project, "--mend").code in (1, 2)
    assert (kept.project / file).read_text() == content


def test_what_waits_or_was_left_is_noted_and_swept(kept, done):
    file = kept.project / "corrections.toml"
    file.write_text(file.read_text() + '\n[[correct]]\nkind = "retype"\nwho = "Wilf"\nto = "group"\n')
    assert "fabula correct" in done("verify", kept.project)
    (kept.project / "index" / ".000009.partial").mkdir()
    assert "1 unfinished index folders" in done("verify", kept.project)
    assert "removed 1 index folders" in done("verify", kept.project, "--mend")
    assert not (kept.project / "index" / ".000009.partial").exists()


def test_a_database_that_is_damaged_is_named(kept, run_cli):
    raw = bytearray((kept.project / "fabula.db").read_bytes())
    raw[8192:16384] = b"\xff" * 8192
    (kept.project / "fabula.db").write_bytes(bytes(raw))
    verified = run_cli("verify", kept.project)
    assert verified.code == 1
    assert "broken  fabula.db: " in verified.out and "restore the project from a backup" in verified.out


def test_who_mends_or_compacts_waits_for_a_writer_and_then_says_so(kept, done, refusal, monkeypatch):
    monkeypatch.setattr("fabula.project.keeping.mending.WRITER_PATIENCE_S", 0.1)
    with ProjectStore.open(kept.project) as store, store.lock():
        for act in ("--mend", "--compact"):
            assert "another process is writing" in refusal("verify", kept.project, act)
        done("verify", kept.project)
