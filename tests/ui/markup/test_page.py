from fabula.ui.markup import page as markup
from fabula.views.quotes import QuoteInContext, QuoteShown

EVIL = '<img src=x onerror="bad()">'
SIDE = QuoteInContext(QuoteShown(3, 10, 37, EVIL), f"Before {EVIL}. ", f" After {EVIL}.", EVIL)


def test_a_quote_stands_in_its_context_which_is_cut():
    assert markup.side(QuoteInContext(QuoteShown(2, 4, 9, "two\nx"), "One. ", " Three.", link="read?at")) == (
        *("ch. 2", "One. ", "two x", " Three.", "read?at"),
    )
    assert markup.side(QuoteInContext(QuoteShown(2, 0, 1, "a", draft=True), "", ""))[0] == "the draft"
    long = markup.side(QuoteInContext(QuoteShown(1, 0, 900, "q" * 900), "b" * 2000, "a" * 2000))
    assert list(map(len, long[1:4])) == [700, 900, 700]
