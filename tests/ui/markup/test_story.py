import re

from fabula.ui.markup import story as markup
from fabula.views.quotes import QuoteInContext, QuoteShown

EVIL = '<img src=x onerror="bad()">'
SIDE = QuoteInContext(QuoteShown(3, 10, 37, EVIL), f"Before {EVIL}. ", f" After {EVIL}.", EVIL)


def test_quotes_stand_in_their_context():
    html = markup.quotes_in_context([QuoteInContext(QuoteShown(2, 4, 9, "two\nx"), "One. ", " Three.")])
    assert "<cite>ch. 2</cite>" in html
    assert "<span>One. </span><mark>two x</mark><span> Three.</span>" in html
    drafted = markup.quotes_in_context([QuoteInContext(QuoteShown(2, 0, 1, "a", draft=True), "", "")])
    assert "<cite>the draft" in drafted


def test_long_contexts_are_cut():
    html = markup.quotes_in_context(
        [QuoteInContext(QuoteShown(1, 0, 900, "q" * 900), "b" * 2000, "a" * 2000)]
    )
    assert "q" * 900 in html
    assert re.search("<span>b{700}</span>", html) and re.search("<span>a{700}</span>", html)
