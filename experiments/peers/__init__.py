"""One module a system: ``MODES``, ``build``, ``save``, ``Opened`` and, where it has them, ``cold_lexical``
and ``cold_semantic``. ``build`` is timed; ``warm`` runs before and is not. Imports of a package stand in
the module of its system alone."""
