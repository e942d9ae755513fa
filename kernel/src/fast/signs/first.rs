//! What a signal's sums of signs begin with, segment by segment.
//!
//! The splits of a cross-validation train on most segments in common, and what a segment adds to `G` hangs
//! on the segment and the signal alone. So these sums are kept for the signal's other fits, and a fit adds
//! up those of its segments. That rounds once more for each of them.

use std::ops::Range;

use super::parts;
use super::shared::{Shared, Train};
use super::sign_of;
use super::windows::{self, MARGIN};
use crate::{Error, memory};

/// How many bytes of sums are kept for a signal. Only recordings in thousands of pieces need more; theirs
/// are summed for each fit.
const MEMORY: usize = 16 << 20;

/// Samples whose signs are laid out before the sums of all predictors read them: with what these read, they
/// stay in the first cache.
const AT_ONCE: usize = 1024;

/// The sums of a signal's segments, as far as they are kept.
pub(crate) struct FirstSums {
    /// By [`Train::places`]; empty if none are kept.
    of_segment: Vec<Option<Vec<f64>>>,
}

impl FirstSums {
    /// For so many fits of a signal.
    pub(super) fn new(shared: &Shared<'_>, fits: usize) -> Result<Self, Error> {
        let bytes = shared.segments.saturating_mul(shared.sums_of_all() * size_of::<f64>());
        let kept = if fits > 1 && bytes <= MEMORY { shared.segments } else { 0 };
        let mut of_segment = memory::with_capacity(kept)?;
        of_segment.resize_with(kept, || None);
        Ok(Self { of_segment })
    }

    /// `G`, `[n, width]`, of a signal `[T]` over a split's training segments.
    pub(super) fn over(&mut self, shared: &Shared<'_>, train: &Train, signal: &[f64]) -> Result<Vec<f64>, Error> {
        let mut sums = memory::filled(shared.sums_of_all(), 0.0)?;
        if self.of_segment.is_empty() {
            add(shared, train, signal, &mut sums);
            return Ok(sums);
        }
        for (segment, &place) in train.segments.iter().zip(&train.places) {
            let kept = &mut self.of_segment[place];
            if kept.is_none() {
                let mut of_segment = memory::filled(sums.len(), 0.0)?;
                add_segment(shared, train, segment, signal, &mut of_segment);
                *kept = Some(of_segment);
            }
            kept.iter().for_each(|kept| sums.iter_mut().zip(kept).for_each(|(sum, kept)| *sum += kept));
        }
        Ok(sums)
    }
}

/// Adds to `sums` the windows of all training samples, with the signs of a residual `[T]`.
pub(super) fn add(shared: &Shared<'_>, train: &Train, residual: &[f64], sums: &mut [f64]) {
    train.segments.iter().for_each(|segment| add_segment(shared, train, segment, residual, sums));
}

fn add_segment(shared: &Shared<'_>, train: &Train, segment: &Range<usize>, residual: &[f64], sums: &mut [f64]) {
    let mut weights = [0.0; MARGIN + AT_ONCE + MARGIN];
    for part in parts::within(&train.parts, segment.clone()) {
        for start in part.samples.clone().step_by(AT_ONCE) {
            let samples = &residual[start..part.samples.end.min(start + AT_ONCE)];
            weights[MARGIN..].iter_mut().zip(samples).for_each(|(weight, &y)| *weight = sign_of(y));
            weights[MARGIN + samples.len()..].fill(0.0);
            add_run(shared, part.position_of(start), &weights[..samples.len() + 2 * MARGIN], sums);
        }
    }
}

/// Adds the windows of consecutive positions. The weights have margins of zeros.
fn add_run(shared: &Shared<'_>, position: u32, weights: &[f64], sums: &mut [f64]) {
    for (predictor, sums) in shared.of_predictors(sums) {
        windows::add_run(shared.path, sums, shared.row(predictor), shared.largest_lag(predictor), position, weights);
    }
}
