//! Products of shifted predictors.
//!
//! Within a segment `[a, b)` let `u` be predictor `j` shifted by `r`, padded as when the residual is
//! updated, and `v` any predictor shifted by `l`, padded as when errors are summed. With
//! `τ = t - r`,
//!
//! ```text
//! Σ_{a ≤ t < b} u(t) v(t) = Σ_{a ≤ τ < b} x_j(τ) v(τ + r) + Σ_{a ≤ t < a + r} u v - Σ_{b ≤ t < b + r} u v
//! ```
//!
//! for `r ≥ 0`, and with `a + r ≤ t < a` subtracted and `b + r ≤ t < b` added for `r < 0`. The long
//! sum hangs on `l - r` only: it is computed once for each predictor `j` that is ever chosen. The
//! short ones are computed for each column; segments that are short themselves as a whole.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::section::{Basis, List};
use crate::fast::accumulate::accumulate;
use crate::team::Ask;
use crate::{Error, memory};

/// What is made once, by whichever thread needs it first, while the others wait.
pub(super) struct Once<T> {
    value: OnceLock<T>,
    making: Mutex<()>,
}

impl<T> Once<T> {
    pub(super) fn new() -> Self {
        Self { value: OnceLock::new(), making: Mutex::new(()) }
    }

    pub(super) fn get(&self) -> Option<&T> {
        self.value.get()
    }

    pub(super) fn get_or_make(&self, make: impl FnOnce() -> Result<T, Error>) -> Result<&T, Error> {
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        // A thread that panicked while it made the value left none behind.
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        let value = make()?;
        Ok(self.value.get_or_init(|| value))
    }
}

/// The long sums of predictor `j`, for all differences of lags `l - r`, from the largest on.
pub(super) fn long_sums(
    basis: &Basis<'_>,
    list: &List,
    predictor: usize,
    ask: &mut Ask<'_>,
) -> Result<Vec<f64>, Error> {
    let differences = basis.reach.differences();
    let count = basis.pads.len();
    let window = differences.clone().count() * count;
    let mut sums = memory::filled(window, 0.0)?;
    for section in list.sections.iter().filter(|section| !section.is_short(basis)) {
        for stretch in section.stretches(window) {
            basis.padded(section).windows(&basis.packed, stretch, &differences, |samples, rows| {
                let weights = basis.samples(predictor, samples.start as usize..samples.end as usize);
                accumulate(basis.path, &mut sums, rows, count, weights.iter().copied());
            });
            ask()?;
        }
    }
    Ok(sums)
}

/// Writes the products of predictor `j`, shifted as in `column`, with every option. `long_sums` are
/// those of `j`; without them all sections are gone through as a whole.
pub(super) fn column(
    basis: &Basis<'_>,
    list: &List,
    long_sums: Option<&[f64]>,
    (predictor, column): (usize, usize),
    products: &mut [f64],
) {
    let lags = basis.reach.lags();
    let lag = lags.start + column as i64;
    if let Some(long_sums) = long_sums {
        // Row 0 is that of the largest difference, and of the largest lag l.
        let first = (basis.reach.differences().end - lags.end + lag) as usize * basis.pads.len();
        products.copy_from_slice(&long_sums[first..first + products.len()]);
    } else {
        products.fill(0.0);
    }
    for section in &list.sections {
        let whole = section.range();
        let (a, b) = (whole.start, whole.end);
        let parts = match (long_sums.is_none() || section.is_short(basis), lag >= 0) {
            (true, _) => [(whole, 1.0), (0..0, 0.0)],
            (false, true) => [(a..a + lag, 1.0), (b..b + lag, -1.0)],
            (false, false) => [(a + lag..a, -1.0), (b + lag..b, 1.0)],
        };
        for (samples, sign) in parts {
            basis.padded(section).windows(&basis.packed, samples, &lags, |samples, rows| {
                let weights = samples.map(|sample| sign * section.update(basis, predictor, lag, sample));
                accumulate(basis.path, products, rows, basis.pads.len(), weights);
            });
        }
    }
}

/// The vector operations of eight lanes that the long sums of all predictors take, about: how many
/// samples are 0 is seen from a part of them.
pub(super) fn cost(basis: &Basis<'_>, list: &List) -> usize {
    const EVERY: usize = 7;
    let window = (basis.reach.differences().count() * basis.pads.len()).div_ceil(8);
    let long = list.sections.iter().filter(|section| !section.is_short(basis));
    let weights = (0..basis.pads.len()).flat_map(|predictor| {
        long.clone().map(move |section| {
            let samples = basis.samples(predictor, section.samples.clone());
            samples.iter().step_by(EVERY).filter(|&&sample| sample != 0.0).count() * EVERY
        })
    });
    weights.sum::<usize>() * window
}
