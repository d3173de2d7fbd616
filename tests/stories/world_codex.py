"""A codex that has something of all that a codex can hold."""

CODEX = """\
# the world of the tale
title: The world
characters:
  - name: Elena Voss
    aliases: [Elena, {name: Renard, from_chapter: 3}]
    gender: woman
    description: A surveyor.
    birth: {date: 1795-12-01, place: Harrow}
    relations:
      - predicate: sibling of   # not by blood
        to: Marcus
      - {predicate: TRUSTS, to: Hale, from_chapter: 1, until_chapter: 2}
      - {predicate: loves, to: Hale, from_chapter: 4}
  - name: Marcus
    death: {chapter: 4}
  - Hale
places:
  - name: Harrow
    aliases: [the Keep]
groups: [The Watch]
rules:
  - nobody can fly
  - {text: The gate is shut, from_chapter: 2, until_chapter: 3}
facts:
  - {subject: Marcus, predicate: lives in, object: the Keep}
  - subject: Hale
    predicate: betrays
    object: Marcus
    from_chapter: 3
  - Elena never lies
"""
