"""The demo story is of the promised size, and its default prompt names nobody who comes later."""

import re

from fabula.demo import default_prompt, prompts, story_text

HEADING = re.compile(r"^## Chapter (\d+): \S.*$", re.MULTILINE)


def test_story_is_plain_markdown_of_the_promised_size():
    text = story_text()
    assert text.startswith("# The Bloom Line\n")
    assert [int(found[1]) for found in HEADING.finditer(text)] == list(range(1, 14))
    assert 10_000 <= len(text.split()) <= 11_500
    assert not re.search(r" {2,}|\t|\r", text)


def test_the_default_prompt_names_nobody_unknown_at_its_horizon():
    assert len(prompts()) == 6 and [p.default for p in prompts()].count(True) == 1
    prompt, text = default_prompt(), story_text()
    told = text[: text.index(f"## Chapter {prompt.chapter + 1}:")]
    for name in re.findall(r"(?<=[a-z] )[A-Z][a-z]+", prompt.prompt):
        assert name in told
