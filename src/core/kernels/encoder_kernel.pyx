# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A question's vector, compiled: ``minilm.QueryEncoder`` with weights in bfloat16 (see ``encoder_kernel.h``)."""

from libc.stdint cimport uint16_t
from libc.stdlib cimport free, malloc

import numpy as np

cdef extern from "encoder_kernel.h" nogil:
    const int TILE
    ctypedef struct encoder_t:
        int layers
        int heads
        int width
        int inner
        int mean
        float epsilon
        const float* norm
        const uint16_t* weights
        const float* constants
    int encoder_level()
    int encoder_fastest()
    void encoder_run(const encoder_t* e, int level, float* rows, int n, float* scratch, float* out)

VERSION = 3  # of this interface: compiled.py takes no other
LEVEL = encoder_level()  # 2: AVX-512, 1: AVX2, 0: nothing here can run on this processor
FASTEST = encoder_fastest()  # 3: bfloat16 on both sides, for long texts; else LEVEL


cdef class Encoder:
    """One encoder's packed weights. Calls share nothing: threads may use it at once, and other threads run
    meanwhile. ``level`` chooses the instructions, at most what the processor has."""

    cdef encoder_t _shape
    cdef int _level
    cdef const uint16_t[::1] _weights
    cdef const float[::1] _constants
    cdef const float[::1] _norm

    def __init__(
        self,
        const uint16_t[::1] weights,
        const float[::1] constants,
        const float[::1] norm,
        *,
        int layers,
        int heads,
        int width,
        int inner,
        float epsilon,
        bint mean,
        int level=LEVEL,
    ):
        if not 0 < level <= FASTEST:
            raise ValueError(f"instructions of level {level} are not here, only up to {FASTEST}")
        if width % TILE or inner % TILE or heads < 1 or width % heads or (width // heads) % TILE:
            raise ValueError(f"a width of {width} with {heads} heads and {inner} inside cannot be cut by 16")
        if len(weights) != layers * (4 * width * width + 2 * width * inner):
            raise ValueError(f"{len(weights)} weights are not those of {layers} layers")
        if len(constants) != layers * (9 * width + inner) or len(norm) != 2 * width:
            raise ValueError(f"{len(constants)} constants are not those of {layers} layers")
        self._weights, self._constants, self._norm = weights, constants, norm
        self._level = level
        self._shape = encoder_t(
            layers, heads, width, inner, mean, epsilon, &norm[0], &weights[0], &constants[0]
        )

    def __call__(self, float[:, ::1] rows):
        """The vector of length 1 of a text whose tokens' summed embeddings are ``rows``, (n, width), n from 1
        up; they are used up: without ``mean`` they are each token's vector after the last layer."""
        cdef int n = rows.shape[0]
        cdef int width = self._shape.width
        if n < 1 or rows.shape[1] != width:
            raise ValueError(f"rows of shape ({n}, {rows.shape[1]}) are not (1 or more, {width})")
        out = np.empty(width, dtype=np.float32)
        cdef float[::1] to = out
        cdef size_t room = <size_t>n * (4 * width + self._shape.inner + self._shape.inner // 2) + n + TILE
        room += <size_t>(n + TILE) * (width // self._shape.heads)
        cdef float* scratch = <float*>malloc(room * sizeof(float))
        if scratch == NULL:
            raise MemoryError(f"no room for {room} numbers")
        with nogil:
            encoder_run(&self._shape, self._level, &rows[0, 0], n, scratch, &to[0])
            free(scratch)
        return out
