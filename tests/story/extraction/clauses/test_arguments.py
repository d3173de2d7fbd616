"""Whom the words of a clause mean, and the quotes that say so."""

from tests.stories.facts import read_behind


def test_evidence_names_whom_a_pronoun_means():
    text = "Elena came in. She killed Marcus."
    (deed,) = [h for h in read_behind(text).happenings if h.predicate == "KILLS"]
    first, second = (span.start for span in deed.evidence)
    assert first > second, "the deed's own sentence first, then the one that names her"
    assert deed.confidence < 0.9
