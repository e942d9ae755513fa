//! Sums over samples for all lags of a predictor: vectors over lags, in registers.
//!
//! A predictor's row is laid out by rising time, so that what a sample sees from the largest lag
//! to the smallest is a contiguous run, its *window*. Sums stand in that order, and are padded to a
//! multiple of [`ALIGNMENT`]; the lanes past the last lag sum what is there.

use pulp::{Simd, WithSimd};

use crate::vectors::Path;

/// No machine has vectors of more numbers.
const WIDEST: usize = 8;

/// Two vectors at least, so that no addition waits for the one before.
pub(super) const ALIGNMENT: usize = 2 * WIDEST;

/// Vectors of sums that one loop carries.
const VECTORS: usize = 8;

/// Zeros that weights of consecutive samples have on either side.
pub(super) const MARGIN: usize = VECTORS * WIDEST;

/// A sample that flipped: its window is added to `G`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Flip {
    pub(super) position: u32,
    /// ±2, so that its products are exact, fused or not.
    pub(super) weight: f64,
}

/// A sample near zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Near {
    pub(super) position: u32,
    /// `s`.
    pub(super) sign: f64,
    /// `|y|`.
    pub(super) magnitude: f64,
}

/// A predictor's number whose magnitude is above `K`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Large {
    pub(super) position: u32,
    pub(super) value: f64,
}

/// `sums += weight window` for each flip. The window of position `p` begins at `p - largest_lag`.
pub(super) fn add_flips(path: Path, sums: &mut [f64], row: &[f32], largest_lag: i64, flips: &[Flip]) {
    let weigh = Weigh { row, largest_lag, flips };
    path.run(Sum { sums, over: weigh });
}

/// `sums += weight window` for samples at consecutive positions from `first` on. The weights are ±1, and have
/// [`MARGIN`] zeros on either side.
///
/// A window begins a vector after another one if its sample comes as many samples later as a vector has lanes.
/// So of those samples, a vector that was loaded belongs to as many windows as there are vectors of sums, and it
/// is added to all of these at once, with the weights of as many samples.
pub(super) fn add_run(path: Path, sums: &mut [f64], row: &[f32], largest_lag: i64, first: u32, weights: &[f64]) {
    path.run(Sum { sums, over: Slide { row, start: i64::from(first) - largest_lag, weights } });
}

/// `sums += max(0, s (scale window) - |y|)` for each near sample, `scales` being `σ δ` for each lag.
pub(super) fn add_excess(path: Path, sums: &mut [f64], row: &[f32], largest_lag: i64, scales: &[f64], near: &[Near]) {
    path.run(Sum { sums, over: Exceed { row, largest_lag, scales, near } });
}

/// `sums += max(0, s scale value - |y|)` for each large number and those samples it meets that are beyond
/// `reach`. The lanes are lags, the smallest first. All samples that a number meets are trained on, and
/// stand side by side.
pub(super) fn add_beyond(
    path: Path,
    sums: &mut [f64],
    y: &[f64],
    reach: f64,
    smallest_lag: i64,
    scales: &[f64],
    large: &[Large],
) {
    path.run(Sum { sums, over: Beyond { y, reach, smallest_lag, scales, large } });
}

/// What is summed.
trait Over {
    /// Adds to the `N` vectors of sums from `first` on.
    fn add<S: Simd, const N: usize>(&self, simd: S, sums: &mut [S::f64s], first: usize);
}

struct Sum<'a, O> {
    sums: &'a mut [f64],
    over: O,
}

impl<O: Over> WithSimd for Sum<'_, O> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (mut rest, tail) = S::as_mut_simd_f64s(self.sums);
        assert!(tail.is_empty(), "sums are padded");
        let mut first = 0;
        while !rest.is_empty() {
            let vectors = if rest.len() >= VECTORS { VECTORS } else { 1 << rest.len().ilog2() };
            let (block, others) = rest.split_at_mut(vectors);
            match vectors {
                1 => self.over.add::<S, 1>(simd, block, first),
                2 => self.over.add::<S, 2>(simd, block, first),
                4 => self.over.add::<S, 4>(simd, block, first),
                _ => self.over.add::<S, VECTORS>(simd, block, first),
            }
            first += vectors * S::F64_LANES;
            rest = others;
        }
    }
}

/// The `N` vectors of a window from lane `first` on.
#[inline(always)]
fn window<S: Simd, const N: usize>(
    simd: S,
    row: &[f32],
    position: u32,
    largest_lag: i64,
    first: usize,
) -> [S::f64s; N] {
    let start = (i64::from(position) - largest_lag) as usize + first;
    let numbers = &row[start..][..N * S::F64_LANES];
    let mut vectors = [simd.splat_f64s(0.0); N];
    for (vector, numbers) in vectors.iter_mut().zip(numbers.chunks_exact(S::F64_LANES)) {
        *vector = widened::<S>(numbers);
    }
    vectors
}

/// A vector of stored numbers. Written so that it becomes one instruction.
#[inline(always)]
fn widened<S: Simd>(numbers: &[f32]) -> S::f64s {
    let mut lanes = [0.0; WIDEST];
    lanes.iter_mut().zip(&numbers[..S::F64_LANES]).for_each(|(lane, &number)| *lane = f64::from(number));
    S::as_simd_f64s(&lanes).0[0]
}

struct Weigh<'a> {
    row: &'a [f32],
    largest_lag: i64,
    flips: &'a [Flip],
}

impl Over for Weigh<'_> {
    #[inline(always)]
    fn add<S: Simd, const N: usize>(&self, simd: S, sums: &mut [S::f64s], first: usize) {
        let mut running = [simd.splat_f64s(0.0); N];
        running.copy_from_slice(sums);
        for flip in self.flips {
            let (weight, window) =
                (simd.splat_f64s(flip.weight), window::<S, N>(simd, self.row, flip.position, self.largest_lag, first));
            for n in 0..N {
                running[n] = simd.mul_add_e_f64s(weight, window[n], running[n]);
            }
        }
        sums.copy_from_slice(&running);
    }
}

struct Slide<'a> {
    row: &'a [f32],
    /// Where the window of the first sample begins.
    start: i64,
    weights: &'a [f64],
}

impl Over for Slide<'_> {
    #[inline(always)]
    fn add<S: Simd, const N: usize>(&self, simd: S, sums: &mut [S::f64s], first: usize) {
        let mut running = [simd.splat_f64s(0.0); N];
        running.copy_from_slice(sums);
        let (samples, reach) = (self.weights.len() - 2 * MARGIN, (N - 1) * S::F64_LANES);
        for phase in 0..samples.min(S::F64_LANES) {
            let vectors = (samples - phase).div_ceil(S::F64_LANES) + N - 1;
            let row = &self.row[self.start as usize + first + phase..][..vectors * S::F64_LANES];
            let weights = &self.weights[MARGIN + phase - reach..];
            let weights = weights.windows(reach + 1).step_by(S::F64_LANES);
            for (numbers, weights) in row.chunks_exact(S::F64_LANES).zip(weights) {
                let vector = widened::<S>(numbers);
                for n in 0..N {
                    let weight = simd.splat_f64s(weights[reach - n * S::F64_LANES]);
                    running[n] = simd.mul_add_e_f64s(weight, vector, running[n]);
                }
            }
        }
        sums.copy_from_slice(&running);
    }
}

struct Exceed<'a> {
    row: &'a [f32],
    largest_lag: i64,
    scales: &'a [f64],
    near: &'a [Near],
}

impl Over for Exceed<'_> {
    #[inline(always)]
    fn add<S: Simd, const N: usize>(&self, simd: S, sums: &mut [S::f64s], first: usize) {
        let zero = simd.splat_f64s(0.0);
        let (mut running, mut scales) = ([zero; N], [zero; N]);
        running.copy_from_slice(sums);
        scales.copy_from_slice(&S::as_simd_f64s(&self.scales[first..]).0[..N]);
        for near in self.near {
            let window = window::<S, N>(simd, self.row, near.position, self.largest_lag, first);
            let (sign, below) = (simd.splat_f64s(near.sign), simd.splat_f64s(-near.magnitude));
            for n in 0..N {
                // The sign is ±1, so that its product is exact, fused or not.
                let change = simd.mul_f64s(scales[n], window[n]);
                let excess = simd.max_f64s(zero, simd.mul_add_e_f64s(sign, change, below));
                running[n] = simd.add_f64s(running[n], excess);
            }
        }
        sums.copy_from_slice(&running);
    }
}

struct Beyond<'a> {
    y: &'a [f64],
    reach: f64,
    smallest_lag: i64,
    scales: &'a [f64],
    large: &'a [Large],
}

impl Over for Beyond<'_> {
    #[inline(always)]
    fn add<S: Simd, const N: usize>(&self, simd: S, sums: &mut [S::f64s], first: usize) {
        let (zero, reach) = (simd.splat_f64s(0.0), simd.splat_f64s(self.reach));
        let (mut running, mut scales) = ([zero; N], [zero; N]);
        running.copy_from_slice(sums);
        scales.copy_from_slice(&S::as_simd_f64s(&self.scales[first..]).0[..N]);
        for large in self.large {
            let start = (i64::from(large.position) + self.smallest_lag) as usize + first;
            let y = &S::as_simd_f64s(&self.y[start..][..N * S::F64_LANES]).0[..N];
            let value = simd.splat_f64s(large.value);
            for n in 0..N {
                let (change, magnitude) = (simd.mul_f64s(scales[n], value), simd.abs_f64s(y[n]));
                let towards = simd.select_f64s(simd.less_than_f64s(y[n], zero), simd.neg_f64s(change), change);
                let excess = simd.max_f64s(zero, simd.sub_f64s(towards, magnitude));
                let is_beyond = simd.less_than_f64s(reach, magnitude);
                running[n] = simd.add_f64s(running[n], simd.select_f64s(is_beyond, excess, zero));
            }
        }
        sums.copy_from_slice(&running);
    }
}
