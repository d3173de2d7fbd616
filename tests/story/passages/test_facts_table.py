import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.errors import ProjectError
from fabula.story.passages.chunk_facts import ChunkFacts, ChunkFactsTable
from fabula.story.passages.scenes_and_tones import SceneKind, Tone

ROWS = st.lists(
    st.builds(
        ChunkFacts,
        st.integers(1, 3),
        st.lists(st.sampled_from("abcdef"), unique=True, max_size=4).map(tuple),
        st.sampled_from(SceneKind),
        st.sampled_from(Tone),
        st.integers(1, 10),
    ),
    max_size=12,
)
FACTS = [
    ChunkFacts(1, ("a", "b"), SceneKind.ACTION, Tone.SAD, 3),
    ChunkFacts(2, ("c",), SceneKind.DIALOGUE, Tone.HAPPY, 9),
]


def rows_of(table):
    """What the columns say of each row."""
    return [
        ChunkFacts(
            int(table.chapters[n]),
            tuple(who for who in table.characters if table.with_any([who])[n]),
            next(kind for kind in SceneKind if table.of_scenes([kind])[n]),
            next(tone for tone in Tone if table.of_tones([tone])[n]),
            int(table.importance[n]),
        )
        for n in range(len(table))
    ]


def plain(rows):
    """People in order of first use."""
    order = list(dict.fromkeys(who for row in rows for who in row.characters))
    return [replace(row, characters=tuple(sorted(row.characters, key=order.index))) for row in rows]


def _bytes(table, folder):
    folder.mkdir(exist_ok=True)
    table.save(folder)
    return [(folder / name).read_bytes() for name in ("facts.npy", "facts.json")]


@given(ROWS, st.integers(0, 14))
def test_appending_is_rebuilding_to_the_byte(tmp_path_factory, rows, cut):
    whole = ChunkFactsTable.from_facts(rows)
    folder = tmp_path_factory.mktemp("table")
    parts = whole.first(cut).appended(rows[cut:])
    assert whole.first(cut) == ChunkFactsTable.from_facts(rows[:cut])
    assert parts == whole
    assert _bytes(parts, folder) == _bytes(whole, folder)
    again = ChunkFactsTable.load(folder)
    assert again == whole
    assert rows_of(again) == plain(rows)
    assert not again.chapters.flags.writeable  # the file itself, by mmap


def test_damaged_files_are_refused(tmp_path):
    table = ChunkFactsTable.from_facts(FACTS)
    with pytest.raises(ProjectError, match="index the book again"):
        ChunkFactsTable.load(tmp_path)
    table.save(tmp_path)
    names = (tmp_path / "facts.json").read_text()
    for damage in (
        lambda about: about.update(rules="facts-0"),
        lambda about: about.update(characters=[]),
        lambda about: about.update(rows=1),
        lambda about: about.update(rows=3),
        lambda about: about.update(rows=-1),
        lambda about: about.pop("rows"),
    ):
        about = json.loads(names)
        damage(about)
        (tmp_path / "facts.json").write_text(json.dumps(about))
        with pytest.raises(ProjectError, match="index the book again"):
            ChunkFactsTable.load(tmp_path)
    (tmp_path / "facts.json").write_text(names)
    body = np.load(tmp_path / "facts.npy")
    np.save(tmp_path / "facts.npy", body[:-1])
    with pytest.raises(ProjectError, match="damaged"):
        ChunkFactsTable.load(tmp_path)
