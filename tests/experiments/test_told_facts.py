"""The sentences of other writers, and what counts as reading one."""

from __future__ import annotations

import json

import pytest

from experiments.extraction.told_facts import SENTENCES, is_read
from fabula.story.extraction.reader import StoryReader


@pytest.fixture(scope="module")
def reader():
    return StoryReader()


def rows():
    return [
        json.loads(line)
        for path in sorted(SENTENCES.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


def test_every_sentence_names_whom_it_is_about():
    told = rows()
    assert len(told) > 4000
    assert all(row["who"] in row["text"] for row in told)
    assert len({(row["frame"], row["text"]) for row in told}) == len(told)


@pytest.mark.parametrize(
    ("frame", "value", "text", "read"),
    [
        ("hand", "left", "Marcus Hale was left-handed.", True),
        ("hand", "right", "Marcus Hale was left-handed.", False),
        ("eyes", "gray", "Marcus Hale had grey eyes.", True),
        ("siblings", 3, "Marcus Hale had three brothers.", True),
        ("trade", "baker", "Marcus Hale was a baker.", True),
        ("cold", None, "Marcus Hale hated Elena Voss.", True),
        ("cold", None, "Marcus Hale met Elena Voss.", False),
        ("death", None, "Marcus Hale died in the night.", True),
    ],
)
def test_what_counts_as_read(reader, frame, value, text, read):
    row = {"frame": frame, "who": "Marcus Hale", "value": value, "text": text}
    assert is_read(row, reader.read(text)) is read
