from __future__ import annotations

import json
import logging

import pytest
from click.testing import CliRunner

from fabula.cli.commands import cli
from fabula.story.extraction import draft, inner_life
from fabula.story.extraction.pipeline import MOST_SENTENCES
from fabula.story.model.chapter_reading import ChapterReading, ReaderFailure

LEAF = "Anna stood there. The leaf and brown of her eyes shone."

STORY = "Anna Dahl rowed home. Anna hated Bela. Bela saw the zebra. Bela Voss died."


@pytest.fixture
def zebras(monkeypatch):
    """A reader of moods that fails wherever a zebra is told of."""
    look = inner_life.InnerLifeReader._tone

    def broken(self, paragraph, sentence):
        if "zebra" in paragraph.tokens(sentence).text:
            raise LookupError("zebra")
        return look(self, paragraph, sentence)

    monkeypatch.setattr(inner_life.InnerLifeReader, "_tone", broken)


def test_colours_joined_to_another_noun_are_no_error(reader):
    found = reader.read(LEAF)
    assert not found.failures
    assert "Anna" in {mention.surface for mention in found.mentions}


def test_the_rest_of_the_chapter_is_read(zebras, reader, caplog):
    with caplog.at_level(logging.WARNING):
        found = reader.read(STORY)
    assert found.failures == (ReaderFailure("moods and goals", 1),)
    assert {"HATES", "ENEMY_OF"} & {statement.predicate for statement in found.statements}
    assert "DIES" in {happening.predicate for happening in found.happenings}
    assert [STORY[m.span.start : m.span.end] for m in found.mentions] == [m.surface for m in found.mentions]
    [line] = [record.getMessage() for record in caplog.records]
    at = STORY.index("Bela saw")
    end = at + len("Bela saw the zebra.")
    assert line.startswith(
        f"moods and goals fails on the sentence at {at} to {end} of a chapter (LookupError"
    )
    assert reader.read(STORY) == found


def test_failures_are_kept_and_one_that_fails_on_and_on_is_passed_over(zebras, reader):
    found = reader.read(STORY)
    kept = found.to_json()
    assert json.loads(kept)["reading"]["failures"] == [{"reader": "moods and goals", "count": 1}]
    assert ChapterReading.from_json(kept) == found
    plain = reader.read("Anna rowed home.")
    assert "failures" not in plain.to_json()
    assert ChapterReading.from_json(plain.to_json()) == plain
    found = reader.read("Anna hated Bela. " + "Bela saw the zebra. " * (MOST_SENTENCES + 4))
    assert found.failures == (ReaderFailure("moods and goals", MOST_SENTENCES + 1),)
    assert found.statements


def test_what_all_others_build_on_fails_for_the_chapter(reader, monkeypatch):
    class Broken:
        @classmethod
        def of(cls, chapter):
            raise ValueError("no word")

    monkeypatch.setattr(draft, "PronounReader", Broken)
    found = reader.read(STORY)
    assert not found.mentions
    assert len(found.scenes) == 1
    assert found.failures == (ReaderFailure("pipeline", 2),)


def test_the_doctor_says_what_was_passed_over(zebras, tmp_path):
    book, project = tmp_path / "book.txt", tmp_path / "project"
    book.write_text(f"Chapter 1\n\n{STORY}\n\nChapter 2\n\nAnna wept.\n", encoding="utf-8")
    done = CliRunner().invoke(cli, ["index", str(book), "-o", str(project)])
    assert done.exit_code == 0, done.output
    said = CliRunner().invoke(cli, ["doctor", str(project)]).output
    assert "readers failed on sentences, which were passed over: moods and goals 1" in said
