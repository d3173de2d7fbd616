from tests.stories.printed_book import printed_book

from fabula.engine import Project, index_book
from fabula.library.library import DEMO


def search(page, query):
    return page.fill("Look for", query).press("Search")


def test_hits_say_where_they_stand_and_an_empty_query_is_said(with_demo, open_page):
    page = search(open_page("search"), "lamp on the footplate")
    words = page.words
    assert words.count('class="f-hit"') == 5
    assert "<mark>lamp</mark>" in words and "<mark>footplate</mark>" in words
    assert "rank 1" in words and "In its context" in words
    assert "40% meaning and 60% words" in words
    assert words.count('href="read?story=the-bloom-line&amp;chapter=9&amp;read=') == 5
    assert "start at 0.40 semantic" in words
    assert not any("footplate" in one for one in page.spoken)  # Markdown would fetch pictures
    assert "Enter what to look for" in search(open_page("search"), "  ").words


def test_hits_and_who_can_be_chosen_move_with_the_horizon(with_demo, open_page):
    def people(page):
        return set(page.one("multiselect", "Mention these characters").options)

    page = search(open_page("search", story=DEMO, chapter=13), "telegram")
    late = people(page)
    page.read_up_to(2)
    assert "read up to chapter 2 of 13" in page.words and len(people(page)) < len(late)
    assert "Agnes Mary Keating" in late - people(page)
    assert not any(f"Chapter {number}:" in page.words for number in range(3, 14))


def test_a_filter_that_lets_nothing_through_is_said(with_demo, open_page):
    page = open_page("search")
    page.one("slider", "Importance of at least").set_value(10)
    page.one("multiselect", "are mostly").set_value(["description"])
    assert "Nothing up to chapter 9. Try other words, or fewer filters." in search(page, "lamp").words


def test_a_thumb_is_kept(with_demo, open_page):
    page = search(open_page("search"), "lamp on the footplate")
    page.test.get("feedback")[0].set_value(1).run()
    with Project.open(with_demo / DEMO) as project:
        [rating] = project.searcher.manager._store.recent(9, horizon=project.horizon(9))
    assert (rating.query, rating.rating, rating.horizon.chapter) == ("lamp on the footplate", 1.0, 9)


def test_the_page_of_a_printed_book_is_shown(home, open_page):
    home.mkdir()
    (home.parent / "ferry.pdf").write_bytes(printed_book())
    index_book(home.parent / "ferry.pdf", home / "ferry")
    page = search(open_page("search", story="ferry", chapter=2), "drowned")
    assert "Page 3, Lines " in page.words and "characters " not in page.words
    assert not page.test.get("image")
    page.test.toggle[0].set_value(True).run()
    assert page.test.get("image")
