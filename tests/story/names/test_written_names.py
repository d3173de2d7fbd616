import pytest
from tests.stories.reading import log_of


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Kim Min-jun met Park Ji-woo. Park Ji-woo hated Kim Min-jun.", {"Kim Min-jun", "Park Ji-woo"}),
        ("Lorenzo de' Medici laughed. Lorenzo de' Medici hated Anna.", {"Lorenzo de' Medici", "Anna"}),
        ("Lorenzo de’ Medici laughed. Lorenzo de’ Medici hated Anna.", {"Lorenzo de’ Medici", "Anna"}),
        (
            "José Ortega y Gasset trusted Corrie ten Boom. Corrie ten Boom trusted José Ortega y Gasset.",
            {"José Ortega y Gasset", "Corrie ten Boom"},
        ),
        ("Jeanne d'Arcy hated Mr. d'Arcy. Mr. d’Arcy wept.", {"Jeanne d'Arcy", "Mr. d'Arcy"}),
        (
            "George Alden the Second hated George Alden the First. George Alden the First loved Anna.",
            {"George Alden the Second", "George Alden the First", "Anna"},
        ),
        ("Peter took the second train, and Anna the first. Anna hated Peter.", {"Peter", "Anna"}),
    ],
)
def test_a_name_is_whole(text, people):
    log = log_of(text)
    found = {
        mention.surface.replace("’", "'") for mention in log.mentions if mention.kind.value == "character"
    }
    assert {one.replace("’", "'") for one in people} == found
