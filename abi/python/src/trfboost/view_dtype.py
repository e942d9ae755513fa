"""The descriptor as a NumPy structured dtype, for arrays of descriptors and for Numba.

The names are not those of the header, because none may be an attribute of an array: under
`parallel=True` Numba silently drops what a loop writes to a record's field of the name `shape`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .view import MAX_NDIM

VIEW_DTYPE: np.dtype[Any] = np.dtype(
    [
        ("magic", np.uint32),
        ("size_of", np.uint16),
        ("version", np.uint16),
        ("type", np.int32),
        ("rank", np.int32),
        ("bits", np.uint64),
        ("addr", np.uint64),
        ("origin", np.uint64),
        ("extent", np.uint64),
        ("dim", np.int64, MAX_NDIM),
        ("step", np.int64, MAX_NDIM),
    ]
)
"""Fields in the order of `trfb_view`: magic, size, version, dtype, ndim, flags, data, base, extent,
shape, strides."""
