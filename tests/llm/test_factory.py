import subprocess
import sys

import pytest

from fabula.config import Generator
from fabula.errors import ConfigError, ModelMissing
from fabula.llm.factory import make_generator
from fabula.llm.local import LocalGenerator
from fabula.llm.openai_compatible import OpenAICompatibleGenerator


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
