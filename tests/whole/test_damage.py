import shutil
import sqlite3

import pytest

from fabula.core.store.sqlite import ProjectStore

FILES = (
    "chunks.npy codex.yaml facts.json facts.npy lexical-chunks.npy lexical-counts.npy lexical-lengths.npy "
    "lexical-starts.npy lexical-words.npy passage_entities.txt passage_graph.npz story.json vectors.npy "
    "vocabulary.txt"
).split()
ASKED = (
    ("search", "the letter in the mill"),
    ("search", "the letter in the mill", "--mode", "lexical", "--min-importance", 1, "--tone", "sad"),
    ("graph",),
    ("check", "--draft"),
)
BOOK = (
    "# One\n\nWilf hated Len. Len sent Ada a letter.\n\n# Two\n\nAda met Wilf in the old mill. Wilf wept.\n"
)


@pytest.fixture(scope="module")
def whole(run_cli, tmp_path_factory):
    """A book, its project, and what that answers."""
    place = tmp_path_factory.mktemp("whole")
    (place / "tale.md").write_text(BOOK)
    (place / "codex.yaml").write_text("characters:\n  - name: Ada\n")
    (place / "draft.txt").write_text("Ada went to the mill. Wilf loved Len.")
    _index(run_cli, place)
    return place


@pytest.fixture
def copy(whole, tmp_path):
    shutil.copytree(whole, tmp_path / "copy")
    return tmp_path / "copy"


def _answers(run_cli, place):
    asked = [
        (command, place / "p", *more, *([place / "draft.txt"] if command == "check" else []))
        for command, *more in ASKED
    ]
    return [run_cli(*map(str, one)) for one in asked]


@pytest.fixture(scope="module")
def expected(run_cli, whole):
    return _answers(run_cli, whole)


def _flip(file):
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 0x04
    file.write_bytes(bytes(content))


def _index(run_cli, place, *more):
    made = run_cli("index", place / "tale.md", "-o", place / "p", "--codex", place / "codex.yaml", *more)
    assert made.code == 0, made.err
    return made


def _is_made_alike(copy, whole, *names):
    for name in names:
        made = (copy / "p" / "index" / "000002" / name).read_bytes()
        assert made == (whole / "p" / "index" / "000001" / name).read_bytes(), name


def test_every_file_of_an_index_is_damaged_here(whole):
    kept = {file.name for file in (whole / "p" / "index" / "000001").iterdir()}
    assert kept == {*FILES, "manifest.json"}


@pytest.mark.parametrize("file", FILES)
def test_no_answer_is_made_from_a_damaged_file(run_cli, expected, copy, file):
    _flip(copy / "p" / "index" / "000001" / file)
    refused = 0
    for answer, before in zip(_answers(run_cli, copy), expected, strict=True):
        if answer.code:
            refused += 1
            assert (answer.code, answer.err.count("\n")) == (2, 1), answer.err
            assert file in answer.err and "fabula index --rebuild" in answer.err
        else:
            assert answer.out == before.out
    assert refused


def test_the_way_out_that_is_said_leads_out(run_cli, whole, copy):
    for file in FILES:
        _flip(copy / "p" / "index" / "000001" / file)
    _index(run_cli, copy, "--rebuild")
    assert _answers(run_cli, copy) == _answers(run_cli, whole)


@pytest.mark.parametrize("file", FILES)
def test_an_index_made_again_is_as_if_nothing_had_been_damaged(run_cli, whole, copy, file, caplog):
    _flip(copy / "p" / "index" / "000001" / file)
    _index(run_cli, copy)
    _is_made_alike(copy, whole, *FILES)
    if file in ("lexical-counts.npy", "lexical-chunks.npy", "facts.npy", "chunks.npy"):  # it builds on them
        assert f"{file} of index generation 000001 is damaged" in caplog.text
        assert "made anew" in caplog.text


def _change(place, statement, *values):
    with sqlite3.connect(place / "p" / "fabula.db") as db:
        assert db.execute(statement, values).rowcount
    db.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE documents SET text = replace(text, 'letter', 'ladder')",
        "UPDATE documents SET text = text || ' '",
        "UPDATE documents SET title = 'Tail'",
        "UPDATE chapters SET body_end = body_end - 1 WHERE number = 2",
        "UPDATE chapters SET heading_start = 1 WHERE number = 1",
        "DELETE FROM chapters WHERE number = 2",
        "UPDATE chapters SET body_start = 'x'",
    ],
)
def test_a_text_changed_in_the_database_is_seen(run_cli, copy, statement):
    _change(copy, statement)
    looked_at = run_cli("doctor", copy / "p")
    assert looked_at.code == 1
    assert "the text in the database" in looked_at.out and "--rebuild" in looked_at.out
    asked = run_cli("search", copy / "p", "letter", "--mode", "lexical")
    assert (asked.code, asked.err.count("\n")) == (2, 1)
    assert "--rebuild" in asked.err
    _index(run_cli, copy)
    assert "verified" in run_cli("doctor", copy / "p").out


@pytest.mark.parametrize("producer", ["vectors", "reading"])
def test_work_that_was_kept_and_damaged_is_done_anew(run_cli, whole, copy, producer, caplog):
    _change(
        copy,
        "UPDATE work SET output = CAST(substr(output, 1, length(output) - 2) || x'0101' AS BLOB) "
        "WHERE producer LIKE ?",
        f"{producer}:%",
    )
    _index(run_cli, copy)
    assert "is damaged: it is done again" in caplog.text
    _is_made_alike(copy, whole, "vectors.npy", "story.json")


def test_a_project_of_the_version_before_is_read_and_sealed_by_the_next_index(run_cli, whole, copy):
    with sqlite3.connect(copy / "p" / "fabula.db") as db:
        db.execute("UPDATE work SET output = CAST(substr(output, 33) AS BLOB)")
        db.execute("UPDATE meta SET value = '2' WHERE key = 'schema'")
        db.execute("DELETE FROM meta WHERE key = 'content'")
    db.close()
    assert run_cli("check", copy / "p").code == 0
    looked_at = run_cli("doctor", copy / "p")
    assert "no checksum of its text" in looked_at.out
    again = _index(run_cli, copy, "--json")
    assert '"read": 0' in again.out and '"embedded": 0' in again.out
    assert "verified" in run_cli("doctor", copy / "p").out
    with ProjectStore.open(copy / "p") as store:
        assert store.document() is not None
