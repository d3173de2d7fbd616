"""What every Generator keeps. A subclass gives ``generator`` and ``fresh_generator`` as fixtures."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from fabula.core.types import Prompt
from fabula.errors import ModelError, ModelRefused

PROMPT = Prompt(system="You tell short stories.", user="Say who keeps the lighthouse.", version="contract-1")


class GeneratorContract:
    max_tokens = 12

    def ask(self, generator, prompt=PROMPT, **settings):
        return generator.generate(prompt, **{"max_tokens": self.max_tokens, **settings})

    def test_answers_with_text_and_counts(self, generator):
        generation = self.ask(generator)
        assert generation.text.strip()
        assert generation.model == generator.name
        assert generation.prompt_tokens > 0
        assert 0 < generation.completion_tokens <= self.max_tokens
        assert generation.seconds >= 0
        assert generation.finish_reason in ("stop", "length")
        assert dict(generation.settings)["max_tokens"] == self.max_tokens

    def test_streams_the_whole_text_in_order(self, generator):
        pieces = []
        generation = self.ask(generator, on_text=pieces.append)
        assert "".join(pieces) == generation.text
        assert all(pieces)
        assert len(pieces) > 1

    def test_same_call_same_text(self, generator):
        first = self.ask(generator)
        self.ask(generator, Prompt("", "Count the ships in the harbour.", "contract-1"))
        again = self.ask(generator)
        assert (again.text, again.prompt_tokens) == (first.text, first.prompt_tokens)

    def test_same_seed_same_text_when_sampling(self, generator):
        texts = {self.ask(generator, temperature=0.9, seed=7).text for _ in range(2)}
        assert len(texts) == 1

    def test_length_is_said(self, generator):
        generation = self.ask(generator, max_tokens=2)
        assert generation.finish_reason == "length"
        assert generation.completion_tokens == 2

    def test_an_exception_from_on_text_comes_out_as_it_is(self, generator):
        seen = []

        def stop(piece):
            seen.append(generator.count_tokens(piece))  # which does not hang
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            self.ask(generator, on_text=stop)
        assert len(seen) == 1 and self.ask(generator).text

    def test_counts_tokens(self, generator):
        assert generator.count_tokens("") == 0
        one, two = generator.count_tokens("The lamp burns."), generator.count_tokens("The lamp burns. " * 2)
        assert 0 < one < two

    def test_refuses_what_does_not_fit(self, generator):
        room = generator.context_tokens
        with pytest.raises(ModelRefused, match=rf"\d+ tokens and {room} more .* holds {room}"):
            self.ask(generator, max_tokens=room)
        long = Prompt("", "keeper " * room, "contract-1")
        with pytest.raises(ModelRefused, match=f"holds {room}"):
            self.ask(generator, long, max_tokens=1)

    @pytest.mark.parametrize(
        "settings",
        [{"max_tokens": 0}, {"temperature": -0.1}, {"temperature": 2.1}, {"seed": -1}, {"seed": 2**32 - 1}],
    )
    def test_refuses_settings_out_of_range(self, generator, settings):
        with pytest.raises(ModelRefused):
            self.ask(generator, **settings)

    def test_threads_get_what_one_caller_gets(self, generator):
        prompts = [Prompt("", f"Tell of the {thing}.", "contract-1") for thing in ("sea", "lamp", "storm")]
        alone = [self.ask(generator, prompt).text for prompt in prompts]
        with ThreadPoolExecutor(3) as pool:
            together = list(pool.map(lambda prompt: self.ask(generator, prompt).text, prompts))
        assert together == alone

    def test_closing_twice_and_using_afterwards(self, fresh_generator):
        fresh_generator.close()
        fresh_generator.close()
        with pytest.raises(ModelError, match="closed"):
            self.ask(fresh_generator)
