/* A BERT sentence encoder's forward pass for one text, in C: what minilm.QueryEncoder computes with NumPy.

   For ten tokens the pass is bound by reading the weights, not by arithmetic: 42 MB in float32. Here they are
   kept in bfloat16, half of that, and widened in registers; activations, sums and everything else stay in
   float32. A matrix (out, in) is cut into tiles of 16 outputs, each tile (in, 16) in one piece of memory.

   Written with the vector types of GCC and Clang, once, and compiled for AVX-512 and for AVX2 with FMA. */

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { TILE = 16, BLOCK = 12 };  /* outputs of a tile; rows that share one reading of it */

typedef struct {
    int layers, heads, width, inner, mean;
    float epsilon;
    const float *norm;           /* scale and shift of the embeddings: 2 * width */
    const uint16_t *weights;     /* by layer: attend, join, up, down, as tiles */
    const float *constants;      /* by layer: their biases and the scales and shifts of the two norms */
} encoder_t;

#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
#define ENCODER_COMPILED 1

#if defined(__clang__)
#define UNROLLED _Pragma("unroll")
#else
#define UNROLLED _Pragma("GCC unroll 12")
#endif
#define INLINE static inline __attribute__((always_inline))

#define NAME(name) name##_avx512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,fma")))
#define LANES 16
#include "encoder_kernel_body.h"
#undef NAME
#undef TARGET
#undef LANES

#define NAME(name) name##_avx2
#define TARGET __attribute__((target("avx2,fma")))
#define LANES 8
#include "encoder_kernel_body.h"
#undef NAME
#undef TARGET
#undef LANES

#if !defined(__clang__) && __GNUC__ >= 10
#define ENCODER_PAIRED 1
#include <immintrin.h>
#define PAIRED
#define NAME(name) name##_bfloat16
#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16,fma")))
#define LANES 16
#include "encoder_kernel_body.h"
#undef NAME
#undef TARGET
#undef LANES
#undef PAIRED
#endif

/* 2: AVX-512, 1: AVX2 with FMA, 0: neither, and then nothing here may be called. */
static int encoder_level(void) {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return 2;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

/* 3 where the processor multiplies bfloat16 with bfloat16 too: twice as fast where the text is long; rows are rounded
   as well, and the weights of a tile are in pairs. Else as encoder_level. */
static int encoder_fastest(void) {
#ifdef ENCODER_PAIRED
    if (encoder_level() == 2 && __builtin_cpu_supports("avx512bf16")) return 3;
#endif
    return encoder_level();
}

static void encoder_run(const encoder_t *e, int level, float *rows, int n, float *scratch, float *out) {
#ifdef ENCODER_PAIRED
    if (level == 3) {
        forward_bfloat16(e, rows, n, scratch, out);
        return;
    }
#endif
    if (level == 2) forward_avx512(e, rows, n, scratch, out);
    else forward_avx2(e, rows, n, scratch, out);
}

#else
#define ENCODER_COMPILED 0
static int encoder_level(void) { return 0; }
static int encoder_fastest(void) { return 0; }
static void encoder_run(const encoder_t *e, int level, float *rows, int n, float *scratch, float *out) {}
#endif
