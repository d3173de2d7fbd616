# Which words of a query passages hold, and how near each other: see query_evidence.py.


def evidence(
    const int32_t[::1] words,
    const int64_t[::1] ends,
    const Py_ssize_t[::1] ordinals,
    list numbers,
    tuple idf,
    double total,
):
    cdef Py_ssize_t count = len(numbers), n = ordinals.shape[0], i, passage, at, stop, gap
    cdef int32_t word
    cdef uint64_t some = 0
    cdef double covered, near
    coverage, nearness = np.zeros(n), np.zeros(n)
    if not total or not n:
        return coverage, nearness
    cdef double[::1] covers = coverage
    cdef double[::1] nears = nearness
    cdef double* own = <double*>PyMem_Malloc((count + 1) * sizeof(double))
    cdef Py_ssize_t* place = <Py_ssize_t*>PyMem_Malloc(3 * (count + 1) * sizeof(Py_ssize_t))
    if own == NULL or place == NULL:
        PyMem_Free(own)
        PyMem_Free(place)
        raise MemoryError
    cdef Py_ssize_t* last = place + count + 1
    cdef Py_ssize_t* least = last + count + 1
    try:
        for i in range(count):
            own[i], place[i] = idf[i], numbers[i]
            if place[i] >= 0:
                some |= <uint64_t>1 << (place[i] & 63)
        for passage in range(n):
            if not 0 <= ordinals[passage] < ends.shape[0] - 1:
                raise ValueError("a chunk out of range")
            at, stop = ends[ordinals[passage]], ends[ordinals[passage] + 1]
            if not 0 <= at <= stop <= words.shape[0]:
                raise ValueError("words out of range")
            for i in range(count):
                last[i] = least[i] = -1
            for at in range(at, stop):
                word = words[at]
                if not some >> (word & 63) & 1:
                    continue
                for i in range(count):
                    if place[i] != word:
                        continue
                    last[i] = at
                    if i and last[i - 1] >= 0:
                        gap = at - last[i - 1]
                        if least[i - 1] < 0 or gap < least[i - 1]:
                            least[i - 1] = gap
                    if i + 1 < count and last[i + 1] >= 0:
                        gap = at - last[i + 1]
                        if least[i] < 0 or gap < least[i]:
                            least[i] = gap
                    break
            covered = near = 0
            for i in range(count):
                if last[i] >= 0:
                    covered += own[i]
                if least[i] > 0:
                    near += (own[i] + own[i + 1]) / 2 / least[i]
            covers[passage], nears[passage] = min(covered / total, 1.0), min(near / total, 1.0)
    finally:
        PyMem_Free(own)
        PyMem_Free(place)
    return coverage, nearness
