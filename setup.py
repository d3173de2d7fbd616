"""The compiled parts. Without a compiler the install goes on, and NumPy does their work."""

import os

from setuptools import Extension, setup

# No product is fused into a sum, or the last bits would differ from NumPy's.
FLAGS = ["/O2"] if os.name == "nt" else ["-O3", "-g0", "-ffp-contract=off", "-fno-trapping-math"]
PARTS = [f"src/core/kernels/kernel_{part}.pxi" for part in ("evidence", "fusion", "scan", "sums")]

setup(
    ext_modules=[
        Extension(
            "fabula.core.kernels.kernel",
            ["src/core/kernels/kernel.pyx"],
            depends=[*PARTS, "src/core/kernels/scan_kernel.h"],
            include_dirs=["src/core/kernels"],
            extra_compile_args=FLAGS,
            optional=True,
        ),
        Extension(
            "fabula.core.kernels.encoder_kernel",
            ["src/core/kernels/encoder_kernel.pyx"],
            depends=["src/core/kernels/encoder_kernel.h", "src/core/kernels/encoder_kernel_body.h"],
            include_dirs=["src/core/kernels"],
            extra_compile_args=["/O2"]
            if os.name == "nt"
            else ["-O3", "-g0", "-fno-math-errno", "-Wno-psabi"],
            optional=True,
        ),
    ]
)
