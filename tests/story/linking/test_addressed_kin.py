"""Who is called by a family's name to her face."""

from tests.stories.reading import log_of

AT_HOME = """Jane Vane and Elizabeth Vane sat at home. Miss Vane smiled. Jane spoke to Elizabeth of the ball,
and Miss Vane was pleased. Miss Jane Vane rose, and Elizabeth rose as well.
"""


AWAY = """Elizabeth walked in the park. The old lady met Elizabeth there.

"You are very quiet, Miss Vane," said the old lady.

Elizabeth said nothing.
"""


def test_she_is_miss_vane_where_her_sister_is_away():
    log = log_of(AT_HOME, AWAY)
    called = [mention for mention in log.mentions if mention.surface == "Miss Vane" and mention.told == 2]
    assert [mention.entity for mention in called] == ["elizabeth-vane"]
    both = AWAY.replace("The old lady", "Jane", 1)
    called = [m for m in log_of(AT_HOME, both).mentions if m.surface == "Miss Vane" and m.told == 2]
    assert [mention.entity for mention in called] == ["jane-vane"]
