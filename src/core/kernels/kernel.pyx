# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The inner loops of a search, compiled: the same bytes as the NumPy code beside each of its callers.

Nothing here is called but through ``compiled.py``; the code beside a call says what it gives. All sums run in
the order in which NumPy adds, one at a time, and no product is fused into a sum, or the last bits would
differ. What a damaged file could hold (numbers out of order or range) is refused with ValueError
before it is used as an address.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.object cimport PyObject
from libc.math cimport M_PI, ceil, sqrt
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc, qsort
from libc.string cimport memcpy, memset

import numpy as np

cdef extern from *:
    """
    #if defined(__SSE2__)
    #include <emmintrin.h>
    static inline int any_above(const double* sums, double floor) {
        const __m128d least = _mm_set1_pd(floor);
        __m128d above = _mm_setzero_pd();
        for (int i = 0; i < 16; i += 2)
            above = _mm_or_pd(above, _mm_cmpgt_pd(_mm_loadu_pd(sums + i), least));
        return _mm_movemask_pd(above);
    }
    #else
    static inline int any_above(const double* sums, double floor) {
        int above = 0;
        for (int i = 0; i < 16; i++) above |= sums[i] > floor;
        return above;
    }
    #endif
    #if defined(__GNUC__)
    #define fetch(place) __builtin_prefetch(place)
    #else
    #define fetch(place)
    #endif
    """
    bint any_above(const double* sums, double floor) nogil  # of 16
    void fetch(const void* place) nogil

cdef extern from "Python.h":
    object PyType_GenericNew(type kind, PyObject* args, PyObject* named)
    int PyObject_GenericSetAttr(object holder, object name, object value) except -1

VERSION = 3  # of this interface: compiled.py takes no other

cdef enum:
    BLOCK = 4096  # sums that are made at once: 32 KB, which the first cache holds
    STEP = 16  # sums that are compared at once
    FEW = 160  # so many are sorted fastest by insertion

cdef struct Scored:
    double score
    Py_ssize_t ordinal


cdef inline bint _worse(Scored a, Scored b) noexcept nogil:
    return a.score < b.score or (a.score == b.score and a.ordinal > b.ordinal)


cdef int _better_first(const void* left, const void* right) noexcept nogil:
    cdef Scored* a = <Scored*>left
    cdef Scored* b = <Scored*>right
    return 1 if _worse(a[0], b[0]) else -1 if _worse(b[0], a[0]) else 0


cdef void _sort(Scored* found, Py_ssize_t n) noexcept nogil:
    """Best first, ties to the lower ordinal."""
    cdef Py_ssize_t i, j
    cdef Scored moved
    if n > FEW:
        qsort(found, n, sizeof(Scored), _better_first)
        return
    for i in range(1, n):
        moved = found[i]
        j = i
        while j and _worse(found[j - 1], moved):
            found[j] = found[j - 1]
            j -= 1
        found[j] = moved


include "kernel_sums.pxi"
include "kernel_evidence.pxi"
include "kernel_fusion.pxi"
include "kernel_scan.pxi"
