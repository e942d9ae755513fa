"""From arrays to temporal response functions: what a scientist does with the fits beneath.

The way of the data, one file for each station:

    predictors, recording   what the user has → y [n_y, T], x [n, T] and where trials start and stop
    basis, scaling          windows over the predictors; mean 0, scale 1
    lags, splits            seconds → samples; trials and parts of them → train, validate, test
    fits                    one fit for each signal and split, here or elsewhere
    evaluation              the average of the filters, held against what it should predict
    result                  filters, fit metrics, prediction; storage and plots of them

`estimation.boosting` calls them in this order. Its parameters and their meanings are those of
`eelbrain.boosting` (0.41), with arrays in place of data objects, and so are its filters, to the bit.
"""

from .estimation import boosting
from .result import BoostingResult
from .storage import load

__all__ = ["BoostingResult", "boosting", "load"]
