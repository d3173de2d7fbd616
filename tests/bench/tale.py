from tests.scripted import ScriptedGenerator
from tests.tables import file_text

from fabula.story.comparison.report import SCHEMA

TALE = file_text(__file__, "tale.md")


class Counting(ScriptedGenerator):
    """``made`` counts the drafts of all that there are; the one of number ``dies_at`` ends the run."""

    made = 0

    def __init__(self, reply="Anna Reed came home with Tom Hale. Call {n}.", *, dies_at=0):
        def answer(prompt):
            Counting.made += 1
            if Counting.made == dies_at:
                raise KeyboardInterrupt
            return reply.format(n=len(prompt.user))

        super().__init__(answer)


def item(chapter, seed=0, prompt="", said="", **consistency):
    """What a run keeps of one prompt: a draft of each pipeline and what it scored."""
    pipelines = []
    for name, value in consistency.items():
        draft = {"generation": {"text": f"{name[0]}-draft. {said}"}, "check": {"violations": []}}
        scores = {"consistency": value, "prompt_tokens": 90.0, "completion_tokens": 10.0}
        scored = [{"name": score, "value": given} for score, given in scores.items()]
        pipelines.append({"pipeline": name, "error": "", "kept": 0, "drafts": [draft], "scores": scored})
    facts = {"model": "m", "embedder": "e", "document": {"id": "tale"}, "pipelines": pipelines}
    seconds = {name: {"stages": {"generate": 2.0}} for name in consistency}
    own = {"story": "tale", "chapter": chapter, "seed": seed, "variant": ""}
    facts["prompt"] = prompt or f"p{chapter}"
    return {"schema": SCHEMA, "facts": facts, "machine": {"seconds": seconds}, "item": own}
