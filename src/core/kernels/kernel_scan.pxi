# Which vectors are worth comparing with a query: see scan_codes.py.

cdef extern from "scan_kernel.h" nogil:
    const int TOGETHER
    const int PLANES
    int scan_level()
    double scan_query(
        const float* turned, int d, int words, float scale,
        uint64_t* planes, int8_t* query, int32_t* total, int32_t* offset
    )
    void scan_sums(int level, const uint64_t* signs, const uint64_t* planes, int words, long blocks, int16_t* sums)
    int scan_floor(int level, const int16_t* sums, long n, long count)
    long scan_reached(int level, const int16_t* sums, long n, int floor, int32_t* places)
    void scan_products(
        int level, const uint8_t* bytes, int d, const int8_t* query, int32_t offset,
        const int32_t* places, long n, int32_t* products
    )
    int32_t scan_least(const int32_t* products, long n, long count)

SCAN_LEVEL = scan_level()  # 2: AVX-512, 1: AVX2, 0: neither


cdef double KEPT = sqrt(2.0 / M_PI)  # these two as in scan_codes.py
cdef double DEVIATIONS = 2.5
cdef enum:
    LARGEST = 4096  # dimensions: more would not fit the sums
    ROOM = 256  # their bits in words, for each of 4 planes


def near(
    const uint64_t[:, :, ::1] signs,
    const uint8_t[:, ::1] coded,
    const float[::1] turned,
    Py_ssize_t limit,
    Py_ssize_t k,
    Py_ssize_t first,
    Py_ssize_t width,
    double scale,
    int level=SCAN_LEVEL,
):
    cdef Py_ssize_t words = signs.shape[1], d = coded.shape[1], blocks = (limit + TOGETHER - 1) // TOGETHER, i
    cdef long found, kept = 0
    cdef int floor
    cdef int32_t least
    if signs.shape[2] != TOGETHER:
        raise ValueError("signs come in blocks of 8 vectors")
    if turned.shape[0] != d or d > 64 * words or d > LARGEST or not 0 <= level <= SCAN_LEVEL:
        raise ValueError("a query of another dimension")
    if not 0 < limit <= coded.shape[0] or blocks > signs.shape[0] or limit > 0x7FFFFFFF:
        raise ValueError(f"there are no {limit} vectors")
    if not (0 < k <= first and 0 < width):
        raise ValueError("k, first and width are 1 or more, and k at most first")
    cdef uint64_t planes[ROOM]
    cdef int8_t query[LARGEST]
    cdef int32_t total = 0, offset = 0
    cdef double step = scan_query(&turned[0], <int>d, <int>words, <float>scale, planes, query, &total, &offset)
    cdef double root = sqrt(<double>d) * KEPT, rounding = step / (sqrt(12.0) * KEPT)
    cdef double error = sqrt((1.0 / (KEPT * KEPT) - 1.0) / <double>d + rounding * rounding)
    cdef double slope = root / (2.0 * step), reach
    cdef int16_t* sums = <int16_t*>malloc(blocks * TOGETHER * sizeof(int16_t))
    cdef int32_t* places = <int32_t*>malloc(limit * sizeof(int32_t))
    cdef int32_t* products = <int32_t*>malloc(limit * sizeof(int32_t))
    if sums == NULL or places == NULL or products == NULL:
        free(sums)
        free(places)
        free(products)
        raise MemoryError(f"no room for {limit} sums")
    with nogil:
        scan_sums(level, &signs[0, 0, 0], planes, <int>words, blocks, sums)
        floor = scan_floor(level, sums, limit, min(first, limit))
        found = scan_reached(level, sums, limit, floor, places)
        scan_products(level, &coded[0, 0], <int>d, query, offset, places, found, products)
        least = scan_least(products, found, min(k, found))
        reach = ceil((<double>least / (scale * scale) - DEVIATIONS * error) * slope + total / 2.0)
        if reach < floor:
            floor = <int>max(reach, -32768.0)
            found = scan_reached(level, sums, limit, floor, places)
            scan_products(level, &coded[0, 0], <int>d, query, offset, places, found, products)
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
