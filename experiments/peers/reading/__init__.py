"""Systems that have a language model read a corpus and answer from what it read, one module each.

A module has ``PACKAGE`` (a distribution), ``MODE`` (how it is asked), ``JOINED`` (characters of short
passages that make one document: its own default size of a chunk) and ``System``, whose form is
``given.Reading``. Imports of a package stand in the module of its system alone: each runs in a Python of
its own.
"""
