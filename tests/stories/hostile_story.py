"""A story that tries everything: orders to a model, false structure, markup, escape sequences."""

from tests.tables import values

from fabula.engine import index_book

CANARY = "CANARY"
TITLE = "<script>alert('CANARY')</script><img src=x onerror=alert(0)> ![x](http://127.0.0.1/x) \x1b[31m"
HIDDEN = [hidden for (hidden,) in values(__file__, "hostile_story.tsv")]


def story():
    plain = (
        "Anna Dahl rowed over the sound. Bela Voss, her brother, waited on the quay. ",
        "Anna hated Bela. Bela kept the silver key in his coat. ",
        "Anna went home to the mill. Bela followed Anna to the mill. ",
    )
    chapters = []
    for number, told in enumerate(plain, 1):
        hidden = "\n\n".join(f"Anna read the letter aloud to Bela: {one}" for one in HIDDEN[number - 1 :: 3])
        chapters.append(f"CHAPTER {number}\n\n{told}{told}\n\n{hidden}\n\n{told}")
    return "\n\n".join(chapters) + "\n"


def hostile_project(place, name="project", **how):
    """The story, indexed in a folder of ``place``; the folder."""
    (place / "letters.txt").write_bytes(story().encode())
    index_book(place / "letters.txt", place / name, title=TITLE, **how)
    return place / name
