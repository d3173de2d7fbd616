import json

import numpy as np
import pytest
from tests.tables import values

from fabula.core.store.sqlite import ProjectStore

ASKED = ("the letter in the mill", "--mode", "lexical")


def digests(kept):
    with_names = json.loads((kept.index / "manifest.json").read_text())["files"]
    return {name: about["sha256"] for name, about in with_names.items()}


def edited(name, change):
    """Changes an array of the index and has the manifest agree."""

    def act(kept):
        array = np.load(kept.index / name)
        np.save(kept.index / name, change(array))
        kept.reseal()

    return act


def put(name, place, change):
    """The number at a place of such an array is another."""

    def changed(rows):
        rows[place] = change(rows[place])
        return rows

    return edited(name, changed)


def told(table, at, **said):
    """Changes a row of the story's log and has the manifest agree; ``evidence`` is of its first quote."""

    def act(kept):
        file = kept.index / "story.json"
        story = json.loads(file.read_text(encoding="utf-8"))
        row = story["log"][table][at]
        quotes = row["evidence"] if isinstance(row["evidence"], list) else [row["evidence"]]
        quotes[0].update(said.pop("evidence", {}))
        row.update(said)
        file.write_text(json.dumps(story), encoding="utf-8")
        kept.reseal()

    return act


def flipped(name):
    def act(kept):
        raw = bytearray((kept.index / name).read_bytes())
        raw[len(raw) // 2] ^= 4
        (kept.index / name).write_bytes(bytes(raw))

    return act


def written(name, text):
    return lambda kept: (kept.index / name).write_text(text)


def gone(name):
    return lambda kept: (kept.index / name).unlink()


def changed(statement):
    return lambda kept: kept.change(statement)


BREAKS = {
    "a span beyond the text": (put("chunks.npy", (2, 2), lambda _: 10**6), "chunks.npy"),
    "a span of another chapter": (put("chunks.npy", (1, 1), lambda _: 8), "chunks.npy"),
    "a chapter there is not": (put("chunks.npy", (2, 0), lambda _: 9), "chunks.npy"),
    "a span moved within its chapter": (put("chunks.npy", (0, 2), lambda end: end - 9), "lexical-"),
    "a vector too few": (edited("vectors.npy", lambda rows: rows[:-1]), "vectors.npy"),
    "a vector that is no number": (put("vectors.npy", (1, 5), lambda _: np.nan), "vectors.npy"),
    "two vectors changed places": (edited("vectors.npy", lambda rows: rows[[1, 0, 2]]), "vectors.npy"),
    "a posting of another chunk": (put("lexical-chunks.npy", 0, lambda one: one + 1), "lexical-chunks.npy"),
    "a word counted twice": (put("lexical-counts.npy", 3, lambda _: 7), "lexical-counts.npy"),
    "facts of another chapter": (put("facts.npy", 0, lambda _: 2), "facts.npy"),
    "no log at all": (written("story.json", "{"), "story.json"),
    "another's codex": (written("codex.yaml", "characters:\n  - name: Eve\n"), "codex.yaml"),
    "no corrections": (gone("corrections.toml"), "corrections.toml: it is missing"),
    "a file too many": (written("more.npy", "x"), "more.npy"),
    "no manifest": (gone("manifest.json"), "its manifest cannot be used"),
    "a manifest that is none": (written("manifest.json", "[]"), "its manifest"),
    "a flipped bit of vectors": (flipped("vectors.npy"), "vectors.npy: its bytes"),
    "a flipped bit of names": (flipped("passage_graph.npz"), "passage_graph.npz: its bytes"),
    "the text of the database": (
        changed("UPDATE documents SET text = replace(text, 'letter', 'ladder')"),
        "fabula.db, text",
    ),
    "a chapter of the database": (
        changed("UPDATE chapters SET body_end = body_end - 1 WHERE number = 2"),
        "fabula.db, text",
    ),
    "kept readings": (
        changed(
            "UPDATE work SET output = CAST(substr(output, 1, length(output) - 2) || x'0101' AS BLOB) "
            "WHERE producer LIKE 'reading%'"
        ),
        "fabula.db, work: the reading kept under",
    ),
    **{
        name: (told(table, at, **said), line)
        for name, table, at, said, line in values(__file__, "breaks_of_the_log.tsv")
    },
}


def test_a_whole_project_is_clean(kept, run_cli):
    verified = run_cli("verify", kept.project)
    assert verified.code == 0
    counts = "3 chunks,3 vectors,3 chapters,1 ratings,1 turns,1 corrections,7 pieces"
    assert [one for one in counts.split(",") if one not in verified.out] == []
    assert verified.out.count("\n") == 1
    mended = run_cli("verify", kept.project, "--mend", "--json")
    assert mended.code == 0
    assert json.loads(mended.out)["did"] == []


@pytest.mark.parametrize("name", BREAKS)
def test_a_break_is_named_and_mended(kept, run_cli, name):
    act, line = BREAKS[name]
    before, answer = digests(kept), run_cli("search", kept.project, *ASKED)
    act(kept)
    verified = run_cli("verify", kept.project)
    assert verified.code == 1
    broken = [each for each in verified.out.splitlines() if each.startswith("broken")]
    assert any(line in each for each in broken), verified.out
    assert all("fabula verify --mend" in each for each in broken), verified.out
    mended = run_cli("verify", kept.project, "--mend")
    assert mended.code == 0, mended.out
    assert "mended  " in mended.out and "clean" in mended.out
    assert run_cli("verify", kept.project).code == 0
    assert digests(kept) == before
    assert run_cli("search", kept.project, *ASKED) == answer


def test_a_text_that_the_books_file_no_longer_gives_is_not_made_up(kept, run_cli):
    kept.change("UPDATE documents SET text = replace(text, 'letter', 'ladder')")
    kept.book.write_text(kept.book.read_text() + "\n\nMore.\n")
    mended = run_cli("verify", kept.project, "--mend")
    assert mended.code == 1
    assert "the text is damaged and the book's file does not give it" in mended.out
    assert "restore the project from a backup" in mended.out and "--mend" not in mended.out
    assert run_cli("verify", kept.project).out.endswith(mended.out)


def test_ratings_that_cannot_be_read_are_dropped_and_others_stay(kept, run_cli):
    kept.change(
        "INSERT INTO feedback SELECT 77, query, 'odd', chunk_id, rating, chapter, weight, placements"
        " FROM feedback"
    )
    assert run_cli("search", kept.project, "mill").code == 2
    verified = run_cli("verify", kept.project)
    assert verified.code == 1 and "feedback: rating 77 cannot be read" in verified.out
    mended = run_cli("verify", kept.project, "--mend")
    assert mended.code == 0 and "dropped 1 ratings" in mended.out
    assert "1 ratings)" not in mended.out.splitlines()[0]
    assert run_cli("search", kept.project, "mill").code == 0


def test_a_rating_of_a_passage_that_is_gone_is_no_break(kept, run_cli):
    kept.change("UPDATE feedback SET chunk_id = '0123456789abcdef'")
    verified = run_cli("verify", kept.project)
    assert verified.code == 0 and "1 ratings are of passages that the text no longer has" in verified.out


@pytest.mark.parametrize(("file", "content", "line"), values(__file__, "what_the_author_keeps.tsv"))
def test_what_the_author_keeps_is_named_and_left_alone(kept, run_cli, file, content, line):
    (kept.project / file).write_text(content)
    verified = run_cli("verify", kept.project)
    assert verified.code == 1 and line in verified.out
    assert run_cli("verify", kept.project, "--mend").code in (1, 2)
    assert (kept.project / file).read_text() == content


def test_what_waits_or_was_left_is_noted_and_swept(kept, run_cli):
    file = kept.project / "corrections.toml"
    file.write_text(file.read_text() + '\n[[correct]]\nkind = "retype"\nwho = "Wilf"\nto = "group"\n')
    verified = run_cli("verify", kept.project)
    assert verified.code == 0 and "fabula correct" in verified.out
    (kept.project / "index" / ".000009.partial").mkdir()
    assert "1 unfinished index folders" in run_cli("verify", kept.project).out
    mended = run_cli("verify", kept.project, "--mend")
    assert mended.code == 0 and "swept 1 index folders" in mended.out
    assert not (kept.project / "index" / ".000009.partial").exists()


def test_a_database_that_is_damaged_is_named(kept, run_cli):
    raw = bytearray((kept.project / "fabula.db").read_bytes())
    raw[8192:16384] = b"\xff" * 8192
    (kept.project / "fabula.db").write_bytes(bytes(raw))
    verified = run_cli("verify", kept.project)
    assert verified.code == 1
    assert "broken  fabula.db: " in verified.out and "restore the project from a backup" in verified.out


def test_who_mends_or_compacts_waits_for_a_writer_and_then_says_so(kept, run_cli, refusal, monkeypatch):
    monkeypatch.setattr("fabula.project.keeping.mending.WRITER_PATIENCE_S", 0.1)
    (kept.project / "fabula.toml").write_text('codex = "codex.yaml"\n')
    assert run_cli("trust", kept.project).code == 0
    with ProjectStore.open(kept.project) as store, store.lock():
        for command in (("verify", kept.project, "--mend"), ("verify", kept.project, "--compact")):
            assert "another process is writing" in refusal(*command)
        assert run_cli("verify", kept.project).code == 0
