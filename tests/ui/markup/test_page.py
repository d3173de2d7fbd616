from fabula.ui.markup import page as markup
from fabula.views.quotes import QuoteInContext, QuoteShown

EVIL = '<img src=x onerror="bad()">'
SIDE = QuoteInContext(QuoteShown(3, 10, 37, EVIL), f"Before {EVIL}. ", f" After {EVIL}.", EVIL)


def test_a_quote_stands_in_its_context_which_is_cut():
    told = QuoteInContext(QuoteShown(2, 4, 9, "two\nx"), "One. ", " Three.")
    assert markup.around(told) == "<span>One. </span><mark>two x</mark><span> Three.</span>"
    long = QuoteInContext(QuoteShown(1, 0, 900, "q" * 900), "b" * 2000, "a" * 2000)
    assert [markup.around(long).count(sign) for sign in "bq"] == [700, 900]
