"""A small run of BookNLP 1.0.8 over some words of a book."""

_HEAD = (
    "paragraph_ID sentence_ID token_ID_within_sentence token_ID_within_document word lemma byte_onset "
    "byte_offset POS_tag fine_POS_tag dependency_relation syntactic_head_ID event"
)


def booknlp_run(folder, text, name):
    """Over the twelve words of ``text`` from ``name`` on, which is the only mention."""
    folder.mkdir()
    at = text.index(name)
    rows = [_HEAD.split()]
    for number, word in enumerate(text[at:].split()[:12]):
        at = text.index(word, at)
        rows.append([0, 0, number, number, word, word, at, at + len(word), "X", "X", "X", 0, "O"])
        at += len(word)
    mention = [1, 0, len(name.split()) - 1, "PROP", "PER", name]
    for ending, table in (
        ("tokens", rows),
        ("entities", [["COREF", "start_token", "end_token", "prop", "cat", "text"], mention]),
    ):
        lines = ("\t".join(map(str, row)) + "\n" for row in table)
        (folder / f"b.{ending}").write_text("".join(lines), encoding="utf-8")
    return folder
