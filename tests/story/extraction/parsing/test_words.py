import pytest

from fabula.story.extraction.parsing.chapter import Lexemes, Words
from fabula.story.extraction.reader import StoryReader

TEXTS = (
    "Elena Voss, who came back from Leeds with his brother and wife, didn't smile. \"I won't,\" she said.",
    "The old man sold his ring, his watch and both horses. Nobody knew why he had done so, or when.",
    "Down the hill ran the boys.  Twenty-two of them!\tWhat a sight it was in May 1840 …",
    "",
    "Dr. Hale — the doctor — gave Mrs. Dale's cook a pound for the pie that she had baked.",
)
PLAIN = "text lower_ pos_ tag_ dep_ ent_type_ i idx whitespace_ is_alpha is_lower is_punct is_quote is_space"


@pytest.fixture(scope="module", params=TEXTS)
def pair(request):
    reader = StoryReader()
    reader.load()
    doc = reader._nlp(request.param)
    return Words(doc, Lexemes()), doc


def places(tokens):
    return [token.i for token in tokens]


def test_a_word_is_its_token(pair):
    words, doc = pair
    assert (words.text, len(words)) == (doc.text, len(doc))
    for mine, token in zip(words, doc, strict=True):
        for name in (*PLAIN.split(), "is_stop", "like_num"):
            assert getattr(mine, name) == getattr(token, name)
        assert mine.is_sent_start is bool(token.is_sent_start)
        assert len(mine) == len(token) and str(mine) == str(token) and mine.doc is words
        assert mine.head is words[token.head.i]
        assert (mine.left_edge.i, mine.right_edge.i) == (token.left_edge.i, token.right_edge.i)
        for name in ("children", "subtree", "conjuncts", "sent"):
            assert places(getattr(mine, name)) == places(getattr(token, name)), name
        for other, theirs in zip(words, doc, strict=True):
            assert mine.is_ancestor(other) is token.is_ancestor(theirs)
        # only the lemmas of verbs are set right
        assert mine.lemma_ == token.lemma_ or token.pos_ in ("VERB", "AUX") or token.dep_ == "ROOT"
    assert "sold" not in words.text or "sell" in {word.lemma_ for word in words}


def test_stretches_and_words_that_cover_characters(pair):
    words, doc = pair
    assert [places(sent) for sent in words.sents] == [places(sent) for sent in doc.sents]
    named = [(places(entity), entity.label_) for entity in doc.ents]
    assert [(places(found), label) for found, label in words.ents] == named
    for start in range(len(doc)):
        for end in range(start + 1, len(doc) + 1):
            mine, span = words[start:end], doc[start:end]
            for name in ("start", "end", "start_char", "end_char", "text"):
                assert getattr(mine, name) == getattr(span, name)
            assert mine.root.i == span.root.i
    for start in range(len(doc.text)):
        for end in range(start + 1, min(len(doc.text), start + 25) + 1):
            span = doc.char_span(start, end, alignment_mode="expand")
            assert places(words.covering(start, end) or ()) == places(span if span is not None else ())
