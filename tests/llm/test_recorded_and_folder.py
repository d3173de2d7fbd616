import json
import sqlite3
import threading
import time
from contextlib import closing
from dataclasses import replace
from functools import partial

import pytest
from tests.contracts.generator_contract import PROMPT, GeneratorContract
from tests.scripted import ScriptedGenerator

from fabula.config import Generator, load_config
from fabula.core.files.atomic import replace_file
from fabula.core.types import Prompt
from fabula.errors import ConfigError, ModelError, ModelMissing, ModelRefused, ModelTransient
from fabula.llm.folder import ANSWERS, REQUESTS, FolderGenerator, is_outdated
from fabula.llm.kept_answers import KeptAnswers, key_of
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


def writing(material, task="Go on."):
    return Prompt("", f"<<<STORY\n{material}\nSTORY>>>\n\n{task}", "continue/1")


def test_a_draft_is_that_of_its_task_and_of_the_kinds_of_its_material():
    asked = writing("[Character Info]\n- Ann: is ten.")
    kept = KeptAnswers("m", {key_of(asked, loosely=True): "She ran."})
    assert kept.generate(writing("[Character Info]\n- Ann: is 10."), max_tokens=9).text == "She ran."
    for other in (writing("[Story So Far]\nAnn came."), writing("[Character Info]\n- Ann.", "Stop.")):
        assert not kept.holds(other)


ASKED = Prompt("You answer.", "Who keeps the lighthouse?", "v1")


def make(folder, name="careful reader", **given):
    how = {"timeout_s": 20, "settled_s": 0.05, "concurrency": 1} | given
    settled = how.pop("settled_s")
    told = Generator(provider="folder", folder=str(folder or ""), model=name, **how)
    made = FolderGenerator(told)
    made.settled_s = settled
    return made


def asked_in(folder):
    """The requests that lie there, the oldest first."""
    return sorted((folder / REQUESTS).glob("*.json"), key=lambda file: file.stat().st_mtime_ns)


@pytest.fixture(scope="module")
def answered(tmp_path_factory):
    """A folder in which somebody answers."""
    folder, done = tmp_path_factory.mktemp("asked"), threading.Event()
    make(folder).close()

    def answer():
        while not done.wait(0.02):
            for asked in asked_in(folder):
                text = folder / ANSWERS / f"{asked.stem}.txt"
                if not text.exists():
                    replace_file(text, "Old Harriet keeps it, and nobody else on the rock does.")

    thread = threading.Thread(target=answer)
    thread.start()
    yield folder
    done.set()
    thread.join()


class TestContract(GeneratorContract):
    @pytest.fixture
    def generator(self, answered):
        return make(answered, concurrency=4)

    @pytest.fixture
    def fresh_generator(self, answered):
        return make(answered)


def test_nobody_answers_and_a_later_run_finds_the_answer(tmp_path):
    generator = make(tmp_path, timeout_s=0.2)
    with pytest.raises(ModelTransient, match=r"request \w+ has no answer .* put one into"):
        generator.generate(ASKED, max_tokens=40, seed=2)
    (other,) = asked_in(tmp_path)
    with pytest.raises(ModelTransient, match=f"requests {other.stem}, .* have no answer .* put one into"):
        generator.generate(ASKED, max_tokens=40, seed=1)  # another seed is another request
    _, asked = asked_in(tmp_path)
    request = json.loads(asked.read_text())
    assert (request["system"], request["user"], request["model"]) == (
        "You answer.",
        "Who keeps the lighthouse?",
        "careful reader",
    )
    assert "Who keeps the lighthouse?" in asked.with_suffix(".md").read_text()
    (tmp_path / ANSWERS / f"{asked.stem}.txt").write_text("Harriet does.\n")
    again = make(tmp_path, timeout_s=5).generate(ASKED, max_tokens=40, seed=1)
    assert (again.text, again.model) == ("Harriet does.", "folder:careful reader")
    assert dict(again.settings)["request"] == asked.stem
    assert len(asked_in(tmp_path)) == 2


def test_a_corrected_answer_counts(tmp_path):
    path, outdated = tmp_path / "run.sqlite", partial(is_outdated, tmp_path)
    with pytest.raises(ModelTransient):
        make(tmp_path, timeout_s=0.1).generate(ASKED, max_tokens=40)
    (asked,) = asked_in(tmp_path)
    with closing(RecordedGenerator(path, lambda: make(tmp_path), is_outdated=outdated)) as model:
        for text in ("Harriet does.", "Nobody does."):
            (tmp_path / ANSWERS / f"{asked.stem}.txt").write_text(text)
            assert not model.holds(ASKED, 40)
            assert model.generate(ASKED, max_tokens=40).text == text
            assert model.holds(ASKED, 40)


def test_an_answer_that_still_grows_is_waited_for(tmp_path):
    generator = make(tmp_path, settled_s=1.5)
    got = []
    waiting = threading.Thread(target=lambda: got.append(generator.generate(ASKED, max_tokens=40)))
    waiting.start()
    while not asked_in(tmp_path):
        time.sleep(0.01)
    answer = tmp_path / ANSWERS / f"{asked_in(tmp_path)[0].stem}.txt"
    for piece in ("", "Harriet ", "keeps ", "it."):
        with answer.open("a") as file:
            file.write(piece)
        time.sleep(0.1)
    waiting.join(60)
    assert [one.text for one in got] == ["Harriet keeps it."]


def test_an_answer_with_a_schema_is_json_and_whole(tmp_path):
    prompt = Prompt("", "List them.", "v1", schema='{"type": "array"}')
    generator = make(tmp_path, timeout_s=0.1)
    with pytest.raises(ModelTransient):
        generator.generate(prompt, max_tokens=3)
    answer = tmp_path / ANSWERS / f"{asked_in(tmp_path)[0].stem}.txt"
    answer.write_text("[1, 2, 3, 4, 5, 6]")
    assert make(tmp_path).generate(prompt, max_tokens=3).text == "[1, 2, 3, 4, 5, 6]"
    answer.write_text("none")
    with pytest.raises(ModelRefused, match="is not JSON"):
        make(tmp_path).generate(prompt, max_tokens=3)


def test_closing_ends_the_wait(tmp_path):
    generator = make(tmp_path)
    threading.Timer(0.2, generator.close).start()
    with pytest.raises(ModelTransient, match="abandoned"):
        generator.generate(ASKED, max_tokens=9)
    with pytest.raises(ModelMissing):
        generator.generate(ASKED, max_tokens=9)


@pytest.mark.parametrize(("folder", "name"), [(None, "reader"), ("asked", " ")])
def test_a_folder_and_a_name_are_needed(folder, name):
    with pytest.raises(ConfigError, match="provider folder needs"):
        make(folder, name)
