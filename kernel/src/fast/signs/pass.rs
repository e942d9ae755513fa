//! The passes over the residual.

use pulp::{Simd, WithSimd};

use super::kept::Kept;
use crate::vectors::Path;

/// What a stretch of samples sees.
#[derive(Clone, Copy)]
pub(super) enum Sees<'a> {
    Pad(f64),
    Predictor(&'a [f64]),
}

/// How many samples are found at once.
pub(super) const CHUNK: usize = 8;

/// `y -= delta * x`, the product rounded first, as the reference does it. Appends to `found` the
/// index of the first of each [`CHUNK`] samples, counted from `first`, in which there is one that
/// is now within `near` of 0 or may have changed its sign: then it went through 0, and is no
/// farther from it than it moved. The last chunk may have fewer samples. `found` expects all chunks.
pub(super) fn update(
    path: Path,
    y: &mut [f64],
    sees: Sees<'_>,
    delta: f64,
    near: f64,
    first: usize,
    found: &mut Kept<u32>,
) {
    match sees {
        Sees::Pad(pad) => path.run(Update { y, pad, x: &[], delta, near, first, found }),
        Sees::Predictor(x) => path.run(Update { y, pad: 0.0, x, delta, near, first, found }),
    }
}

struct Update<'a> {
    y: &'a mut [f64],
    /// What the samples see, the pad if it is empty.
    x: &'a [f64],
    pad: f64,
    delta: f64,
    near: f64,
    first: usize,
    found: &'a mut Kept<u32>,
}

impl WithSimd for Update<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { y, x, pad, delta, near, first, found } = self;
        let whole = y.len() / CHUNK * CHUNK;
        let (chunks, tail) = y.split_at_mut(whole);
        let step = Step::<S> { delta: simd.splat_f64s(delta), near: simd.splat_f64s(near) };
        let starts = (first..).step_by(CHUNK);
        let mut offers = found.offers();
        if x.is_empty() {
            let pad = simd.splat_f64s(pad);
            for (start, y) in starts.zip(chunks.chunks_exact_mut(CHUNK)) {
                let mut any = false;
                for y in S::as_mut_simd_f64s(y).0 {
                    any |= step.take(simd, y, pad);
                }
                offers.offer(start as u32, any);
            }
        } else {
            for (start, (y, x)) in starts.zip(chunks.chunks_exact_mut(CHUNK).zip(x.chunks_exact(CHUNK))) {
                let mut any = false;
                for (y, &x) in S::as_mut_simd_f64s(y).0.iter_mut().zip(S::as_simd_f64s(x).0) {
                    any |= step.take(simd, y, x);
                }
                offers.offer(start as u32, any);
            }
        }
        if !tail.is_empty() {
            let x = |t: usize| if x.is_empty() { pad } else { x[t] };
            (whole..).zip(tail).for_each(|(t, y)| *y -= delta * x(t));
            offers.offer((first + whole) as u32, true);
        }
        offers.finish();
    }
}

struct Step<S: Simd> {
    delta: S::f64s,
    near: S::f64s,
}

impl<S: Simd> Step<S> {
    /// Whether one of the samples is to be looked at.
    #[inline(always)]
    fn take(&self, simd: S, y: &mut S::f64s, x: S::f64s) -> bool {
        let change = simd.mul_f64s(self.delta, x);
        *y = simd.sub_f64s(*y, change);
        let reach = simd.max_f64s(self.near, simd.abs_f64s(change));
        let reached = simd.less_than_or_equal_f64s(simd.abs_f64s(*y), reach);
        simd.first_true_m64s(reached) < S::F64_LANES
    }
}

/// The sum of magnitudes, in whatever order is fast.
pub(super) fn absolute_sum(path: Path, y: &[f64]) -> f64 {
    path.run(AbsoluteSum(y))
}

struct AbsoluteSum<'a>(&'a [f64]);

impl WithSimd for AbsoluteSum<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let (vectors, tail) = S::as_simd_f64s(self.0);
        let mut sums = [simd.splat_f64s(0.0); 8];
        let mut blocks = vectors.chunks_exact(sums.len());
        for block in &mut blocks {
            for (sum, &y) in sums.iter_mut().zip(block) {
                *sum = simd.add_f64s(*sum, simd.abs_f64s(y));
            }
        }
        for &y in blocks.remainder() {
            sums[0] = simd.add_f64s(sums[0], simd.abs_f64s(y));
        }
        let total = sums.into_iter().fold(simd.splat_f64s(0.0), |total, sum| simd.add_f64s(total, sum));
        simd.reduce_sum_f64s(total) + tail.iter().map(|y| y.abs()).sum::<f64>()
    }
}
