//! The passes over the residual.

use pulp::{Simd, WithSimd};

use super::kept::{Kept, Offers};
use super::lanes::{CHUNK, Found, bits};
use crate::reference::shift::Seen;
use crate::vectors::Path;

/// `y -= delta * x`, the product rounded first, as the reference does it. Appends to `found` the samples,
/// counted from `first`, that are now within `near` of 0 or may have changed their sign: such a one went
/// through 0, and is no farther from it than it moved. `found` expects as many offers as there are
/// [`CHUNK`]s, the last of which may have fewer samples. Returns the sum of the new magnitudes, in
/// whatever order is fast.
pub(super) fn update(
    path: Path,
    y: &mut [f64],
    seen: Seen<'_>,
    delta: f64,
    near: f64,
    first: usize,
    found: &mut Kept<Found>,
) -> f64 {
    match seen {
        Seen::Pad(pad) => path.run(Update { y, pad, x: &[], delta, near, first, found }),
        Seen::Predictor(x) => {
            let x = x.to_slice().expect("contiguous rows");
            path.run(Update { y, pad: 0.0, x, delta, near, first, found })
        }
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
    found: &'a mut Kept<Found>,
}

impl WithSimd for Update<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let Self { y, x, pad, delta, near, first, found } = self;
        let whole = y.len() / CHUNK * CHUNK;
        let (chunks, tail) = y.split_at_mut(whole);
        let mut step = Step::<S> {
            delta: simd.splat_f64s(delta),
            near: simd.splat_f64s(near),
            sums: [simd.splat_f64s(0.0); UNROLLED],
        };
        let y = S::as_mut_simd_f64s(chunks).0;
        let mut offers = found.offers();
        if x.is_empty() {
            let pad = simd.splat_f64s(pad);
            step.take_all(simd, y, |_| pad, first, &mut offers);
        } else {
            let x = &S::as_simd_f64s(&x[..whole]).0[..y.len()];
            step.take_all(simd, y, |vector| x[vector], first, &mut offers);
        }
        let mut sum = step.sums.into_iter().map(|sum| simd.reduce_sum_f64s(sum)).sum();
        if !tail.is_empty() {
            let x = |t: usize| if x.is_empty() { pad } else { x[t] };
            let mut lanes = 0;
            for (lane, y) in tail.iter_mut().enumerate() {
                let change = delta * x(whole + lane);
                *y -= change;
                sum += y.abs();
                lanes |= u8::from(y.abs() <= near.max(change.abs())) << lane;
            }
            offers.offer(Found { first: (first + whole) as u32, lanes }, true);
        }
        offers.finish();
        sum
    }
}

/// Chunks with a running sum each, so that no addition waits for the one before.
const UNROLLED: usize = 4;

struct Step<S: Simd> {
    delta: S::f64s,
    near: S::f64s,
    sums: [S::f64s; UNROLLED],
}

impl<S: Simd> Step<S> {
    /// Takes the step at whole chunks, the first sample of which is `first`. `x` is what a vector sees.
    #[inline(always)]
    fn take_all(
        &mut self,
        simd: S,
        y: &mut [S::f64s],
        x: impl Fn(usize) -> S::f64s,
        first: usize,
        offers: &mut Offers<'_, Found>,
    ) {
        let vectors = CHUNK / S::F64_LANES;
        let (mut start, mut vector) = (first as u32, 0);
        for block in y.chunks_mut(UNROLLED * vectors) {
            for (n, chunk) in block.chunks_exact_mut(vectors).enumerate() {
                let mut lanes = 0;
                for (position, y) in chunk.iter_mut().enumerate() {
                    lanes |= self.take(simd, y, x(vector), n) << (position * S::F64_LANES);
                    vector += 1;
                }
                offers.offer(Found { first: start, lanes: lanes as u8 }, lanes != 0);
                start += CHUNK as u32;
            }
        }
    }

    /// Which of the samples are to be looked at, as bits.
    #[inline(always)]
    fn take(&mut self, simd: S, y: &mut S::f64s, x: S::f64s, n: usize) -> u32 {
        let change = simd.mul_f64s(self.delta, x);
        *y = simd.sub_f64s(*y, change);
        let magnitude = simd.abs_f64s(*y);
        self.sums[n] = simd.add_f64s(self.sums[n], magnitude);
        let reached = simd.less_than_or_equal_f64s(magnitude, simd.max_f64s(self.near, simd.abs_f64s(change)));
        bits::<S>(&reached)
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
