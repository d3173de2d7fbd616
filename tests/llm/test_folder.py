import json
import threading
import time

import pytest
from tests.contracts.generator_contract import GeneratorContract

from fabula.config import Generator
from fabula.core.files.atomic import replace_file
from fabula.core.types import Prompt
from fabula.errors import ConfigError, ModelMissing, ModelRefused, ModelTransient
from fabula.llm.folder import ANSWERS, REQUESTS, FolderGenerator

PROMPT = Prompt("You answer.", "Who keeps the lighthouse?", "v1")


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
    for seed in (2, 1):  # another seed is another request
        with pytest.raises(ModelTransient, match=r"has no answer .* put one into"):
            generator.generate(PROMPT, max_tokens=40, seed=seed)
    _, asked = asked_in(tmp_path)
    request = json.loads(asked.read_text())
    assert (request["system"], request["user"], request["model"]) == (
        "You answer.",
        "Who keeps the lighthouse?",
        "careful reader",
    )
    assert "Who keeps the lighthouse?" in asked.with_suffix(".md").read_text()
    (tmp_path / ANSWERS / f"{asked.stem}.txt").write_text("Harriet does.\n")
    again = make(tmp_path, timeout_s=5).generate(PROMPT, max_tokens=40, seed=1)
    assert (again.text, again.model) == ("Harriet does.", "folder:careful reader")
    assert dict(again.settings)["request"] == asked.stem
    assert len(asked_in(tmp_path)) == 2


def test_an_answer_that_still_grows_is_waited_for(tmp_path):
    generator = make(tmp_path, settled_s=0.4)
    got = []
    waiting = threading.Thread(target=lambda: got.append(generator.generate(PROMPT, max_tokens=40)))
    waiting.start()
    while not asked_in(tmp_path):
        time.sleep(0.01)
    answer = tmp_path / ANSWERS / f"{asked_in(tmp_path)[0].stem}.txt"
    for piece in ("", "Harriet ", "keeps ", "it."):
        with answer.open("a") as file:
            file.write(piece)
        time.sleep(0.1)
    waiting.join(10)
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
    started = time.monotonic()
    with pytest.raises(ModelTransient, match="abandoned"):
        generator.generate(PROMPT, max_tokens=9)
    assert time.monotonic() - started < 5
    with pytest.raises(ModelMissing):
        generator.generate(PROMPT, max_tokens=9)


@pytest.mark.parametrize(("folder", "name"), [(None, "reader"), ("asked", " ")])
def test_a_folder_and_a_name_are_needed(folder, name):
    with pytest.raises(ConfigError, match="provider folder needs"):
        make(folder, name)
