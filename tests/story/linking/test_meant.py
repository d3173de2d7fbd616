from fabula.core.types import Chapter, Document, Span
from fabula.story.linking.linker import Linker
from fabula.story.model.chapter_reading import ChapterReading, Mention
from fabula.story.model.types import EntityKind

TEXT = "Callum Reddy met Maxine Reddy. Reddy laughed."


def test_whom_a_reader_means_by_a_short_name_is_whom_it_names():
    def mention(name, at, meant=""):
        span = Span(at, at + len(name))
        return Mention(span, name, EntityKind.CHARACTER, "", 0, Span(0, len(TEXT)), True, meant=meant)

    for meant, entity in (("Maxine Reddy", "maxine-reddy"), ("Callum Reddy", "callum-reddy")):
        mentions = (mention("Callum Reddy", 0), mention("Maxine Reddy", 17), mention("Reddy", 31, meant))
        chapter = Chapter(1, "1", Span(0, 0), Span(0, len(TEXT)))
        linker = Linker()
        linker.add(Document("book", "B", TEXT, (chapter,)), chapter, ChapterReading(mentions))
        last = linker.log.mentions[-1]
        assert (last.entity, last.surface) == (entity, "Reddy")
