import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import rows

from fabula.core.text.encodings import guess_encoding, normalized


@pytest.mark.parametrize(("said", "plain"), rows(__file__, "normal_form.tsv"))
def test_a_text_as_a_reader_sees_it(said, plain):
    assert normalized(said) == plain


@given(st.text("ae\u0301\u0308\u00ad\u200b\u200d\ufeff\f\v\u2028\u2029\u00a0\u2011. \r\nC#“"))
def test_twice_gives_what_once_gives(said):
    once = normalized(said)
    assert normalized(once) == once
    assert unicodedata.is_normalized("NFC", once)


@pytest.mark.parametrize(("said", "encoding"), rows(__file__, "encodings.tsv"))
def test_the_likeliest_encoding(said, encoding):
    assert guess_encoding(said.encode(encoding)) == encoding


def test_what_is_no_text_has_no_encoding():
    assert guess_encoding(b"\0\1\2\xff" * 500) is None
