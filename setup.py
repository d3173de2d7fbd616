"""The compiled parts. Without a compiler the install goes on, and NumPy does their work."""

import os

from setuptools import Extension, setup

# No product is fused into a sum, or the last bits would differ from NumPy's.
FLAGS = ["/O2"] if os.name == "nt" else ["-O3", "-g0", "-ffp-contract=off", "-fno-trapping-math"]
PARTS = [f"src/core/kernel_{part}.pxi" for part in ("evidence", "fusion", "scan", "sums")]

setup(
    ext_modules=[
        Extension(
            "fabula.core.kernel",
            ["src/core/kernel.pyx"],
            depends=[*PARTS, "src/core/scan_kernel.h"],
            include_dirs=["src/core"],
            extra_compile_args=FLAGS,
            optional=True,
        ),
        Extension(
            "fabula.core.encoder_kernel",
            ["src/core/encoder_kernel.pyx"],
            depends=["src/core/encoder_kernel.h", "src/core/encoder_kernel_body.h"],
            include_dirs=["src/core"],
            extra_compile_args=["/O2"]
            if os.name == "nt"
            else ["-O3", "-g0", "-fno-math-errno", "-Wno-psabi"],
            optional=True,
        ),
    ]
)
