"""A small run of BookNLP 1.0.8 over some words of a book."""


def booknlp_run(folder, text, name):
    """Over the twelve words of ``text`` from ``name`` on, which is the only mention."""
    folder.mkdir()
    words = text[text.index(name) :].split()[:12]
    head = "COREF\tstart_token\tend_token\tprop\tcat\ttext\n"
    mention = f"1\t0\t{len(name.split()) - 1}\tPROP\tPER\t{name}\n"
    (folder / "b.tokens").write_text("\n".join(("word", *words)), encoding="utf-8")
    (folder / "b.entities").write_text(head + mention, encoding="utf-8")
    return folder
