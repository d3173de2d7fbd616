"""Coverage and nearness of one passage, term by term: what the search of many is held to, to the bit."""


def measure(asked, passage):
    """Of a passage given as index terms in order of the text."""
    if not asked.total:
        return 0.0, 0.0
    held = [[at for at, word in enumerate(passage) if word == term] for term in asked.terms]
    coverage = nearness = 0.0
    for idf, own in zip(asked.idf, held, strict=True):
        coverage += idf if own else 0.0
    for i in range(len(held) - 1):
        if held[i] and held[i + 1]:
            least = min(abs(a - b) for a in held[i] for b in held[i + 1])
            nearness += (asked.idf[i] + asked.idf[i + 1]) / 2 / least
    return min(coverage / asked.total, 1.0), min(nearness / asked.total, 1.0)
