import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.contracts.generator_contract import PROMPT

from fabula.core.types import Prompt
from fabula.errors import ModelError, ModelRefused, ModelTransient
from fabula.llm import openai_compatible
from fabula.llm.recorded import RecordedGenerator

from .chat_server import (
    ChatServer,
    Endless,
    Hang,
    Page,
    Reset,
    Status,
    answer,
    ask,
    chunk,
    events,
    generator_at,
    usage_chunk,
)


def test_a_bad_day_ends_with_one_answer():
    waits = []
    day = [Status(429, headers=[("Retry-After", "2")]), Status(503), Reset(), Page("\x00", "text/plain")]
    generation, server = ask([*day, answer("It", " rained."), answer("So.")], PROMPT, OTHER, waits=waits)
    assert (generation.text, waits) == ("So.", [2.0, 1.0, 2.0, 4.0])
    keys = [headers["Idempotency-Key"] for headers in server.headers]
    assert len(keys) == 6 and keys[0] == keys[4] != keys[5]  # each call has a key of its own


OTHER = Prompt("", "Tell.", "v1")


@pytest.mark.parametrize("ending", [Reset, lambda body: Page(body, cut=True)], ids=["reset", "cut"])
def test_an_answer_that_came_whole_is_kept_however_its_connection_ends(ending):
    whole = events(chunk("It rained."), chunk(finish="stop"), done=False)
    generation, server = ask([ending(whole)])
    assert generation.text == "It rained."
    assert dict(generation.settings)["tokens"] == "estimated"
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "reply",
    [
        Status(500),
        Page(json.dumps({"choices": [{"message": {"content": "It rained."}}]}), "application/json"),
        Page("\x00\x01\x02", "application/octet-stream"),
        Page("", "text/plain"),
    ],
)
def test_what_is_no_stream_is_tried_again_and_then_refused(reply):
    waits = []
    with pytest.raises(ModelTransient, match=r"m at 127\.0\.0\.1:\d+/v1 .* after 4 tries"):
        ask([reply] * 4, retries=3, waits=waits)
    assert waits == [0.5, 1.0, 2.0]  # 0.5 * 2**n, times 1 at full jitter


@pytest.mark.parametrize(
    ("event", "bound"),
    [
        (": still here\n\n", r"for more than 0\.2 s"),
        (events(chunk("and " * 500), done=False), r"more than 0\.2 MB"),
        ("data: " + "x" * 4000, r"more than 0\.2 MB"),
    ],
    ids=["a drip", "events", "one event"],
)
def test_a_body_without_end_is_bounded_and_hung_up_on(event, bound, monkeypatch):
    monkeypatch.setattr(openai_compatible, "_MOST_BYTES", 200_000)
    drips = event.startswith(":")
    endless = Endless(event, pause_s=0.02 if drips else 0.0005)
    with pytest.raises(ModelRefused, match=rf"without end \({bound}\)"):
        ask([endless], longest_s=0.2 if drips else 60)
    assert endless.hung_up.wait(5)
    with pytest.raises(ModelRefused, match="without end"):
        ask([Status(500, message="x" * 400_000)])


def test_silence_is_bounded_at_every_try():
    hangs = [Hang(), Hang()]
    with pytest.raises(ModelTransient, match=r"sent nothing for 0\.1 s.* after 2 tries"):
        ask(list(hangs), timeout_s=0.1, retries=1)
    for hang in hangs:
        hang.release.set()


def prompts(count):
    return [Prompt("Be brief.", f"Prompt {number}.", "v1") for number in range(count)]


def faulty(served, faults):
    """A script: each prompt meets its faults first, and is then answered; ``served`` counts the answers."""
    left = {}

    def script(body):
        asked = body["messages"][-1]["content"]
        queue = left.setdefault(asked, list(faults))
        if queue:
            return queue.pop(0)
        served.append(asked)
        return Page(events(chunk(f"On {asked}"), chunk(finish="stop"), usage_chunk(9, 3)))

    return script


def test_a_recorded_run_through_faults_pays_once_a_request(tmp_path):
    served = []
    cut = Page(events(chunk("On"), done=False), cut=True)
    script = faulty(served, [Status(500), cut, Reset()])
    with ChatServer(script) as server:
        for _ in range(4):  # each run goes on where the one before failed
            recorded = RecordedGenerator(tmp_path / "run.sqlite", lambda: generator_at(server.url))
            answers = []
            for prompt in prompts(3):
                try:
                    answers.append(recorded.generate(prompt, max_tokens=50).text)
                except ModelError:
                    break
            recorded.close()
            if len(answers) == 3:
                break
    assert answers == [f"On Prompt {number}." for number in range(3)]
    assert sorted(served) == [f"Prompt {number}." for number in range(3)]


def test_two_threads_that_ask_the_same_pay_once(tmp_path):
    served = []
    with ChatServer(faulty(served, [])) as server:
        recorded = RecordedGenerator(tmp_path / "run.sqlite", lambda: generator_at(server.url))
        [prompt] = prompts(1)
        with ThreadPoolExecutor(4) as pool:
            made = list(pool.map(lambda _: recorded.generate(prompt, max_tokens=50).text, range(8)))
        recorded.close()
    assert made == ["On Prompt 0."] * 8
    assert served == ["Prompt 0."]
