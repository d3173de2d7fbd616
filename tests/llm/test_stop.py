import pytest
from tests.llm.chat_server import answer, ask

from fabula.config import Generator, load_config
from fabula.core.types import Call, Prompt
from fabula.errors import ConfigError
from fabula.llm.factory import make_generator
from fabula.llm.folder import FolderGenerator
from fabula.llm.local import LocalGenerator
from fabula.llm.request import stop_mark, without_stop
from fabula.llm.usage import PriceTable

PROMPT = Prompt("", "Tell.", "v")
JSON = Prompt("", "Tell.", "v", schema='{"type": "object"}')
SAID = "He left. THE END And more."


def test_a_mark_tells_stops_apart_and_changes_no_price():
    marks = {stop_mark(stop) for stop in ((), ("a",), ("b",), ("a", "b"), ("ab",))}
    assert len(marks) == 5 and "" in marks
    assert without_stop("m@host/v1" + stop_mark(("a",))) == without_stop("m@host/v1") == "m@host/v1"
    prices = PriceTable.from_toml('["m@host"]\nprompt = 1.0\ncompletion = 1.0\n')
    assert prices.cost(Call("m@host" + stop_mark(["a"]), 1_000_000, 0, 0.0)) == 1.0


def test_an_answer_in_a_folder_ends_there(tmp_path):
    how = {"timeout_s": 0.1, "context_tokens": 512, "stop": ["THE END"]}
    told = Generator(provider="folder", folder=str(tmp_path), model="hand", **how)
    made = FolderGenerator(told)
    made.settled_s = 0.0
    for prompt in (PROMPT, JSON):
        with pytest.raises(Exception, match="has no answer"):
            made.generate(prompt, max_tokens=9)
    keys = {file.stem: file.read_text() for file in (tmp_path / "requests").glob("*.json")}
    for key, asked in keys.items():
        text = '{"a": "THE END"}' if '"json_schema": ""' not in asked else SAID
        (tmp_path / "answers" / f"{key}.txt").write_text(text)
    assert made.generate(PROMPT, max_tokens=9).text == "He left."
    assert made.generate(JSON, max_tokens=9).text == '{"a": "THE END"}'
    assert made.name.startswith("folder:hand+stop-")


def test_an_endpoint_is_told_where_prose_ends():
    _, server = ask([answer("He left."), answer("{}")], PROMPT, JSON, stop=["THE END", "\n\n"])
    assert server.requests[0]["stop"] == ["THE END", "\n\n"]
    assert "stop" not in server.requests[1]


@pytest.mark.local_model
def test_the_model_in_this_process_ends_there():
    whole = LocalGenerator(context_tokens=512)
    text = whole.generate(PROMPT, max_tokens=40).text
    whole.close()
    word = text.split()[8]
    cut = LocalGenerator(context_tokens=512, stop=[word])
    pieces = []
    generation = cut.generate(PROMPT, max_tokens=40, on_text=pieces.append)
    cut.close()
    assert generation.text == text[: text.index(word)] == "".join(pieces)
    assert generation.finish_reason == "stop"
    assert cut.name != whole.name


def test_the_setting_reaches_every_kind(tmp_path):
    config = load_config(assignments=['generator.stop=["THE END", "###"]'])
    assert config.generator.stop == ("THE END", "###")
    for settings in (
        {"provider": "local"},
        {"provider": "openai", "model": "m", "base_url": "http://127.0.0.1:1/v1"},
        {"provider": "folder", "model": "hand", "folder": str(tmp_path)},
    ):
        made = make_generator(Generator(**settings, stop=config.generator.stop))
        assert made.name.endswith(stop_mark(config.generator.stop))
        made.close()


@pytest.mark.parametrize("value", ['[""]', '["a", "b", "c", "d", "e"]', '"a"', "[1]"])
def test_what_is_no_list_of_stops(value):
    with pytest.raises(ConfigError, match=r"generator\.stop"):
        load_config(assignments=[f"generator.stop={value}"])
