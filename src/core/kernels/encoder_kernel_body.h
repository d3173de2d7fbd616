/* Included by encoder_kernel.h once for each set of instructions: NAME names what is compiled for it, TARGET asks
   for it, LANES numbers fit one of its registers. */

typedef float NAME(vector) __attribute__((vector_size(4 * LANES)));
typedef int32_t NAME(whole) __attribute__((vector_size(4 * LANES)));
typedef uint16_t NAME(half) __attribute__((vector_size(2 * LANES)));
#define vector_t NAME(vector)
#define whole_t NAME(whole)
#define half_t NAME(half)

TARGET INLINE vector_t NAME(load)(const float *place) {
    vector_t v;
    memcpy(&v, place, sizeof v);
    return v;
}

TARGET INLINE void NAME(store)(float *place, vector_t v) { memcpy(place, &v, sizeof v); }

TARGET INLINE float NAME(total)(vector_t v) {
    float sum = 0;
    for (int i = 0; i < LANES; i++) sum += v[i];
    return sum;
}

/* e^x by Cephes' expf: 2^n e^r with |r| <= ln 2 / 2; x is held within what float32 can hold. */
TARGET INLINE vector_t NAME(exponential)(vector_t x) {
    const vector_t low = (vector_t){0} - 87.0f, high = (vector_t){0} + 88.0f;
    whole_t below = x < low, above = x > high;
    x = (vector_t)((below & (whole_t)low) | (above & (whole_t)high) | (~(below | above) & (whole_t)x));
    vector_t scaled = x * 1.44269504088896341f + 12582912.0f;  /* rounds to a whole number */
    whole_t n = (whole_t)scaled - 0x4B400000;
    vector_t k = scaled - 12582912.0f;
    vector_t r = x - k * 0.693359375f + k * 2.12194440e-4f;
    vector_t p = r * 1.9875691500e-4f + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    return p * (vector_t)((n + 127) << 23);
}

#ifdef PAIRED
/* `count` rows (at most BLOCK, known when this is compiled) times a tile, both in bfloat16, two inputs at a time: a
   tile is (in / 2, 16, 2), a row's pair stands in one whole number. */
TARGET INLINE void NAME(tile)(const int count, const uint32_t *rows, int pairs, const uint16_t *weights,
                              vector_t start, float *out, int width) {
    vector_t sums[BLOCK];
    UNROLLED for (int r = 0; r < count; r++) sums[r] = start;
    for (int k = 0; k < pairs; k++) {
        __m512bh weight = (__m512bh)_mm512_loadu_si512(weights + (size_t)k * 2 * TILE);
        UNROLLED for (int r = 0; r < count; r++)
            sums[r] = (vector_t)_mm512_dpbf16_ps(
                (__m512)sums[r], (__m512bh)_mm512_set1_epi32((int)rows[(size_t)r * pairs + k]), weight);
    }
    UNROLLED for (int r = 0; r < count; r++) NAME(store)(out + (size_t)r * width, sums[r]);
}

/* out (n, width) = rows (n, depth) times the matrix of these tiles, plus bias; `packed` holds n * depth / 2. */
TARGET static void NAME(product)(const float *rows, int n, int depth, const uint16_t *weights,
                                 const float *bias, float *out, int width, uint32_t *packed) {
    for (size_t i = 0; i < (size_t)n * depth; i += LANES) {
        __m256bh rounded = _mm512_cvtneps_pbh(_mm512_loadu_ps(rows + i));
        memcpy((uint16_t *)packed + i, &rounded, sizeof rounded);
    }
    for (int t = 0; t < width / TILE; t++) {
        const uint16_t *own = weights + (size_t)t * depth * TILE;
        vector_t start = NAME(load)(bias + t * TILE);
        for (int r = 0; r < n; r += BLOCK) {
            const uint32_t *from = packed + (size_t)r * depth / 2;
            float *to = out + (size_t)r * width + t * TILE;
            switch (n - r < BLOCK ? n - r : BLOCK) {
#define CASE(count) case count: NAME(tile)(count, from, depth / 2, own, start, to, width); break;
                CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6)
                CASE(7) CASE(8) CASE(9) CASE(10) CASE(11) CASE(12)
#undef CASE
            }
        }
    }
}
#else
/* `count` rows (at most BLOCK, known when this is compiled) times LANES columns of a tile. */
TARGET INLINE void NAME(tile)(const int count, const float *rows, int depth, int stride,
                              const uint16_t *weights, vector_t start, float *out, int width) {
    vector_t sums[BLOCK];
    UNROLLED for (int r = 0; r < count; r++) sums[r] = start;
    for (int k = 0; k < depth; k++) {
        half_t packed;
        memcpy(&packed, weights + (size_t)k * TILE, sizeof packed);
        whole_t wide = __builtin_convertvector(packed, whole_t) << 16;
        vector_t weight = (vector_t)wide;
        UNROLLED for (int r = 0; r < count; r++) sums[r] += weight * rows[(size_t)r * stride + k];
    }
    UNROLLED for (int r = 0; r < count; r++) NAME(store)(out + (size_t)r * width, sums[r]);
}

/* out (n, width) = rows (n, depth) times the matrix of these tiles, plus bias. */
TARGET static void NAME(product)(const float *rows, int n, int depth, const uint16_t *weights,
                                 const float *bias, float *out, int width, uint32_t *packed) {
    (void)packed;
    for (int t = 0; t < width / LANES; t++) {
        const uint16_t *own = weights + (size_t)(t * LANES / TILE) * depth * TILE + t * LANES % TILE;
        vector_t start = NAME(load)(bias + t * LANES);
        for (int r = 0; r < n; r += BLOCK) {
            const float *from = rows + (size_t)r * depth;
            float *to = out + (size_t)r * width + t * LANES;
            switch (n - r < BLOCK ? n - r : BLOCK) {
#define CASE(count) case count: NAME(tile)(count, from, depth, depth, own, start, to, width); break;
                CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6)
                CASE(7) CASE(8) CASE(9) CASE(10) CASE(11) CASE(12)
#undef CASE
            }
        }
    }
}

#endif

/* Layer normalisation of each row, in place. */
TARGET static void NAME(normalise)(float *rows, int n, int width, const float *scale, float epsilon) {
    for (int i = 0; i < n; i++, rows += width) {
        vector_t sum = {0}, square = {0};
        for (int k = 0; k < width; k += LANES) sum += NAME(load)(rows + k);
        float mean = NAME(total)(sum) / width;
        for (int k = 0; k < width; k += LANES) {
            vector_t off = NAME(load)(rows + k) - mean;
            square += off * off;
        }
        float spread = 1.0f / sqrtf(NAME(total)(square) / width + epsilon);
        for (int k = 0; k < width; k += LANES) {
            vector_t off = (NAME(load)(rows + k) - mean) * spread;
            NAME(store)(rows + k, off * NAME(load)(scale + k) + NAME(load)(scale + width + k));
        }
    }
}

/* 2 x Phi(x), by the polynomial of minilm._ERF; the half is in the weights that follow. */
TARGET static void NAME(gelu)(float *x, size_t count) {
    for (size_t i = 0; i < count; i += LANES) {
        vector_t v = NAME(load)(x + i), s = v * v;
        vector_t p = s * 1.8139200667894475e-09f + -1.3978291971341665e-07f;
        p = p * s + 4.066973903762093e-06f;
        p = p * s + -5.5273362302414216e-05f;
        p = p * s + -3.302677352232536e-05f;
        p = p * s + 0.03633414920121036f;
        p = p * s + 0.7978842683893124f;
        vector_t e = NAME(exponential)(p * v * 2.0f);
        NAME(store)(x + i, v * (2.0f - 2.0f / (e + 1.0f)));
    }
}

/* mixed (n, width) of parts (n, 3 * width: queries, keys, values); `scores` holds n + LANES numbers, `turned`, for a
   head's keys by dimension, n + LANES for each of its dimensions. */
TARGET static void NAME(attend)(const float *parts, int n, int width, int heads, float *scores, float *turned,
                                float *mixed) {
    int each = width / heads, row = 3 * width, long_row = (n + LANES - 1) / LANES * LANES;
    for (int h = 0; h < heads; h++) {
        for (int k = 0; k < each; k++)
            for (int j = 0; j < long_row; j++)
                turned[(size_t)k * long_row + j] = j < n ? parts[(size_t)j * row + width + h * each + k] : 0;
        for (int i = 0; i < n; i++) {
            const float *query = parts + (size_t)i * row + h * each;
            float most = -INFINITY, sum = 0;
            for (int j = 0; j < n; j += LANES) {
                vector_t dot = {0};
                for (int k = 0; k < each; k++) dot += NAME(load)(turned + (size_t)k * long_row + j) * query[k];
                NAME(store)(scores + j, dot);
            }
            for (int j = 0; j < n; j++)
                if (scores[j] > most) most = scores[j];
            for (int j = n; j < n + LANES; j++) scores[j] = -INFINITY;
            for (int j = 0; j < n; j += LANES)
                NAME(store)(scores + j, NAME(exponential)(NAME(load)(scores + j) - most));
            for (int j = 0; j < n; j++) sum += scores[j];
            for (int k = 0; k < each; k += LANES) {
                vector_t value = {0};
                for (int j = 0; j < n; j++)
                    value += NAME(load)(parts + (size_t)j * row + 2 * width + h * each + k) * scores[j];
                NAME(store)(mixed + (size_t)i * width + h * each + k, value / sum);
            }
        }
    }
}

TARGET static void NAME(add)(float *to, const float *other, size_t count) {
    for (size_t i = 0; i < count; i += LANES) NAME(store)(to + i, NAME(load)(to + i) + NAME(load)(other + i));
}

/* `rows` (n, width) are the sums of the embeddings and are used up; `scratch` holds
   n * (4 * width + inner) + n + LANES numbers, then (n + LANES) * width / heads for keys, then n * inner / 2 for rows
   in bfloat16; `out` is the text's vector, of length 1. */
TARGET static void NAME(forward)(const encoder_t *e, float *rows, int n, float *scratch, float *out) {
    int width = e->width, inner = e->inner;
    size_t all = (size_t)n * width;
    float *parts = scratch, *mixed = parts + 3 * all, *wide = mixed + all, *scores = wide + (size_t)n * inner;
    float *turned = scores + n + LANES;
    uint32_t *packed = (uint32_t *)(turned + (size_t)(width / e->heads) * (n + LANES));
    const uint16_t *w = e->weights;
    const float *c = e->constants;
    NAME(normalise)(rows, n, width, e->norm, e->epsilon);
    for (int layer = 0; layer < e->layers; layer++) {
        NAME(product)(rows, n, width, w, c, parts, 3 * width, packed);
        w += (size_t)3 * width * width, c += 3 * width;
        NAME(attend)(parts, n, width, e->heads, scores, turned, mixed);
        NAME(product)(mixed, n, width, w, c, parts, width, packed);
        w += (size_t)width * width, c += width;
        NAME(add)(rows, parts, all);
        NAME(normalise)(rows, n, width, c, e->epsilon);
        c += 2 * width;
        NAME(product)(rows, n, width, w, c, wide, inner, packed);
        w += (size_t)inner * width, c += inner;
        NAME(gelu)(wide, (size_t)n * inner);
        NAME(product)(wide, n, inner, w, c, parts, width, packed);
        w += (size_t)inner * width, c += width;
        NAME(add)(rows, parts, all);
        NAME(normalise)(rows, n, width, c, e->epsilon);
        c += 2 * width;
    }
    for (int i = 1; e->mean && i < n; i++) NAME(add)(rows, rows + (size_t)i * width, width);
    double square = 0;
    for (int k = 0; k < width; k++) square += (double)rows[k] * rows[k];
    for (int k = 0; k < width; k++) out[k] = (float)(rows[k] / sqrt(square));
}

#undef vector_t
#undef whole_t
#undef half_t
