import json
import subprocess
import sys
import threading
import time

import pytest
from tests.contracts.generator_contract import GeneratorContract

from fabula.core.types import Prompt
from fabula.errors import ConfigError, ModelMissing, ModelRefused, ModelTransient
from fabula.llm.folder import ANSWERS, REQUESTS, FolderGenerator

ANSWERER = """
import json, os, sys, time
from pathlib import Path
folder = Path(sys.argv[1])
while True:
    for asked in (folder / "requests").glob("*.json"):
        answer = folder / "answers" / f"{asked.stem}.txt"
        if not answer.exists():
            request = json.loads(asked.read_text())
            text = f"Old Harriet keeps it, seed {request['seed']}, and nobody else on the rock does."
            part = answer.with_suffix(".part")
            part.write_text(text)
            os.replace(part, answer)
    time.sleep(0.02)
"""
PROMPT = Prompt("You answer.", "Who keeps the lighthouse?", "v1")


def make(folder, **given):
    return FolderGenerator(
        folder, "careful reader", **{"timeout_s": 20, "context_tokens": 4096, "settled_s": 0.05, **given}
    )


@pytest.fixture(scope="module")
def answered(tmp_path_factory):
    folder = tmp_path_factory.mktemp("asked")
    make(folder).close()
    process = subprocess.Popen([sys.executable, "-c", ANSWERER, str(folder)])
    yield folder
    process.kill()
    process.wait()


class TestContract(GeneratorContract):
    @pytest.fixture
    def generator(self, answered):
        return make(answered, concurrency=4)

    @pytest.fixture
    def fresh_generator(self, answered):
        return make(answered)


def only(folder, part):
    (found,) = (folder / part).glob("*.json" if part == REQUESTS else "*")
    return found


def test_nobody_answers_and_a_later_run_finds_the_answer(tmp_path):
    generator = make(tmp_path, timeout_s=0.2)
    with pytest.raises(ModelTransient, match=r"has no answer .* put one into"):
        generator.generate(PROMPT, max_tokens=40)
    asked = only(tmp_path, REQUESTS)
    request = json.loads(asked.read_text())
    assert (request["system"], request["user"], request["model"]) == (
        "You answer.",
        "Who keeps the lighthouse?",
        "careful reader",
    )
    assert "Who keeps the lighthouse?" in asked.with_suffix(".md").read_text()
    (tmp_path / ANSWERS / f"{asked.stem}.txt").write_text("Harriet does.\n")
    again = make(tmp_path, timeout_s=5).generate(PROMPT, max_tokens=40)
    assert (again.text, again.model) == ("Harriet does.", "folder:careful reader")
    assert dict(again.settings)["request"] == asked.stem
    assert len(list((tmp_path / REQUESTS).glob("*.json"))) == 1


def test_an_answer_that_still_grows_is_waited_for(tmp_path):
    generator = make(tmp_path, settled_s=0.4)
    got = []
    waiting = threading.Thread(target=lambda: got.append(generator.generate(PROMPT, max_tokens=40)))
    waiting.start()
    while not list((tmp_path / REQUESTS).glob("*.json")):
        time.sleep(0.01)
    answer = tmp_path / ANSWERS / f"{only(tmp_path, REQUESTS).stem}.txt"
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
    answer = tmp_path / ANSWERS / f"{only(tmp_path, REQUESTS).stem}.txt"
    answer.write_text("[1, 2, 3, 4, 5, 6]")
    assert make(tmp_path).generate(prompt, max_tokens=3).text == "[1, 2, 3, 4, 5, 6]"
    answer.write_text("none")
    with pytest.raises(ModelRefused, match="no JSON"):
        make(tmp_path).generate(prompt, max_tokens=3)


def test_another_seed_is_another_request(tmp_path):
    for seed in (1, 2):
        with pytest.raises(ModelTransient):
            make(tmp_path, timeout_s=0.05).generate(PROMPT, max_tokens=9, seed=seed)
    assert len(list((tmp_path / REQUESTS).glob("*.json"))) == 2


def test_closing_ends_the_wait(tmp_path):
    generator = make(tmp_path)
    threading.Timer(0.2, generator.close).start()
    started = time.monotonic()
    with pytest.raises(ModelTransient, match="given up"):
        generator.generate(PROMPT, max_tokens=9)
    assert time.monotonic() - started < 5
    with pytest.raises(ModelMissing):
        generator.generate(PROMPT, max_tokens=9)


def test_a_folder_and_a_name_are_needed(tmp_path):
    with pytest.raises(ConfigError, match="provider folder needs"):
        FolderGenerator(None, "reader", timeout_s=1, context_tokens=99)
    with pytest.raises(ConfigError, match="provider folder needs"):
        make(tmp_path).__class__(tmp_path, " ", timeout_s=1, context_tokens=99)
