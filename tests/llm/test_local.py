import json
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.contracts.generator_contract import PROMPT, GeneratorContract
from tests.llm.chat_server import generator_at

from fabula.core.types import Prompt
from fabula.errors import ModelMissing, ModelTransient
from fabula.llm.local import LocalGenerator, find_default_model

pytestmark = pytest.mark.local_model

KEEPER = "The keeper climbed the stair every night, and nobody came. " * 5
OTHER = Prompt("", "Count the ships in the harbour.", "v1")
SHARED = [Prompt("", KEEPER + "Continue the story.", "v1"), Prompt("", KEEPER + "Who is the keeper?", "v1")]


@pytest.fixture(scope="module")
def local():
    generator = LocalGenerator(context_tokens=512)
    yield generator
    generator.close()


class TestLocal(GeneratorContract):
    max_tokens = 4

    @pytest.fixture
    def generator(self, local):
        return local

    @pytest.fixture
    def fresh_generator(self):
        return LocalGenerator(context_tokens=512)


def test_counts_are_the_models_own(local):
    generation = local.generate(PROMPT, max_tokens=1)
    words = local.count_tokens(PROMPT.system) + local.count_tokens(PROMPT.user)
    template = 3 + 5 + 6  # <|im_start|> system \n; <|im_end|> \n <|im_start|> user \n; the same for assistant
    assert generation.prompt_tokens == words + template
    assert local.count_tokens("Hello world") == 2


def test_story_text_cannot_end_its_turn(local):
    marker = "<|im_end|>"
    assert local.count_tokens(marker) > 1
    plain = local.generate(Prompt("", "A", "v1"), max_tokens=1).prompt_tokens
    marked = local.generate(Prompt("", "A" + marker, "v1"), max_tokens=1).prompt_tokens
    assert marked - plain == local.count_tokens("A" + marker) - local.count_tokens("A")


@pytest.mark.slow
def test_an_earlier_prompt_with_the_same_beginning_changes_nothing(local):
    """With llama.cpp's prompt cache on, the second text differs from the third word on."""
    texts = []
    for earlier in (OTHER, SHARED[1]):
        local.generate(earlier, max_tokens=1)
        texts.append(local.generate(SHARED[1], max_tokens=16, temperature=0.9, seed=5).text)
    assert texts[0] == texts[1]


@pytest.mark.slow
def test_it_neither_loops_nor_copies_the_layout_of_its_prompt(local):
    """Without penalties and bars it answers this with the prompt's own fence and labels, over and over."""
    material = "<<<STORY\n[Story So Far]\n[Passage ch. 1]\nHarriet fed the bees.\nSTORY>>>\n\nWrite on."
    text = local.generate(Prompt("You continue a novel.", material, "t"), max_tokens=120).text
    assert not set("<[") & set(text)
    words = text.split()
    grams = [tuple(words[i : i + 4]) for i in range(len(words) - 3)]
    assert len(set(grams)) > 0.7 * len(grams)


def test_generating_within_on_text_does_not_hang(local):
    inner = []

    def nest(_):
        if not inner:
            inner.append(local.generate(OTHER, max_tokens=4).text)

    alone = local.generate(PROMPT, max_tokens=6).text
    assert local.generate(PROMPT, max_tokens=6, on_text=nest).text == alone
    assert inner == [local.generate(OTHER, max_tokens=4).text]


def test_it_keeps_to_a_form(local):
    names = {"type": "array", "maxItems": 2, "items": {"type": "string", "enum": ["Anna", "Tom"]}}
    schema = {"type": "object", "additionalProperties": False, "required": ["names"]}
    form = json.dumps(schema | {"properties": {"names": names}})
    held = local.generate(Prompt("You list names as JSON.", "Anna met Tom.", "v1", form), max_tokens=40)
    assert set(json.loads(held.text)["names"]) <= {"Anna", "Tom"}
    assert dict(held.settings)["sampling"] == "json/1"


def test_closing_stops_a_running_generation():
    generator, started = LocalGenerator(context_tokens=512), threading.Event()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(generator.generate, PROMPT, max_tokens=400, on_text=lambda _: started.set())
        assert started.wait(60)
        generator.close()
        with pytest.raises(ModelTransient, match="the local model was closed while it was writing"):
            running.result(30)


def test_a_damaged_file_is_named(tmp_path):
    (tmp_path / "half.gguf").write_bytes(b"GGUF" + bytes(100))
    generator = LocalGenerator(str(tmp_path / "half.gguf"))
    with pytest.raises(ModelMissing, match=r"cannot load .*half\.gguf"):
        generator.generate(PROMPT, max_tokens=1)


RUN = """
import sys
from fabula.core.types import Prompt
from fabula.llm.local import LocalGenerator
generator = LocalGenerator(context_tokens=512, threads=int(sys.argv[1]))
for number in sys.argv[2]:
    prompt = Prompt("", sys.argv[3 + int(number)], "v1")
    for temperature in (0.0, 0.8):
        text = generator.generate(prompt, max_tokens=16, temperature=temperature, seed=5).text
        sys.stdout.write(f"{number} {temperature} {text!r}\\n")
"""


def _run(code, *args, **variables):
    how = {"env": {**os.environ, **variables}, "capture_output": True, "text": True, "timeout": 120}
    done = subprocess.run([sys.executable, "-c", code, *args], check=False, **how)
    assert done.returncode == 0, done.stderr
    return done


@pytest.mark.slow
@pytest.mark.thorough
def test_other_processes_orders_and_thread_counts_give_the_same_bytes():
    users = [prompt.user for prompt in SHARED]
    runs = [_run(RUN, threads, order, *users) for threads, order in (("2", "01"), ("1", "101"))]
    assert len({frozenset(run.stdout.splitlines()) for run in runs}) == 1
    assert [run.stderr for run in runs] == ["", ""]


EXIT = """
import sys, threading
from fabula.core.types import Prompt
from fabula.llm.local import LocalGenerator
generator = LocalGenerator(context_tokens=512)
started = threading.Event()
prompt, told = [Prompt("", "Tell.", "v1")], {"max_tokens": 400, "on_text": lambda _: started.set()}
threading.excepthook = lambda _: None
threading.Thread(target=generator.generate, args=prompt, kwargs=told, daemon=True).start()
started.wait()
"""


@pytest.mark.slow
def test_a_process_ends_while_a_thread_is_still_writing():
    assert _run(EXIT).stderr == ""


POLICY = """
import os
from fabula.llm.local import LocalGenerator
LocalGenerator(context_tokens=512).count_tokens("Load.")
print(os.environ["OMP_WAIT_POLICY"])
"""


@pytest.mark.slow
def test_the_wait_policy_is_set_only_where_the_user_has_not(monkeypatch):
    assert _run(POLICY, OMP_WAIT_POLICY="PASSIVE").stdout.strip() == "PASSIVE"
    monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
    assert _run(POLICY).stdout.strip() == "passive"


@pytest.mark.slow
def test_llama_cpps_own_http_server_is_an_openai_endpoint():
    import xllamacpp  # loaded earlier it would settle how all others wait for their threads

    params = xllamacpp.CommonParams()
    params.model.path, params.n_ctx, params.verbosity = str(find_default_model()), 512, -1
    server = xllamacpp.Server(params)
    generator, pieces = generator_at(f"{server.listening_address}/v1"), []
    generation = generator.generate(PROMPT, max_tokens=8, on_text=pieces.append)
    generator.close()
    assert "".join(pieces) == generation.text
    assert (generation.completion_tokens, generation.finish_reason) == (8, "length")
    assert dict(generation.settings)["tokens"] == "reported"
