# Which vectors are worth comparing with a query: see scan_codes.py.

cdef extern from "scan_kernel.h" nogil:
    const int TOGETHER
    const int PLANES
    int scan_level()
    void scan_sums(int level, const uint64_t* signs, const uint64_t* planes, int words, long blocks, int16_t* sums)
    int scan_floor(int level, const int16_t* sums, long n, long count)
    long scan_reached(const int16_t* sums, long n, int floor, int32_t* places)
    void scan_products(
        int level, const uint8_t* bytes, int d, const int8_t* query, int32_t offset,
        const int32_t* places, long n, int32_t* products
    )
    int32_t scan_least(const int32_t* products, long n, long count)

SCAN_LEVEL = scan_level()  # 2: AVX-512, 1: AVX2, 0: neither


def near(
    const uint64_t[:, :, ::1] signs,
    const uint8_t[:, ::1] coded,
    const uint64_t[:, ::1] planes,
    const int8_t[::1] query,
    Py_ssize_t limit,
    Py_ssize_t k,
    Py_ssize_t first,
    Py_ssize_t width,
    double slope,
    double shift,
    int level=SCAN_LEVEL,
):
    cdef Py_ssize_t words = signs.shape[1], d = coded.shape[1], blocks = (limit + TOGETHER - 1) // TOGETHER, i
    cdef long found, kept = 0
    cdef int floor
    cdef double reach
    cdef int32_t offset = 0, least
    if signs.shape[2] != TOGETHER or planes.shape[0] != PLANES or planes.shape[1] != words:
        raise ValueError("signs and planes do not belong together")
    if query.shape[0] != d or d > 64 * words or d > 4096 or not 0 <= level <= SCAN_LEVEL:
        raise ValueError("a query of another dimension")
    if not 0 < limit <= coded.shape[0] or blocks > signs.shape[0] or limit > 0x7FFFFFFF:
        raise ValueError(f"there are no {limit} vectors")
    if not (0 < k <= first and 0 < width):
        raise ValueError("k, first and width are 1 or more, and k at most first")
    for i in range(d):
        offset += 128 * <int32_t>query[i]
    cdef int16_t* sums = <int16_t*>malloc(blocks * TOGETHER * sizeof(int16_t))
    cdef int32_t* places = <int32_t*>malloc(limit * sizeof(int32_t))
    cdef int32_t* products = <int32_t*>malloc(limit * sizeof(int32_t))
    if sums == NULL or places == NULL or products == NULL:
        free(sums)
        free(places)
        free(products)
        raise MemoryError(f"no room for {limit} sums")
    with nogil:
        scan_sums(level, &signs[0, 0, 0], &planes[0, 0], words, blocks, sums)
        floor = scan_floor(level, sums, limit, min(first, limit))
        found = scan_reached(sums, limit, floor, places)
        scan_products(level, &coded[0, 0], d, &query[0], offset, places, found, products)
        reach = ceil(scan_least(products, found, min(k, found)) * slope + shift)
        if reach < floor:
            floor = <int>max(reach, -32768.0)
            found = scan_reached(sums, limit, floor, places)
            scan_products(level, &coded[0, 0], d, &query[0], offset, places, found, products)
        least = scan_least(products, found, min(width, found))
        for i in range(found):
            if products[i] >= least:
                places[kept] = places[i]
                kept += 1
    made = np.empty(kept, np.intp)
    cdef Py_ssize_t[::1] out = made
    for i in range(kept):
        out[i] = places[i]
    free(sums)
    free(places)
    free(products)
    return made
