import gc

import pytest

from fabula.core.runtime.memory_limits import collection_put_off


@pytest.fixture(autouse=True)
def as_it_was():
    gc.enable()
    yield
    gc.enable()


def test_collecting_is_put_off_until_the_last_block_ends_or_fails():
    first, second = collection_put_off(), collection_put_off()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert not gc.isenabled()
    second.__exit__(None, None, None)
    assert gc.isenabled()
    with pytest.raises(ValueError, match="lost"), collection_put_off():
        raise ValueError("lost")
    assert gc.isenabled()
    gc.disable()
    with collection_put_off():
        pass
    assert not gc.isenabled()
