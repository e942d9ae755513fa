//! The loops over the samples of a segment, one lane per lag.

use std::marker::PhantomData;

use pulp::{Simd, WithSimd};

use crate::measure::{Absolute, Square};
use crate::{Error, memory};

/// Vectors of lags that one loop carries: enough running sums that no addition waits for the one
/// before it, and few enough that they stay in sixteen registers.
const VECTORS: usize = 4;

/// The most lanes of a block. No machine has vectors of more than eight numbers.
pub(super) const MAX_BLOCK: usize = VECTORS * 8;

/// The two sums of each lag on one side of 0, by rising distance from it.
#[derive(Default)]
pub(super) struct Sums {
    /// The distance of the first lag.
    nearest: u64,
    add: Vec<f64>,
    subtract: Vec<f64>,
}

impl Sums {
    /// Starts again, for `count` lags from the distance `nearest` on.
    pub(super) fn clear(&mut self, nearest: u64, count: u64) -> Result<(), Error> {
        let count = usize::try_from(count).map_err(|_| Error::OutOfMemory { bytes: u64::MAX })?;
        self.nearest = nearest;
        for sums in [&mut self.add, &mut self.subtract] {
            memory::clear(sums, count)?;
            sums.resize(count, 0.0);
        }
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.add.is_empty()
    }

    /// The distance of the last lag.
    pub(super) fn farthest(&self) -> u64 {
        self.nearest.saturating_add(self.add.len() as u64)
    }

    /// The errors after adding and after subtracting.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (f64, f64)> {
        self.add.iter().copied().zip(self.subtract.iter().copied())
    }
}

/// Which side of 0 the lags are on.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Direction {
    Earlier,
    Later,
}

/// One segment, to be added to the sums of the lags on one side of 0.
pub(super) struct Pass<'a> {
    pub(super) direction: Direction,
    pub(super) sums: &'a mut Sums,
    /// What is the same for all lanes: `delta` times the predictor in the segment for lags below 0,
    /// else the residual.
    pub(super) forwards: &'a [f64],
    /// What slides: the other of the two.
    pub(super) backwards: &'a [f64],
    /// `delta` times the pad.
    pub(super) pad: f64,
}

impl<'a> Pass<'a> {
    /// This pass, for one measure.
    pub(super) fn of<M: VectorMeasure>(self) -> PassOf<'a, M> {
        PassOf { pass: self, measure: PhantomData }
    }
}

pub(super) struct PassOf<'a, M> {
    pass: Pass<'a>,
    measure: PhantomData<M>,
}

/// What a vector of samples adds to an error.
pub(super) trait VectorMeasure {
    fn of<S: Simd>(simd: S, residual: S::f64s) -> S::f64s;
}

impl VectorMeasure for Absolute {
    #[inline(always)]
    fn of<S: Simd>(simd: S, residual: S::f64s) -> S::f64s {
        simd.abs_f64s(residual)
    }
}

impl VectorMeasure for Square {
    #[inline(always)]
    fn of<S: Simd>(simd: S, residual: S::f64s) -> S::f64s {
        simd.mul_f64s(residual, residual)
    }
}

impl<M: VectorMeasure> WithSimd for PassOf<'_, M> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Pass { direction, sums, forwards, backwards, pad } = self.pass;
        let Sums { nearest, add, subtract } = sums;
        // Lags of the length of the segment or more see the pad alone.
        let within = (forwards.len() as u64).saturating_sub(*nearest).min(add.len() as u64) as usize;
        let mut first = 0;
        while first < add.len() {
            let end = if first < within { within } else { add.len() };
            let vectors = (end - first).div_ceil(S::F64_LANES).min(VECTORS);
            let end = end.min(first + vectors * S::F64_LANES);
            let lags = Lags {
                add: &mut add[first..end],
                subtract: &mut subtract[first..end],
                nearest: *nearest as usize + first,
                beyond: first >= within,
            };
            match vectors {
                1 => block::<S, M, 1>(simd, lags, direction, forwards, backwards, pad),
                2 => block::<S, M, 2>(simd, lags, direction, forwards, backwards, pad),
                3 => block::<S, M, 3>(simd, lags, direction, forwards, backwards, pad),
                _ => block::<S, M, VECTORS>(simd, lags, direction, forwards, backwards, pad),
            }
            first = end;
        }
    }
}

/// The lags of one block.
struct Lags<'a> {
    add: &'a mut [f64],
    subtract: &'a mut [f64],
    /// The distance of the first.
    nearest: usize,
    /// Whether they are at least as long as the segment.
    beyond: bool,
}

/// The sums of a block, in registers.
struct Running<S: Simd, const N: usize> {
    add: [S::f64s; N],
    subtract: [S::f64s; N],
}

impl<S: Simd, const N: usize> Running<S, N> {
    #[inline(always)]
    fn load(simd: S, lags: &Lags<'_>) -> Self {
        let (mut add, mut subtract) = ([simd.splat_f64s(0.0); N], [simd.splat_f64s(0.0); N]);
        for (n, (a, s)) in chunks::<S>(lags.add).zip(chunks::<S>(lags.subtract)).enumerate().take(N) {
            add[n] = simd.partial_load_f64s(a);
            subtract[n] = simd.partial_load_f64s(s);
        }
        Self { add, subtract }
    }

    /// Lanes past the last lag are dropped.
    #[inline(always)]
    fn store(self, simd: S, lags: Lags<'_>) {
        let pairs = lags.add.chunks_mut(S::F64_LANES).zip(lags.subtract.chunks_mut(S::F64_LANES));
        for (n, (add, subtract)) in pairs.enumerate().take(N) {
            simd.partial_store_f64s(add, self.add[n]);
            simd.partial_store_f64s(subtract, self.subtract[n]);
        }
    }

    /// One sample of each lag.
    #[inline(always)]
    fn sample<M: VectorMeasure>(&mut self, simd: S, n: usize, y: S::f64s, d: S::f64s) {
        self.add[n] = simd.add_f64s(self.add[n], M::of(simd, simd.sub_f64s(y, d)));
        self.subtract[n] = simd.add_f64s(self.subtract[n], M::of(simd, simd.add_f64s(y, d)));
    }

    /// A segment whose samples all see the pad.
    #[inline(always)]
    fn see_pad<'a, M: VectorMeasure>(&mut self, simd: S, y: impl Iterator<Item = &'a f64>, pad: f64) {
        let pad = simd.splat_f64s(pad);
        for &y in y {
            let y = simd.splat_f64s(y);
            for n in 0..N {
                self.sample::<M>(simd, n, y, pad);
            }
        }
    }
}

#[inline(always)]
fn chunks<S: Simd>(lanes: &[f64]) -> std::slice::Chunks<'_, f64> {
    lanes.chunks(S::F64_LANES)
}

/// All samples of the segment, for one block of lags.
#[inline(always)]
fn block<S: Simd, M: VectorMeasure, const N: usize>(
    simd: S,
    lags: Lags<'_>,
    direction: Direction,
    forwards: &[f64],
    backwards: &[f64],
    pad: f64,
) {
    let width = N * S::F64_LANES;
    let mut running = Running::<S, N>::load(simd, &lags);
    let sliding = |nearest: usize| backwards[nearest..][..forwards.len() - 1 + width].windows(width).rev();
    match direction {
        Direction::Earlier if lags.beyond => {
            running.see_pad::<M>(simd, backwards[..forwards.len()].iter().rev(), pad);
        }
        Direction::Later if lags.beyond => running.see_pad::<M>(simd, forwards.iter(), pad),
        Direction::Later => {
            for (&y, d) in forwards.iter().zip(sliding(lags.nearest)) {
                let y = simd.splat_f64s(y);
                for (n, &d) in vectors::<S, N>(d).iter().enumerate() {
                    running.sample::<M>(simd, n, y, d);
                }
            }
        }
        Direction::Earlier => {
            let mut sliding = sliding(lags.nearest);
            // Up to here some lane sees the pad.
            let (start, rest) = forwards.split_at(forwards.len().min(lags.nearest + width));
            let distances = distances::<S, N>(simd, lags.nearest);
            let pad = simd.splat_f64s(pad);
            for (j, (&d, y)) in start.iter().zip(sliding.by_ref()).enumerate() {
                let (j, d) = (simd.splat_f64s(j as f64), simd.splat_f64s(d));
                for (n, (&y, &distance)) in vectors::<S, N>(y).iter().zip(&distances).enumerate() {
                    let sees_pad = simd.less_than_f64s(j, distance);
                    running.sample::<M>(simd, n, y, simd.select_f64s(sees_pad, pad, d));
                }
            }
            for (&d, y) in rest.iter().zip(sliding) {
                let d = simd.splat_f64s(d);
                for (n, &y) in vectors::<S, N>(y).iter().enumerate() {
                    running.sample::<M>(simd, n, y, d);
                }
            }
        }
    }
    running.store(simd, lags);
}

/// The numbers of a block's lanes.
#[inline(always)]
fn vectors<S: Simd, const N: usize>(lanes: &[f64]) -> &[S::f64s; N] {
    S::as_simd_f64s(lanes).0.first_chunk().expect("a window is as wide as its block")
}

/// The distance of each lane. Exact: a segment has fewer than 2^53 samples.
#[inline(always)]
fn distances<S: Simd, const N: usize>(simd: S, nearest: usize) -> [S::f64s; N] {
    let mut distances = [simd.splat_f64s(0.0); N];
    for (n, vector) in distances.iter_mut().enumerate() {
        let mut lanes = [0.0; 8];
        for (lane, distance) in lanes.iter_mut().enumerate() {
            *distance = (nearest + n * S::F64_LANES + lane) as f64;
        }
        *vector = S::as_simd_f64s(&lanes).0[0];
    }
    distances
}
