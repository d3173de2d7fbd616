"""What a comparison costs beside its model, in processor time.

The target (see ``experiments/costs/overhead.py``) is 150 ms a pipeline on a machine with nothing else to do.
Here it is held against what no comparison can do without, reading and embedding its drafts, in the same run.
"""

import time

from fabula.core.text.sentences import sentences
from fabula.engine import Project
from fabula.llm.scripted import ScriptedGenerator
from fabula.story.extraction.reader import StoryReader
from fabula.story.writing.pipelines import PIPELINES

WORDS, PACE_S = 100, 0.002
MOST = 4  # times as much


class Paced(ScriptedGenerator):
    def __init__(self, text):
        self.words = text.split()
        self.turn = 0
        super().__init__(self.next_words)

    def next_words(self, prompt=None):
        self.turn += 1
        return " ".join(self.words[self.turn * WORDS : (self.turn + 1) * WORDS])

    def generate(self, prompt, *, on_text=None, **sampling):
        def slowly(piece):
            time.sleep(PACE_S)
            on_text(piece)

        return super().generate(prompt, on_text=slowly, **sampling)


def seconds(work):
    started = time.process_time()
    work()
    return time.process_time() - started


def test_a_comparison_costs_little_beside_its_model(demo_project):
    with Project.open(demo_project) as project:
        project.__dict__["generator"] = model = Paced(project.document.text)
        reader, embedder, reports = StoryReader(), project.embedder, []

        def read_and_embed():
            for _ in PIPELINES:
                draft = model.next_words()
                reader.read(draft)
                embedder.embed_documents([span.of(draft) for span in sentences(draft)])

        def compare():
            reports.append(project.compare("Nat comes back.", chapter=3))

        compare()
        read_and_embed()
        least = min(seconds(read_and_embed) for _ in range(2))
        spent = min(seconds(compare) for _ in range(2))
        assert [result.error for result in reports[-1].results] == [""] * len(PIPELINES)
        assert spent < MOST * least
