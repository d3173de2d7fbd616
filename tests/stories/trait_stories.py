"""Small stories of people with traits."""

from __future__ import annotations

from tests.stories.builder import StoryBuilder

from fabula.story.model.types import TraitTold


class TraitStory(StoryBuilder):
    """``trait`` appends a sentence and the trait it tells; whoever has it is mentioned too."""

    def trait(self, who: str, aspect: str, value: str, **given) -> TraitStory:
        quote = given.pop("quote", None) or self.say(f"{who}: {aspect} {value}.")
        self._speak_of(quote, who)
        self._log["traits"].append(TraitTold(self.id(who), aspect, value, self._told, (quote,), **given))
        return self

    def say_much(self) -> TraitStory:
        self.say("The rain went on, the lamps were lit, and nobody in all the house had a word to say. " * 2)
        return self

    def named(self, surface: str, times: int, *, as_: str = "", gender: str = "") -> TraitStory:
        """Mentions the name so often, far apart."""
        for _ in range(times):
            self.say(
                "The rain went on, the lamps were lit, and nobody in all the house had a word to say. " * 2
            )
            self.mention(surface, as_=as_, gender=gender)
        return self
