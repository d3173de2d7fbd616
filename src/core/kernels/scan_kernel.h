/* Which stored vectors are worth comparing with a query, from their signs and their bytes: what scan_codes.py
   computes with NumPy, to the last bit, since all of it is whole numbers.

   Plain C, compiled once as it is, once for x86-64 with a bit counter, and written out for AVX-512 where bits of
   eight vectors are counted at once. */

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { TOGETHER = 8, PLANES = 4 };  /* vectors of a block; bits of a coordinate of the query */

#if defined(__GNUC__) || defined(__clang__)
#define bits_set(x) __builtin_popcountll(x)
#else
static int bits_set(uint64_t x) {
    x -= (x >> 1) & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    return (int)((((x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u) >> 56);
}
#endif

#define PLAIN(name, target)                                                                                    \
    target static void name##_sums(const uint64_t *signs, const uint64_t *planes, int words, long blocks,      \
                                   int16_t *sums) {                                                            \
        for (long b = 0; b < blocks; b++, signs += (long)words * TOGETHER)                                     \
            for (int v = 0; v < TOGETHER; v++) {                                                               \
                int counts[PLANES] = {0};                                                                      \
                for (int w = 0; w < words; w++)                                                                \
                    for (int p = 0; p < PLANES; p++)                                                           \
                        counts[p] += (int)bits_set(signs[w * TOGETHER + v] & planes[p * words + w]);           \
                sums[b * TOGETHER + v] =                                                                       \
                    (int16_t)(counts[0] + 2 * counts[1] + 4 * counts[2] - 8 * counts[3]);                      \
            }                                                                                                  \
    }                                                                                                          \
    target static int32_t name##_product(const uint8_t *row, const int8_t *query, int d) {                     \
        int32_t sum = 0;                                                                                       \
        for (int j = 0; j < d; j++) sum += (int32_t)row[j] * query[j];                                         \
        return sum;                                                                                            \
    }                                                                                                          \
    target static long name##_above(const int16_t *sums, long n, int16_t floor) {                              \
        long found = 0;                                                                                        \
        for (long start = 0; start < n; start += 16384) {  /* counts that 16 bits hold */                      \
            uint16_t some = 0;                                                                                 \
            long end = start + 16384 < n ? start + 16384 : n;                                                  \
            for (long i = start; i < end; i++) some = (uint16_t)(some + (sums[i] >= floor));                   \
            found += some;                                                                                     \
        }                                                                                                      \
        return found;                                                                                          \
    }                                                                                                          \
    target static long name##_reached(const int16_t *sums, long n, int16_t floor, int32_t *places) {           \
        long found = 0;                                                                                        \
        for (long i = 0; i < n; i++) {                                                                         \
            places[found] = (int32_t)i;  /* there is room for n */                                             \
            found += sums[i] >= floor;                                                                         \
        }                                                                                                      \
        return found;                                                                                          \
    }

PLAIN(plain, )

#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
#include <immintrin.h>

PLAIN(counter, __attribute__((target("avx2,popcnt"))))

#define WIDE __attribute__((target("avx512f,avx512bw,avx512vl,avx512vpopcntdq,avx512vnni,popcnt")))

WIDE static void wide_sums(const uint64_t *signs, const uint64_t *planes, int words, long blocks,
                           int16_t *sums) {
    for (long b = 0; b < blocks; b++) {
        __m512i counts[PLANES] = {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(),
                                  _mm512_setzero_si512()};
        for (int w = 0; w < words; w++, signs += TOGETHER) {
            __m512i word = _mm512_loadu_si512(signs);
            for (int p = 0; p < PLANES; p++) {
                __m512i both = _mm512_and_si512(word, _mm512_set1_epi64((int64_t)planes[p * words + w]));
                counts[p] = _mm512_add_epi64(counts[p], _mm512_popcnt_epi64(both));
            }
        }
        __m512i low = _mm512_add_epi64(counts[0], _mm512_slli_epi64(counts[1], 1));
        __m512i high = _mm512_sub_epi64(_mm512_slli_epi64(counts[2], 2), _mm512_slli_epi64(counts[3], 3));
        __m128i made = _mm512_cvtepi64_epi16(_mm512_add_epi64(low, high));
        _mm_storeu_si128((__m128i *)(sums + b * TOGETHER), made);
    }
}

WIDE static int32_t wide_product(const uint8_t *row, const int8_t *query, int d) {
    __m512i sum = _mm512_setzero_si512();
    int j = 0;
    for (; j + 64 <= d; j += 64)
        sum = _mm512_dpbusd_epi32(sum, _mm512_loadu_si512(row + j), _mm512_loadu_si512(query + j));
    int32_t rest = 0;
    for (; j < d; j++) rest += (int32_t)row[j] * query[j];
    return _mm512_reduce_add_epi32(sum) + rest;
}

WIDE static long wide_above(const int16_t *sums, long n, int16_t floor) {
    const __m512i least = _mm512_set1_epi16(floor);
    long found = 0, i = 0;
    for (; i + 32 <= n; i += 32)
        found += bits_set(_mm512_cmpge_epi16_mask(_mm512_loadu_si512(sums + i), least));
    for (; i < n; i++) found += sums[i] >= floor;
    return found;
}

WIDE static long wide_reached(const int16_t *sums, long n, int16_t floor, int32_t *places) {
    const __m512i least = _mm512_set1_epi16(floor);
    long found = 0, i = 0;
    for (; i + 32 <= n; i += 32)
        for (uint32_t left = _mm512_cmpge_epi16_mask(_mm512_loadu_si512(sums + i), least); left; left &= left - 1)
            places[found++] = (int32_t)(i + __builtin_ctz(left));
    for (; i < n; i++)
        if (sums[i] >= floor) places[found++] = (int32_t)i;
    return found;
}

/* 2: AVX-512 with bit counts, 1: AVX2, 0: neither. */
static int scan_level(void) {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vpopcntdq") &&
        __builtin_cpu_supports("avx512vnni"))
        return 2;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
}
#define CHOSEN(level, name) (level == 2 ? wide_##name : level == 1 ? counter_##name : plain_##name)
#else
static int scan_level(void) { return 0; }
#define CHOSEN(level, name) plain_##name
#endif

/* A rotated query in 4 bits a coordinate (`planes`, the bits of one weight in one row of words, and their
   `total`) and in bytes (`query`, and `offset`, 128 times their sum); the size of a step of the 4 bits. */
static double scan_query(const float *turned, int d, int words, float scale, uint64_t *planes, int8_t *query,
                         int32_t *total, int32_t *offset) {
    float highest = 0;
    for (int j = 0; j < d; j++) highest = fabsf(turned[j]) > highest ? fabsf(turned[j]) : highest;
    const double step = highest > 0 ? (double)highest / 7 : 1.0;
    memset(planes, 0, sizeof(uint64_t) * PLANES * words);
    for (int j = 0; j < d; j++) {
        const int coarse = (int)rint((double)turned[j] / step);
        for (int p = 0; p < PLANES; p++)
            planes[p * words + j / 64] |= (uint64_t)((coarse >> p) & 1) << (j % 64);
        *total += coarse;
        float fine = rintf(turned[j] * scale);
        fine = fine > 127 ? 127 : fine < -127 ? -127 : fine;
        query[j] = (int8_t)fine;
        *offset += 128 * (int32_t)fine;
    }
    return step;
}

static void scan_sums(int level, const uint64_t *signs, const uint64_t *planes, int words, long blocks,
                      int16_t *sums) {
    CHOSEN(level, sums)(signs, planes, words, blocks, sums);
}

/* The highest floor that at least `count` of n sums reach, 0 < count <= n. */
static int scan_floor(int level, const int16_t *sums, long n, long count) {
    int low = sums[0], high = sums[0];
    for (long i = 1; i < n; i++) {
        low = sums[i] < low ? sums[i] : low;
        high = sums[i] > high ? sums[i] : high;
    }
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (CHOSEN(level, above)(sums, n, (int16_t)middle) >= count) low = middle;
        else high = middle - 1;
    }
    return low;
}

/* The places of the sums that reach the floor, ascending; how many they are. */
static long scan_reached(int level, const int16_t *sums, long n, int floor, int32_t *places) {
    return floor > INT16_MAX ? 0 : CHOSEN(level, reached)(sums, n, (int16_t)floor, places);
}

/* products[i] = (bytes of row places[i] - 128) . query; `offset` is 128 times the query's sum. */
static void scan_products(int level, const uint8_t *bytes, int d, const int8_t *query, int32_t offset,
                          const int32_t *places, long n, int32_t *products) {
    for (long i = 0; i < n; i++) {
#if defined(__GNUC__) || defined(__clang__)
        if (i + 6 < n)  /* rows lie apart: the next are on their way while this one is read */
            for (int j = 0; j < d; j += 64) __builtin_prefetch(bytes + (size_t)places[i + 6] * d + j);
#endif
        products[i] = CHOSEN(level, product)(bytes + (size_t)places[i] * d, query, d) - offset;
    }
}

/* As scan_floor, of products. */
static int32_t scan_least(const int32_t *products, long n, long count) {
    int64_t low = INT32_MIN, high = INT32_MAX;
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        long found = 0;
        for (long i = 0; i < n; i++) found += products[i] >= middle;
        if (found >= count) low = middle;
        else high = middle - 1;
    }
    return (int32_t)low;
}
