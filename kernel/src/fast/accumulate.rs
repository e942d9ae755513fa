//! Correlations of a signal with all predictors at all lags: sums of weighted windows.
//!
//! `sums[k] += weight(t) * window(t)[k]` over samples `t`. Weights that are 0 are left out, so that
//! a signal of impulses costs as many windows as it has impulses. Eight windows are added at once:
//! the sums, and not the windows, are what would be loaded and stored too often.
//!
//! Sums run over the samples in order, in one accumulator each, fused or not: for `m` samples the
//! result is within `(m + 2) u` times the sum of the terms' magnitudes of the exact value.

use pulp::{Simd, WithSimd};

use crate::vectors::Path;

/// How many windows are added at once.
const AT_ONCE: usize = 8;

/// Adds to `sums` the windows in `rows`, the one of sample `t` beginning at `t * stride`, times
/// `weights`, one per sample.
pub(crate) fn accumulate(
    path: Path,
    sums: &mut [f64],
    rows: &[f64],
    stride: usize,
    weights: impl Iterator<Item = f64>,
) {
    let mut pending = Pending { weights: [0.0; AT_ONCE], offsets: [0; AT_ONCE], count: 0 };
    for (sample, weight) in weights.enumerate() {
        if weight != 0.0 {
            pending.weights[pending.count] = weight;
            pending.offsets[pending.count] = sample * stride;
            pending.count += 1;
        }
        if pending.count == AT_ONCE {
            path.run(Add { sums, rows, pending: &pending });
            pending.count = 0;
        }
    }
    if pending.count > 0 {
        // What is left over adds 0 times the last window.
        pending.weights[pending.count..].fill(0.0);
        let last = pending.offsets[pending.count - 1];
        pending.offsets[pending.count..].fill(last);
        path.run(Add { sums, rows, pending: &pending });
    }
}

/// Windows to be added.
struct Pending {
    weights: [f64; AT_ONCE],
    offsets: [usize; AT_ONCE],
    count: usize,
}

struct Add<'a> {
    sums: &'a mut [f64],
    rows: &'a [f64],
    pending: &'a Pending,
}

impl WithSimd for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { sums, rows, pending } = self;
        let windows = pending.offsets.map(|offset| &rows[offset..offset + sums.len()]);
        let (heads, tails) = split(windows.map(S::as_simd_f64s));
        let (head, tail) = S::as_mut_simd_f64s(sums);
        let heads = heads.map(|window| &window[..head.len()]);
        let weights = pending.weights.map(|weight| simd.splat_f64s(weight));
        for (index, sum) in head.iter_mut().enumerate() {
            let mut total = *sum;
            for (window, &weight) in heads.iter().zip(&weights) {
                total = simd.mul_add_e_f64s(weight, window[index], total);
            }
            *sum = total;
        }
        for (index, sum) in tail.iter_mut().enumerate() {
            for (window, weight) in tails.iter().zip(pending.weights) {
                *sum += weight * window[index];
            }
        }
    }
}

#[inline(always)]
fn split<'a, V>(pairs: [(&'a [V], &'a [f64]); AT_ONCE]) -> ([&'a [V]; AT_ONCE], [&'a [f64]; AT_ONCE]) {
    (pairs.map(|(head, _)| head), pairs.map(|(_, tail)| tail))
}
