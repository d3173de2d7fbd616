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

PLAIN = (
    "text lower_ pos_ tag_ dep_ ent_type_ i idx whitespace_ is_alpha is_lower is_punct is_quote is_space "
    "is_stop like_num"
).split()


@pytest.fixture(scope="module")
def pairs():
    reader = StoryReader()
    reader.load()
    lexemes = Lexemes()
    return [(Words(doc, lexemes), doc) for doc in reader._nlp.pipe(TEXTS)]


def places(tokens):
    return [token.i for token in tokens]


def test_a_word_is_its_token(pairs):
    for words, doc in pairs:
        assert (words.text, len(words)) == (doc.text, len(doc))
        for mine, token in zip(words, doc, strict=True):
            assert [getattr(mine, name) for name in PLAIN] == [getattr(token, name) for name in PLAIN]
            assert mine.is_sent_start is bool(token.is_sent_start)
            assert len(mine) == len(token) and str(mine) == str(token) and mine.doc is words


def test_the_tree_is_the_same(pairs):
    for words, doc in pairs:
        for mine, token in zip(words, doc, strict=True):
            assert mine.head is words[token.head.i]
            assert (mine.left_edge.i, mine.right_edge.i) == (token.left_edge.i, token.right_edge.i)
            for name in ("children", "subtree", "conjuncts", "sent"):
                assert places(getattr(mine, name)) == places(getattr(token, name)), name
            for other, theirs in zip(words, doc, strict=True):
                assert mine.is_ancestor(other) is token.is_ancestor(theirs)


def test_only_the_lemmas_of_verbs_are_set_right(pairs):
    for words, doc in pairs:
        for mine, token in zip(words, doc, strict=True):
            assert mine.lemma_ == token.lemma_ or token.pos_ in ("VERB", "AUX") or token.dep_ == "ROOT"
    (words,) = (words for words, _ in pairs if "sold" in words.text)
    assert "sell" in {word.lemma_ for word in words}


def test_stretches(pairs):
    for words, doc in pairs:
        assert [places(sent) for sent in words.sents] == [places(sent) for sent in doc.sents]
        assert [(places(found), label) for found, label in words.ents] == [
            (places(entity), entity.label_) for entity in doc.ents
        ]
        for start in range(len(doc)):
            for end in range(start + 1, len(doc) + 1):
                mine, span = words[start:end], doc[start:end]
                assert (mine.start, mine.end) == (span.start, span.end)
                assert (mine.start_char, mine.end_char) == (span.start_char, span.end_char)
                assert (mine.text, mine.root.i) == (span.text, span.root.i)


def test_words_that_cover_characters(pairs):
    for words, doc in pairs:
        for start in range(len(doc.text)):
            for end in range(start + 1, min(len(doc.text), start + 25) + 1):
                span = doc.char_span(start, end, alignment_mode="expand")
                mine = words.covering(start, end)
                assert places(mine or ()) == places(span if span is not None else ())
