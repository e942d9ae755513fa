"""The stored fits: the package gives their bits, and so does Eelbrain, from which they are.

`tests/tests/golden.rs` holds the kernel and the C functions against the same file.
"""
import golden
import pytest
import trfboost
from comparison import first_difference, rows, same_bits
from problems import scattered

FITS = {name: rest for name, *rest in golden.read()}


def test_the_file_has_the_fits_that_it_should():
    assert list(FITS) == list(golden.SEEDS)


@pytest.mark.parametrize("name", FITS)
def test_a_stored_fit(eelbrain, name):
    problem, h, history = FITS[name]
    found_h, entries = trfboost.boosting_fit(*scattered(problem, 0).one())
    assert same_bits(rows(entries), history), first_difference(rows(entries), history)
    assert same_bits(found_h, h)
    their_h, their_history = golden.result(eelbrain, problem)
    assert same_bits(their_history, history), first_difference(their_history, history)
    assert same_bits(their_h, h)
