import json

import pytest

from experiments.common.result_file import _laid_out


@pytest.mark.parametrize(
    "value",
    [
        {"a": [1, 2], "b": [[1, 2], []], "c": {}},
        {"a [ b ]": ["x [ y ]", "p\nq", " ] "], "b": ["[ ", "a  b"]},
        [[{"a": [None, True, 0.5]}]],
    ],
)
def test_the_layout_changes_no_value(value):
    assert json.loads(_laid_out(value)) == value


def test_lists_of_plain_values_stand_on_a_line():
    assert _laid_out({"offsets": [[1, 2], [3, 4]]}) == '{\n "offsets": [\n  [1, 2],\n  [3, 4]\n ]\n}'
