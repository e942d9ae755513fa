//! The passes over the residual.

use pulp::{Simd, WithSimd};

use crate::vectors::Path;

/// What a stretch of samples sees.
#[derive(Clone, Copy)]
pub(super) enum Sees<'a> {
    Pad(f64),
    Predictor(&'a [f64]),
}

/// `y -= delta * x`, the product rounded first, as the reference does it. Appends to `found` the
/// index, counted from `first`, of each sample that is now within `near` of 0 or may have changed
/// its sign: then it went through 0, and is no farther from it than it moved.
pub(super) fn update(
    path: Path,
    y: &mut [f64],
    sees: Sees<'_>,
    delta: f64,
    near: f64,
    first: usize,
    found: &mut Vec<u32>,
) {
    match sees {
        Sees::Pad(pad) => path.run(Update { y, x: |_: usize| pad, stretch: None, delta, near, first, found }),
        Sees::Predictor(x) => path.run(Update { y, x: |t| x[t], stretch: Some(x), delta, near, first, found }),
    }
}

struct Update<'a, X> {
    y: &'a mut [f64],
    /// What sample `t` of the stretch sees.
    x: X,
    /// All of it, if it is not the same everywhere.
    stretch: Option<&'a [f64]>,
    delta: f64,
    near: f64,
    first: usize,
    found: &'a mut Vec<u32>,
}

impl<X: Fn(usize) -> f64> WithSimd for Update<'_, X> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { y, x, stretch, delta, near, first, found } = self;
        let mut look = |t: usize, y: f64| {
            if y.abs() <= near.max((delta * x(t)).abs()) {
                found.push((first + t) as u32);
            }
        };
        let whole = y.len() / S::F64_LANES * S::F64_LANES;
        let (deltas, nears) = (simd.splat_f64s(delta), simd.splat_f64s(near));
        let (vectors, tail) = y.split_at_mut(whole);
        for (chunk, y) in vectors.chunks_exact_mut(S::F64_LANES).enumerate() {
            let t = chunk * S::F64_LANES;
            let x = match stretch {
                Some(x) => S::as_simd_f64s(&x[t..t + S::F64_LANES]).0[0],
                None => simd.splat_f64s(x(t)),
            };
            let change = simd.mul_f64s(deltas, x);
            let updated = &mut S::as_mut_simd_f64s(y).0[0];
            *updated = simd.sub_f64s(*updated, change);
            let reach = simd.max_f64s(nears, simd.abs_f64s(change));
            let reached = simd.less_than_or_equal_f64s(simd.abs_f64s(*updated), reach);
            if simd.first_true_m64s(reached) < S::F64_LANES {
                y.iter().enumerate().for_each(|(lane, &y)| look(t + lane, y));
            }
        }
        for (t, y) in (whole..).zip(tail) {
            *y -= delta * x(t);
            look(t, *y);
        }
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
