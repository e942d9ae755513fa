//! The errors of all lags of a predictor at once: vectors over lags, one lane per lag.
//!
//! The [reference](crate::reference) sums one option after the other, and each addition waits for
//! the one before. Its order is part of the result, so that the samples of one option cannot be
//! spread over lanes; but options are independent, and neighbouring lags read neighbouring
//! samples. Each lane does for its lag what the reference does, in the same order, and so gets the
//! same bits.
//!
//! In step `j` of a segment of `m` samples that starts at `a`, the lane of lag `s`, at distance
//! `k = |s|` from lag 0, does this:
//!
//! - `s >= 0`: sample `a + j` of the residual meets the pad while `j < k`, then sample
//!   `a + j - k` of the predictor. The residual is the same for all lanes; the predictor slides.
//! - `s < 0`: the reference begins with the last `k` samples of the segment, which meet the pad, and
//!   goes on with the others. That is sample `a + (j - k) mod m` of the residual, which meets the
//!   pad while `j < k`, then sample `a + j` of the predictor. The predictor is the same for all
//!   lanes; the residual slides.
//! - `k >= m`: sample `a + j` of the residual meets the pad. Both are the same for all lanes.
//!
//! What slides is laid out backwards, so that the lanes of rising distance read rising addresses:
//! element `m - 1 - j + k` is what the lane at distance `k` needs in step `j`.
//!
//! Per vector of options and sample that makes six operations on floating point numbers (difference,
//! absolute value or square, sum; twice), of which the widest machines start two per cycle.
//!
//! - [`lanes`]: the loops over the samples of a segment.

mod lanes;
#[cfg(test)]
mod tests;

use std::ops::Range;

use ndarray::ArrayView1;

use crate::measure::{Absolute, Square};
use crate::predictors::Padded;
use crate::reference::options::Better;
use crate::vectors::Path;
use crate::{Error, ErrorMeasure, Segments, memory, stretch};
use lanes::{Direction, Pass, Sums};

/// What is the same for all predictors of a sweep.
#[derive(Clone, Copy)]
pub(crate) struct Terms<'a> {
    pub(crate) y_error: ArrayView1<'a, f64>,
    pub(crate) segments: Segments<'a>,
    pub(crate) error: ErrorMeasure,
    pub(crate) delta: f64,
}

/// The errors of one predictor's lags; the memory serves the next predictor too.
#[derive(Default)]
pub(crate) struct LagErrors {
    /// The lags below 0, by rising distance from 0, and those from 0 on.
    earlier: Sums,
    later: Sums,
    /// The residual and `delta` times the predictor within a segment, and what slides.
    y: Vec<f64>,
    d: Vec<f64>,
    backwards: Vec<f64>,
}

impl LagErrors {
    /// Computes the errors of the lags `start..stop`.
    pub(crate) fn compute(
        &mut self,
        path: Path,
        terms: &Terms<'_>,
        predictor: Padded<'_>,
        (start, stop): (i64, i64),
    ) -> Result<(), Error> {
        let zero = 0.clamp(start, stop);
        self.earlier.clear((zero.saturating_sub(1)).unsigned_abs(), zero.abs_diff(start))?;
        self.later.clear(zero.unsigned_abs(), stop.abs_diff(zero))?;
        let pad = terms.delta * predictor.pad;
        for segment in terms.segments.iter().filter(|segment| !segment.is_empty()) {
            self.pack(terms, predictor, segment)?;
            let LagErrors { earlier, later, y, d, backwards } = self;
            if !earlier.is_empty() {
                lay_backwards(backwards, y, y.iter().rev().copied(), earlier.farthest())?;
                run(path, terms.error, Pass { direction: Direction::Earlier, sums: earlier, y, d, backwards, pad });
            }
            if !later.is_empty() {
                lay_backwards(backwards, d, std::iter::repeat(pad), later.farthest())?;
                run(path, terms.error, Pass { direction: Direction::Later, sums: later, y, d, backwards, pad });
            }
        }
        Ok(())
    }

    /// The better sign at each lag, in rising order.
    pub(crate) fn better(&self) -> impl Iterator<Item = Better> {
        let earlier = self.earlier.iter().rev();
        let pairs = earlier.chain(self.later.iter());
        pairs.map(|(add, subtract)| Better::of(add, subtract))
    }

    fn pack(&mut self, terms: &Terms<'_>, predictor: Padded<'_>, segment: Range<usize>) -> Result<(), Error> {
        memory::clear(&mut self.y, segment.len())?;
        self.y.extend(stretch::of(terms.y_error, segment.clone()));
        memory::clear(&mut self.d, segment.len())?;
        self.d.extend(stretch::of(predictor.x, segment).into_iter().map(|x| terms.delta * x));
        Ok(())
    }
}

/// `samples` backwards, then what comes `before` them, likewise backwards, as far as a lane at
/// distance `farthest` needs it and the lanes beside it in its block read it.
fn lay_backwards(
    backwards: &mut Vec<f64>,
    samples: &[f64],
    before: impl Iterator<Item = f64>,
    farthest: u64,
) -> Result<(), Error> {
    let farthest = usize::try_from(farthest).map_or(samples.len(), |farthest| farthest.min(samples.len()));
    let length = samples.len() + farthest + lanes::MAX_BLOCK;
    memory::clear(backwards, length)?;
    backwards.extend(samples.iter().rev());
    backwards.extend(before.take(farthest + lanes::MAX_BLOCK));
    backwards.resize(length, 0.0); // lanes past the farthest: read, not used
    Ok(())
}

fn run(path: Path, error: ErrorMeasure, pass: Pass<'_>) {
    match error {
        ErrorMeasure::L1 => path.run(pass.of::<Absolute>()),
        ErrorMeasure::L2 => path.run(pass.of::<Square>()),
    }
}
