"""The one compiled part. Without a compiler the install goes on, and NumPy does its work."""

import os

from setuptools import Extension, setup

# No product is fused into a sum, or the last bits would differ from NumPy's.
FLAGS = ["/O2"] if os.name == "nt" else ["-O3", "-g0", "-ffp-contract=off", "-fno-trapping-math"]
PARTS = [f"src/core/kernel_{part}.pxi" for part in ("evidence", "fusion", "sums")]

setup(
    ext_modules=[
        Extension(
            "fabula.core.kernel",
            ["src/core/kernel.pyx"],
            depends=PARTS,
            extra_compile_args=FLAGS,
            optional=True,
        )
    ]
)
