from fabula.story.graph_rag.passages.passage_names import Name, Role, names_in, title_name


def named(text: str) -> list[str]:
    return [name.surface for name in names_in(text) if name.role is Role.NAMED]


def test_names_as_written() -> None:
    for text, expected in (
        ("They met Lady Ashcombe at the mill.", ["Lady Ashcombe"]),
        ("Then the Duke of York left; so did Mr. Pym.", ["Duke of York", "Mr Pym"]),
        ("He asked J. Arbel and Ann's brother Tom.", ["J Arbel and Ann", "Tom"]),
        ("She and I saw Old Thornwick, and I wept.", ["Old Thornwick"]),
        ("They crowned Charles I of Norland in March 1660.", ["Charles I of Norland", "March 1660"]),
        ("In Wrenford, Kent, it rained.", ["Wrenford", "Kent"]),
        ("“Well,” said the miller. Nobody spoke.", []),
        ("", []),
    ):
        assert named(text) == expected, (text, expected)


def test_a_lone_word_at_the_start_of_a_sentence_is_weak() -> None:
    assert names_in("Fearing them, she fled.") == [Name("Fearing", Role.WEAK)]


def test_parts_of_a_name_are_weak_and_begin_and_end_with_a_name() -> None:
    assert names_in("It was Mr. Amos of Wrenford.") == [
        Name("Mr Amos of Wrenford", Role.NAMED),
        Name("Amos", Role.WEAK),
        Name("Amos of Wrenford", Role.WEAK),
        Name("Wrenford", Role.WEAK),
    ]


def test_what_a_title_is_about() -> None:
    for title, expected in (
        ("Harrow (river)", "Harrow"),
        ("The Bloom Line", "Bloom Line"),
        ("Wrenford, Kent", "Wrenford Kent"),
        ("The", None),
        ("", None),
    ):
        found = title_name(title)

        assert (found.surface if found else None) == expected, (title, expected)
