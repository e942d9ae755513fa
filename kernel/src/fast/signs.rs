//! The l1 engine: options judged by their sums of signs.
//!
//! For an option with predictor `v` (shifted by its lag, pads included), a residual `y` whose sign
//! is `s` (+1 at 0), and a step `σ δ` with `σ = ±1`, over the training samples,
//!
//! ```text
//! e(σ) = Σ |y - σ δ v| = E - σ δ G + 2 R(σ)
//! E = Σ |y|,   G = Σ s v,   R(σ) = Σ max(0, σ s δ v - |y|)
//! ```
//!
//! Per sample: with `w = σ s δ v`, `|y - σ δ v|` is `||y| - w|`, which is `|y| - w`, plus
//! `2 (w - |y|)` where that is above 0. So `E - δ |G|` is a lower bound of both errors, and stays
//! one with any part of the terms of `R`, all of which are at least 0.
//!
//! `G` changes where a sign flips, a few samples in a thousand per step, and is carried along. `R`
//! has terms where `|y| < δ |v|`: at the samples that are *near* zero, `|y| <= K δ`, for which a
//! list is kept, and where `|v| > K`, for which there is a list per predictor, made once. `K` is
//! chosen so that the latter are few.
//!
//! A step then goes like this:
//!
//! 1. The option with the largest `|G|` is evaluated completely, with the lags beside it. The smallest
//!    of their errors is a threshold.
//! 2. Options whose `E - δ |G|` is above the threshold are out.
//! 3. Options that are out once the terms of the *nearest* samples, `|y| <= K δ / 4`, are added, are
//!    out. These terms are summed with vectors over the lags of a predictor.
//! 4. The others are evaluated completely, the most promising first, each lowering the threshold; they,
//!    too, in vectors with the lags beside them, which cost no more than one alone.
//! 5. If one is left, it is the reference's choice. If several are, they are computed in the
//!    reference's arithmetic.
//!
//! What `a` is above `b` means is in [`bound`]. The residual itself is kept by the reference's
//! arithmetic, so that nothing about it is uncertain: the pass over it ([`pass`]) finds flips and
//! near samples on the way ([`lanes`]), in lists that grow without branching ([`kept`], [`near`]), and sums
//! the errors of training and validation segments by [`parts`]. [`windows`] are the sums over samples,
//! [`shared`] is what the fits of a call share, [`first`] what those of a signal do, [`engine`] puts it
//! together.
//!
//! A fit of many predictors waits for memory: the windows of a step's flips are spread over rows that no
//! cache near the processor holds. So rows are stored in single precision, whose rounding the bound
//! allows for, and sums over them are in double precision.
//!
//! Nothing of this fails where it does not pay; it only takes time: with a large `δ` many samples are
//! near and many flip, up to all of them, which costs about what a sweep of all options does.

mod bound;
mod engine;
mod first;
mod kept;
mod lanes;
mod near;
mod parts;
mod pass;
mod shared;
#[cfg(test)]
mod tests;
mod windows;

pub(crate) use engine::Signs;
pub(crate) use first::FirstSums;
pub(crate) use shared::Shared;

/// `s`: 1 at 0.
#[inline(always)]
fn sign_of(number: f64) -> f64 {
    if number < 0.0 { -1.0 } else { 1.0 }
}
