# What both indexes found, in one list, and the passages of the best: see best.py, fusion/table.py and
# chunk_table.py.


def ranked(const Py_ssize_t[::1] ordinals, const float[::1] scores, Py_ssize_t k):
    cdef Py_ssize_t i, n = ordinals.shape[0]
    if scores.shape[0] != n:
        raise ValueError("a score for each is needed")
    cdef Scored* found = <Scored*>PyMem_Malloc((n + 1) * sizeof(Scored))
    if found == NULL:
        raise MemoryError
    for i in range(n):
        found[i].score, found[i].ordinal = scores[i], ordinals[i]
    _sort(found, n)
    k = max(0, min(k, n))
    kept, own = np.empty(k, np.intp), np.empty(k, np.float32)
    cdef Py_ssize_t[::1] into = kept
    cdef float[::1] scored = own
    for i in range(k):
        into[i], scored[i] = found[i].ordinal, <float>found[i].score
    PyMem_Free(found)
    return kept, own


cdef int _lower_first(const void* left, const void* right) noexcept nogil:
    cdef Py_ssize_t a = (<Py_ssize_t*>left)[0], b = (<Py_ssize_t*>right)[0]
    return (a > b) - (a < b)


def rows(const float[:, ::1] table, const Py_ssize_t[::1] ordinals):
    cdef Py_ssize_t i, j, n = ordinals.shape[0], width = table.shape[1]
    made = np.empty((n, width), np.float32)
    if not made.size:
        return made
    cdef float[:, ::1] out = made
    for i in range(n):
        if not 0 <= ordinals[i] < table.shape[0]:
            raise IndexError("a row that is not there")
    for i in range(n):
        if i + 2 < n:  # they lie apart: the next ones are on their way while this one is copied
            for j in range(0, width, 16):
                fetch(&table[ordinals[i + 2], j])
        memcpy(&out[i, 0], &table[ordinals[i], 0], width * sizeof(float))
    return made


def union(const Py_ssize_t[::1] left, const Py_ssize_t[::1] right):
    cdef Py_ssize_t i, n = left.shape[0], m = right.shape[0], kept = 0
    made = np.empty(n + m, np.intp)
    cdef Py_ssize_t[::1] out = made
    for i in range(n):
        out[i] = left[i]
    for i in range(m):
        out[n + i] = right[i]
    if n + m:
        qsort(&out[0], n + m, sizeof(Py_ssize_t), _lower_first)
    for i in range(n + m):
        if not i or out[i] != out[kept - 1]:
            out[kept] = out[i]
            kept += 1
    return made[:kept]


def fuse(
    const Py_ssize_t[::1] ordinals,
    const double[:, ::1] table,
    list factors,
    list names,
    Py_ssize_t k,
    type fused,
    type share,
):
    cdef Py_ssize_t lists = table.shape[0], m = table.shape[1], i, j, chosen
    cdef double part
    if len(factors) != lists or len(names) != lists or ordinals.shape[0] != m:
        raise ValueError("lists of different length")
    cdef Scored* order = <Scored*>PyMem_Malloc((m + 1) * sizeof(Scored))
    cdef double* factor = <double*>PyMem_Malloc((lists + 1) * sizeof(double))
    cdef Py_ssize_t* ranks = <Py_ssize_t*>PyMem_Malloc((lists * m + 1) * sizeof(Py_ssize_t))
    out = []
    try:
        if order == NULL or factor == NULL or ranks == NULL:
            raise MemoryError
        for i in range(lists):
            factor[i] = factors[i]
            for j in range(m):
                order[j].score, order[j].ordinal = table[i, j], j
            _sort(order, m)
            for j in range(m):
                ranks[i * m + order[j].ordinal] = j + 1
        for j in range(m):
            order[j].score, order[j].ordinal = 0.0, j
            for i in range(lists):
                part = max(table[i, j], 0.0) * factor[i]
                order[j].score = order[j].score + part if i else part
        _sort(order, m)
        for j in range(min(k, m)):
            if not order[j].score > 0:
                break
            chosen = order[j].ordinal
            shares = []
            for i in range(lists):
                part = max(table[i, chosen], 0.0) * factor[i]
                if part > 0:
                    values = names[i], ranks[i * m + chosen], table[i, chosen], part, ""
                    shares.append(_made(share, ("retriever", "rank", "score", "share", "via"), values))
            values = ordinals[chosen], order[j].score, tuple(shares)
            out.append(_made(fused, ("ordinal", "score", "shares"), values))
    finally:
        PyMem_Free(order)
        PyMem_Free(factor)
        PyMem_Free(ranks)
    return out


cdef object _made(type kind, tuple names, tuple values):
    """A frozen dataclass with these fields: what its own ``__init__`` does, without the detours."""
    made = PyType_GenericNew(kind, NULL, NULL)
    cdef Py_ssize_t i
    for i in range(len(names)):
        PyObject_GenericSetAttr(made, names[i], values[i])
    return made


def chunks(
    str document, str text, const int64_t[:, :] table, list ordinals, name, type chunk, type span
):
    cdef Py_ssize_t ordinal
    cdef tuple fields = ("id", "document_id", "chapter", "ordinal", "span", "text")
    out = []
    for ordinal in ordinals:
        if not 0 <= ordinal < table.shape[0]:
            raise IndexError("a chunk that is not there")
        start, end = table[ordinal, 1], table[ordinal, 2]
        own, place = text[start:end], _made(span, ("start", "end"), (start, end))
        values = name(document, place, own), document, table[ordinal, 0], ordinal, place, own
        out.append(_made(chunk, fields, values))
    return out


def passages(list chunks, list ranked, type passage):
    cdef tuple fields = ("chunk", "score", "shares")
    return [_made(passage, fields, (c, f.score, f.shares)) for c, f in zip(chunks, ranked)]
