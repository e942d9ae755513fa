"""Addresses for users of Cython modules: Numba finds them, and SciPy refuses what it cannot call."""
import ctypes

import numpy as np
import pytest
import scipy
import trfboost
import trfboost.capi
from numba.extending import get_cython_function_address
from trfboost import View, lib

FUNCTIONS = [name for name in lib.__all__ if name.startswith("trfb_")]


def test_each_function_has_its_address():
    assert set(trfboost.capi.__pyx_capi__) == set(FUNCTIONS)
    for name in FUNCTIONS:
        address = get_cython_function_address("trfboost.capi", name)
        assert address == ctypes.cast(getattr(lib, name), ctypes.c_void_p).value


def test_an_address_can_be_called():
    address = get_cython_function_address("trfboost.capi", "trfb_error_for_indexes")
    pointer = ctypes.c_void_p
    function = ctypes.CFUNCTYPE(ctypes.c_int32, pointer, pointer, ctypes.c_int32, pointer, pointer)(address)
    signal, rows, total = View.of(np.arange(9.0)[::-2]), View.of(np.array([[0, 5]])), ctypes.c_double()
    assert function(*map(ctypes.addressof, (signal, rows)), 1, ctypes.addressof(total), None) == 0
    assert total.value == 20


def test_scipy_reads_the_signature_and_refuses_it():
    function = scipy.LowLevelCallable.from_cython(trfboost.capi, "trfb_update_error")
    assert function.signature == (
        "int32_t (const trfb_view *, const trfb_view *, double, const trfb_view *, double, int64_t, trfb_error *)"
    )
    with pytest.raises(ValueError, match="signature"):
        scipy.integrate.quad(function, 0, 1)
