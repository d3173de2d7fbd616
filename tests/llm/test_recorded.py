import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest
from tests.contracts.generator_contract import PROMPT, GeneratorContract
from tests.scripted import ScriptedGenerator

from fabula.config import load_config
from fabula.errors import ConfigError, ModelError, ModelMissing
from fabula.llm.recorded import RecordedGenerator
from fabula.project.factories import make_generator

PARTS = ("system", "user", "version", "schema")


def echo(prompt):
    return f"The keeper of {len(prompt.user)} lamps goes up and down the stair all night long."


class TestRecording(GeneratorContract):
    @pytest.fixture
    def fresh_generator(self, tmp_path):
        made = RecordedGenerator(tmp_path / "run.sqlite", lambda: ScriptedGenerator(echo))
        yield made
        made.close()

    @pytest.fixture
    def generator(self, fresh_generator):
        return fresh_generator


def record(path, *, name="scripted", replies=echo):
    made = RecordedGenerator(path, lambda: ScriptedGenerator(replies, name=name, context_tokens=777))
    return closing(made)


def test_it_plays_again_without_the_model(tmp_path):
    path, pieces = tmp_path / "run.sqlite", []
    with record(path) as made:
        first = made.generate(PROMPT, max_tokens=9, temperature=0.5, seed=3)
        tokens = made.count_tokens("a lamp, a stair")
    with closing(RecordedGenerator(path, None)) as alone:
        assert alone.generate(PROMPT, max_tokens=9, temperature=0.5, seed=3, on_text=pieces.append) == first
        assert "".join(pieces) == first.text
        assert (alone.name, alone.context_tokens, alone.concurrency) == ("scripted", 777, 1)
        assert alone.count_tokens("a lamp, a stair") == tokens


@pytest.mark.parametrize(
    "changed",
    [
        {"max_tokens": 10},
        {"temperature": 0.6},
        {"seed": 4},
        *({"prompt": replace(PROMPT, **{part: getattr(PROMPT, part) + " "})} for part in PARTS),
    ],
    ids=str,
)
def test_any_other_request_is_another(tmp_path, changed):
    path = tmp_path / "run.sqlite"
    asked = {"prompt": PROMPT, "max_tokens": 9, "temperature": 0.5, "seed": 3}
    with record(path) as made:
        made.generate(**asked)
    with closing(RecordedGenerator(path, None)) as alone:
        alone.generate(**asked)
        with pytest.raises(ModelMissing, match="record again"):
            alone.generate(**{**asked, **changed})
        with pytest.raises(ModelMissing, match="count of tokens"):
            alone.count_tokens("never counted")


def test_what_is_kept_is_not_asked_again_and_it_says_what_that_is(tmp_path):
    path = tmp_path / "run.sqlite"
    for replies in (["one only"], []):  # a further call would raise
        with record(path, replies=replies) as made:
            assert made.holds(PROMPT, 9) == (not replies)
            for _ in range(2):
                assert made.generate(PROMPT, max_tokens=9).text == "one only"
            assert made.holds(PROMPT, 9) and not made.holds(PROMPT, 10)


def test_wrong_files_are_one_clear_line(tmp_path):
    with pytest.raises(ModelMissing, match="no recording"):
        RecordedGenerator(tmp_path / "none.sqlite", None)
    (tmp_path / "text").write_text("no database, " * 99)
    with pytest.raises(ConfigError, match="is not a recording"):
        record(tmp_path / "text")
    with record(tmp_path / "one.sqlite"):
        pass
    with pytest.raises(ConfigError, match="holds answers of scripted, not of other"):
        record(tmp_path / "one.sqlite", name="other")
    sqlite3.connect(tmp_path / "empty.sqlite").close()
    (tmp_path / "empty.sqlite").touch()
    with pytest.raises(ModelMissing, match="empty"):
        RecordedGenerator(tmp_path / "empty.sqlite", None)


def test_what_was_opened_for_a_wrong_file_is_closed(tmp_path, monkeypatch):
    opened, connect, inner = [], sqlite3.connect, ScriptedGenerator(echo, name="other")
    (tmp_path / "text").write_text("no database, " * 99)
    with record(tmp_path / "one.sqlite"):
        pass
    monkeypatch.setattr(
        sqlite3, "connect", lambda *args, **how: opened.append(connect(*args, **how)) or opened[-1]
    )
    for name in ("text", "one.sqlite"):
        with pytest.raises(ConfigError):
            RecordedGenerator(tmp_path / name, lambda: inner)
    assert len(opened) == 2
    for db in opened:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            db.execute("SELECT 1")
    with pytest.raises(ModelError, match="closed"):
        inner.generate(PROMPT, max_tokens=9)


def test_settings_name_the_recording(tmp_path):
    path = tmp_path / "run.sqlite"
    with record(path):
        pass
    config = load_config(assignments=[f'generator.recording="{path}"', "generator.replay=true"])
    made = make_generator(config)
    assert made.name == "scripted"
    made.close()
    with pytest.raises(ConfigError, match="recording to replay"):
        load_config(assignments=["generator.replay=true"])
