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
    /// What is the same for all lanes, unless it lies side by side already, and what slides.
    forwards: Vec<f64>,
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
        self.earlier.clear(zero.saturating_sub(1).unsigned_abs(), zero.abs_diff(start))?;
        self.later.clear(zero.unsigned_abs(), stop.abs_diff(zero))?;
        for segment in terms.segments.iter().filter(|segment| !segment.is_empty()) {
            let y = stretch::of(terms.y_error, segment.clone());
            let predictor = Padded { x: stretch::of(predictor.x, segment), ..predictor };
            if !self.earlier.is_empty() {
                self.add_earlier(path, terms, y, predictor)?;
            }
            if !self.later.is_empty() {
                self.add_later(path, terms, y, predictor)?;
            }
        }
        Ok(())
    }

    /// Adds a segment to the sums of the lags below 0.
    fn add_earlier(
        &mut self,
        path: Path,
        terms: &Terms<'_>,
        y: ArrayView1<'_, f64>,
        predictor: Padded<'_>,
    ) -> Result<(), Error> {
        let LagErrors { earlier: sums, forwards, backwards, .. } = self;
        copy(predictor.x, forwards)?;
        forwards.iter_mut().for_each(|x| *x *= terms.delta);
        lay_backwards(backwards, y, sums.farthest())?;
        // Before the first sample comes the last.
        let (samples, before) = backwards.split_at_mut(y.len());
        before.iter_mut().zip(samples).for_each(|(before, y)| *before = *y);
        let pad = terms.delta * predictor.pad;
        run(path, terms.error, Pass { direction: Direction::Earlier, sums, forwards, backwards, pad });
        Ok(())
    }

    /// Adds a segment to the sums of the other lags.
    fn add_later(
        &mut self,
        path: Path,
        terms: &Terms<'_>,
        y: ArrayView1<'_, f64>,
        predictor: Padded<'_>,
    ) -> Result<(), Error> {
        let LagErrors { later: sums, forwards, backwards, .. } = self;
        lay_backwards(backwards, predictor.x, sums.farthest())?;
        let (samples, before) = backwards.split_at_mut(predictor.x.len());
        samples.iter_mut().for_each(|x| *x *= terms.delta);
        let pad = terms.delta * predictor.pad;
        before.fill(pad);
        let forwards = match y.to_slice() {
            Some(y) => y,
            None => copy(y, forwards)?,
        };
        run(path, terms.error, Pass { direction: Direction::Later, sums, forwards, backwards, pad });
        Ok(())
    }

    /// The better sign at each lag, in rising order.
    pub(crate) fn better(&self) -> impl Iterator<Item = Better> {
        let earlier = self.earlier.iter().rev();
        let pairs = earlier.chain(self.later.iter());
        pairs.map(|(add, subtract)| Better::of(add, subtract))
    }
}

/// The samples of a view in any layout, side by side.
fn copy<'a>(view: ArrayView1<'_, f64>, into: &'a mut Vec<f64>) -> Result<&'a [f64], Error> {
    memory::clear(into, view.len())?;
    match view.to_slice() {
        Some(samples) => into.extend_from_slice(samples),
        None => into.extend(view),
    }
    Ok(into)
}

/// The samples backwards, then as many numbers as a lane at the distance `farthest` needs, and the
/// lanes beside it in its block read.
fn lay_backwards(backwards: &mut Vec<f64>, samples: ArrayView1<'_, f64>, farthest: u64) -> Result<(), Error> {
    let farthest = usize::try_from(farthest).map_or(samples.len(), |farthest| farthest.min(samples.len()));
    let length = samples.len() + farthest + lanes::MAX_BLOCK;
    memory::clear(backwards, length)?;
    match samples.to_slice() {
        Some(samples) => backwards.extend(samples.iter().rev()),
        None => backwards.extend(samples.iter().rev()),
    }
    backwards.resize(length, 0.0);
    Ok(())
}

fn run(path: Path, error: ErrorMeasure, pass: Pass<'_>) {
    match error {
        ErrorMeasure::L1 => path.run(pass.of::<Absolute>()),
        ErrorMeasure::L2 => path.run(pass.of::<Square>()),
    }
}
