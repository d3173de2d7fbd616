# Sums over posting lists: see postings.py.

cdef struct Posting:
    const int32_t* chunk
    const double* gain
    double weight
    Py_ssize_t at
    Py_ssize_t end


def gains(const int32_t[::1] chunks, const int32_t[::1] counts, const double[::1] norms, double factor):
    cdef Py_ssize_t i, n = chunks.shape[0], most = norms.shape[0]
    cdef double tf
    cdef int32_t chunk
    if counts.shape[0] != n:
        raise ValueError("postings and counts of different length")
    made = np.empty(n)
    cdef double[::1] out = made
    for i in range(n):
        chunk = chunks[i]
        if not 0 <= chunk < most:
            raise ValueError("a posting out of range")
        tf = counts[i]
        out[i] = factor * tf / (tf + norms[chunk])
    return made


cdef Posting* _opened(list postings, list weights) except NULL:
    """Raw pointers into the arrays, which the caller's list keeps alive."""
    cdef Py_ssize_t i, count = len(postings)
    cdef const int32_t[::1] chunks
    cdef const double[::1] gained
    if len(weights) != count:
        raise ValueError("a weight for each posting list is needed")
    cdef Posting* parts = <Posting*>PyMem_Malloc((count + 1) * sizeof(Posting))
    if parts == NULL:
        raise MemoryError
    try:
        for i in range(count):
            chunks, gained = postings[i]
            if chunks.shape[0] != gained.shape[0]:
                raise ValueError("postings and gains of different length")
            parts[i].weight = weights[i]
            parts[i].at = 0
            parts[i].end = chunks.shape[0]
            parts[i].chunk = &chunks[0] if parts[i].end else NULL
            parts[i].gain = &gained[0] if parts[i].end else NULL
    except BaseException:
        PyMem_Free(parts)
        raise
    return parts


cdef int _add_block(
    Posting* parts, Py_ssize_t count, double* sums, Py_ssize_t first, Py_ssize_t stop
) noexcept nogil:
    """Adds what stands before ``stop``; -1 where postings do not ascend."""
    cdef Py_ssize_t i, at, end
    cdef const int32_t* chunk
    cdef const double* gain
    cdef double weight
    for i in range(count):
        at, end, weight = parts[i].at, parts[i].end, parts[i].weight
        chunk, gain = parts[i].chunk, parts[i].gain
        while at < end and chunk[at] < stop:
            if chunk[at] < first:
                return -1
            sums[chunk[at] - first] += gain[at] * weight
            at += 1
        parts[i].at = at
    return 0


cdef void _sift(Scored* heap, Py_ssize_t size, Py_ssize_t at) noexcept nogil:
    """Moves an entry down to its place in a heap whose root is the worst."""
    cdef Scored moved = heap[at]
    cdef Py_ssize_t child = 2 * at + 1
    while child < size:
        if child + 1 < size and _worse(heap[child + 1], heap[child]):
            child += 1
        if not _worse(heap[child], moved):
            break
        heap[at] = heap[child]
        at = child
        child = 2 * at + 1
    heap[at] = moved


cdef Py_ssize_t _take_block(
    const double* sums,
    Py_ssize_t first,
    Py_ssize_t width,
    const unsigned char* mask,
    Scored* heap,
    Py_ssize_t size,
    Py_ssize_t k,
) noexcept nogil:
    """Puts what is better than the worst of the best ``k`` among them; how many there are."""
    cdef Py_ssize_t i = 0, j, place
    cdef double floor = heap[0].score if size == k else 0.0
    while i < width:
        i += STEP
        if not any_above(sums + i - STEP, floor):
            continue
        for j in range(i - STEP, i):
            if not sums[j] > floor or (mask != NULL and not mask[first + j]):
                continue
            if size < k:
                heap[size].score, heap[size].ordinal = sums[j], first + j
                size += 1
                if size == k:
                    for place in range(k // 2 - 1, -1, -1):
                        _sift(heap, k, place)
                    floor = heap[0].score
            else:
                heap[0].score, heap[0].ordinal = sums[j], first + j
                _sift(heap, k, 0)
                floor = heap[0].score
    return size


def leaders(list postings, list weights, Py_ssize_t n, Py_ssize_t k, mask=None):
    cdef Py_ssize_t count = len(postings), first = 0, width, size = 0
    cdef int fine = 0
    cdef const unsigned char[::1] allowed
    cdef const unsigned char* bits = NULL
    k = max(0, min(k, n))
    if mask is not None:
        allowed = mask.view(np.uint8)
        if allowed.shape[0] < n:
            raise ValueError("a mask shorter than what it is of")
        bits = &allowed[0] if n else NULL
    cdef double[BLOCK] sums
    cdef Posting* parts = _opened(postings, weights)
    cdef Scored* heap = <Scored*>PyMem_Malloc((k + 1) * sizeof(Scored))
    try:
        if heap == NULL:
            raise MemoryError
        if k:
            with nogil:
                while first < n:
                    width = min(<Py_ssize_t>BLOCK, n - first)
                    memset(sums, 0, sizeof(sums))
                    fine = _add_block(parts, count, sums, first, first + width)
                    if fine < 0:
                        break
                    size = _take_block(sums, first, (width + STEP - 1) // STEP * STEP, bits, heap, size, k)
                    first += BLOCK
                _sort(heap, size)
        if fine < 0:
            raise ValueError("postings out of order")
        return _columns(heap, size)
    finally:
        PyMem_Free(parts)
        PyMem_Free(heap)


cdef tuple _columns(const Scored* found, Py_ssize_t size):
    cdef Py_ssize_t i
    ordinals, scores = np.empty(size, np.intp), np.empty(size)
    cdef Py_ssize_t[::1] into = ordinals
    cdef double[::1] scored = scores
    for i in range(size):
        into[i], scored[i] = found[i].ordinal, found[i].score
    return ordinals, scores


def sums(list postings, list weights, Py_ssize_t n):
    made = np.zeros(n)
    cdef double[::1] out = made
    cdef int fine = 0
    if not n:
        return made
    cdef Posting* parts = _opened(postings, weights)
    fine = _add_block(parts, len(postings), &out[0], 0, n)
    PyMem_Free(parts)
    if fine < 0:
        raise ValueError("postings out of order")
    return made


def sums_at(list postings, list weights, const Py_ssize_t[::1] ordinals):
    cdef Py_ssize_t i, j, n = ordinals.shape[0], low, high, middle
    cdef Posting part
    made = np.zeros(n)
    cdef double[::1] out = made
    cdef Posting* parts = _opened(postings, weights)
    for i in range(len(postings)):
        part = parts[i]
        low = 0
        for j in range(n):
            if j and ordinals[j] < ordinals[j - 1]:
                low = 0
            high = part.end
            while low < high:
                middle = (low + high) // 2
                if part.chunk[middle] < ordinals[j]:
                    low = middle + 1
                else:
                    high = middle
            if low < part.end and part.chunk[low] == ordinals[j]:
                out[j] += part.gain[low] * part.weight
    PyMem_Free(parts)
    return made
