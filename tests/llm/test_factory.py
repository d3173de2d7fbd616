import subprocess
import sys

import pytest

from fabula.core.types import Prompt
from fabula.errors import ConfigError, ModelMissing
from fabula.llm.factory import GeneratorSettings, make_generator
from fabula.llm.local import LocalGenerator
from fabula.llm.openai_compatible import OpenAICompatibleGenerator
from fabula.llm.scripted import DRY_RUN_REPLY

PROMPT = Prompt("", "Go on.", "v1")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"provider": "gpt"}, "no provider 'gpt': choose one of local, openai, ollama, folder, scripted"),
        ({"provider": "openai"}, "needs a model"),
        ({"context_tokens": 0}, "context_tokens is 0"),
        ({"threads": -1}, "threads is -1"),
        ({"max_retries": -1}, "max_retries is -1"),
        ({"concurrency": 0}, "concurrency is 0"),
        ({"timeout_s": 0.0}, "timeout_s is 0"),
    ],
)
def test_settings_out_of_range(settings, message):
    with pytest.raises(ConfigError, match=message):
        GeneratorSettings(**settings)


def test_local_is_the_default():
    generator = make_generator(GeneratorSettings(context_tokens=512))
    assert isinstance(generator, LocalGenerator)
    assert generator.context_tokens == 512


def test_openai(monkeypatch):
    monkeypatch.setenv("SOME_KEY", "sk-1")
    settings = GeneratorSettings(
        provider="openai", model="m", base_url="http://127.0.0.1:9/v1", api_key_env="SOME_KEY", concurrency=2
    )
    generator = make_generator(settings)
    assert isinstance(generator, OpenAICompatibleGenerator)
    assert (generator.name, generator.concurrency) == ("m@127.0.0.1:9/v1", 2)
    generator.close()


def test_openai_itself_needs_a_key(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ModelMissing, match="set OPENAI_API_KEY"):
        make_generator(GeneratorSettings(provider="openai", model="m"))


def test_scripted_is_a_dry_run_unless_it_has_replies():
    settings = GeneratorSettings(provider="scripted")
    assert make_generator(settings).generate(PROMPT, max_tokens=20).text == DRY_RUN_REPLY
    assert make_generator(settings, replies=["So."]).generate(PROMPT, max_tokens=20).text == "So."


def test_importing_the_package_loads_no_model_library():
    code = "import sys, fabula.llm.factory; print([m for m in ('openai', 'xllamacpp') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
