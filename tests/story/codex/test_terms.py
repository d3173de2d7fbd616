import pytest
from tests.tables import values

from fabula.story.codex.codex import laid_down


@pytest.mark.parametrize(("aspect", "written", "expected"), values(__file__, "traits_by_family.tsv"))
def test_traits_by_family(aspect, written, expected):
    assert laid_down(aspect, written) == expected
    with pytest.raises(ValueError, match="there is no trait"):
        laid_down(aspect + "x", written)
