//! Long sums by way of spectra.
//!
//! All long sums of all pairs of predictors (see [`gram`](super::gram)) are correlations of signals
//! of the segments' length at few lags. A block of `B` samples of one predictor, followed by zeros,
//! and the `B + 2 (L - 1)` samples of the other that it meets are transformed, conjugated,
//! multiplied, and added up over all blocks of all segments; one inverse transform then gives the
//! sums of a pair.
//!
//! **Rounding.** With `ε` the relative error of a transform ([`fourier`](crate::fast::fourier)), and
//! `w` and `a` two blocks of such a pair, each transformed together with its neighbour as the
//! imaginary part: the product of spectra is off by at most `(2 ε + 4 u)` times `|W| |A|`, and the
//! sum over `k` blocks by `k u` more. By Cauchy, Schwarz and Parseval this makes `(2 ε + (k + 4) u)
//! Σ ‖w‖ ‖a‖` in each of the results. The inverse adds `ε` times the 2-norm of what it makes, which
//! is at most `√N Σ ‖w‖ ‖a‖`. Blocks `w` do not overlap and blocks `a` do so at most twice, `N`
//! being twice `2 (L - 1)` or more, whence `Σ ‖w‖ ‖a‖ ≤ √2 R R_u`. [`Spectra::terms`] is all of this
//! in units of `u`.

use std::ops::Range;

use pulp::{Simd, WithSimd};

use super::section::{Basis, List};
use crate::fast::fourier::{ERROR_PER_STAGE, Fourier, LANES, Signals};
use crate::team::Ask;
use crate::{Error, memory};

/// Blocks whose spectra are made before products are added: sums, which there are many of, are then
/// loaded and stored once for so many products.
const BLOCKS: usize = 8;

/// Bytes of sums of products that are made at once, by all threads together.
const MOST_MEMORY: usize = 64 << 20;

/// How long sums are computed for one list.
pub(super) struct Spectra {
    fourier: Fourier,
    length: usize,
    /// Section and samples of each block.
    blocks: Vec<Block>,
}

struct Block {
    section: usize,
    start: i64,
    end: i64,
}

/// Spectra of all predictors for [`BLOCKS`] blocks: `[N / 2 + 1, BLOCKS, n]`, with `n` rounded up to
/// a multiple of [`LANES`].
struct Batch {
    real: Vec<f64>,
    imaginary: Vec<f64>,
}

impl Spectra {
    pub(super) fn new(basis: &Basis<'_>, list: &List) -> Result<Self, Error> {
        let width = basis.reach.lags().count();
        let length = (8 * width).next_power_of_two();
        let mut blocks = Vec::new();
        for (section, of) in list.sections.iter().enumerate().filter(|(_, section)| !section.is_short(basis)) {
            let range = of.range();
            for start in range.clone().step_by(length - 2 * (width - 1)) {
                let end = range.end.min(start + (length - 2 * (width - 1)) as i64);
                memory::push(&mut blocks, Block { section, start, end })?;
            }
        }
        Ok(Self { fourier: Fourier::new(length)?, length, blocks })
    }

    /// The rounding of the sums, in units of `u` times the norms of the two predictors.
    pub(super) fn terms(basis: &Basis<'_>, samples: usize, sections: usize) -> usize {
        let length = (8 * basis.reach.lags().count()).next_power_of_two();
        let transform = ERROR_PER_STAGE * length.ilog2() as usize;
        let blocks = samples.div_ceil(length / 2) + sections;
        // √2 < 3 / 2.
        (2 * transform + blocks + 4 + transform * (length.isqrt() + 1)) * 3 / 2
    }

    /// Whether the spectra of all pairs of predictors fit in memory that one can ask for.
    pub(super) fn is_small(&self, count: usize) -> bool {
        self.memory(count) <= MOST_MEMORY
    }

    /// Bytes of the sums of products of spectra.
    fn memory(&self, count: usize) -> usize {
        2 * (self.length / 2 + 1) * count * count.next_multiple_of(LANES) * size_of::<f64>()
    }

    /// The vector operations of eight lanes that all long sums take.
    pub(super) fn cost(&self, count: usize) -> usize {
        let groups = count.div_ceil(LANES);
        let transform = self.length / 2 * self.length.ilog2() as usize * 10;
        self.blocks.len() * groups * (transform + self.length * 2 * count) + groups * count * transform
    }

    /// The long sums of every predictor with every other: for each predictor `j`, one row for each
    /// difference of lags, from the largest on, each of all predictors `i`.
    pub(super) fn long_sums(&self, basis: &Basis<'_>, list: &List, ask: &mut Ask<'_>) -> Result<Vec<Vec<f64>>, Error> {
        let count = basis.pads.len();
        let batches = self.blocks.len().div_ceil(BLOCKS);
        let most = (MOST_MEMORY / self.memory(count).max(1)).max(1);
        let parts = basis.team.divide(batches, most, ask, |part, ask| self.products(basis, list, part, ask))?;
        let sums = parts.into_iter().reduce(|mut sums, part| {
            sums.add(&part);
            sums
        });
        let sums = sums.expect("there is always a part");
        let found = basis.team.divide(count, count, ask, |part, ask| {
            let mut signals = Signals::new(self.length)?;
            let mut found = memory::with_capacity(part.len())?;
            for predictor in part {
                found.push(self.sums_of(basis, &sums, predictor, &mut signals)?);
                ask()?;
            }
            Ok(found)
        })?;
        let mut all = memory::with_capacity(count)?;
        all.extend(found.into_iter().flatten());
        Ok(all)
    }

    /// The products of the spectra of all pairs of predictors, added up over some batches of blocks.
    fn products(
        &self,
        basis: &Basis<'_>,
        list: &List,
        batches: Range<usize>,
        ask: &mut Ask<'_>,
    ) -> Result<Batch, Error> {
        let count = basis.pads.len();
        let lanes = count.next_multiple_of(LANES);
        let frequencies = self.length / 2 + 1;
        let mut sums = Batch::new(frequencies * count * lanes)?;
        let mut weights = Batch::new(frequencies * BLOCKS * lanes)?;
        let mut windows = Batch::new(frequencies * BLOCKS * lanes)?;
        let mut signals = Signals::new(self.length)?;
        for blocks in self.blocks.chunks(BLOCKS).skip(batches.start).take(batches.len()) {
            for slot in 0..BLOCKS / 2 {
                let pair = [blocks.get(2 * slot), blocks.get(2 * slot + 1)];
                for first in (0..count).step_by(LANES) {
                    let place = Place { first: 2 * slot * lanes + first, lanes };
                    for (block, part) in pair.into_iter().zip([&mut signals.real, &mut signals.imaginary]) {
                        lay(part, |part| block.map_or(0, |block| block.weights(basis, first, part)));
                    }
                    self.transform(basis, &mut signals, place, &mut weights);
                    for (block, part) in pair.into_iter().zip([&mut signals.real, &mut signals.imaginary]) {
                        lay(part, |part| block.map_or(0, |block| block.windows(basis, list, first, part)));
                    }
                    self.transform(basis, &mut signals, place, &mut windows);
                }
            }
            basis.path.run(AddProducts { sums: &mut sums, weights: &weights, windows: &windows, count, lanes });
            ask()?;
        }
        Ok(sums)
    }

    /// Transforms two blocks at a time, one as the real and one as the imaginary part, and takes
    /// their spectra apart: those of real signals are even in the one part, odd in the other.
    fn transform(&self, basis: &Basis<'_>, signals: &mut Signals, place: Place, batch: &mut Batch) {
        self.fourier.forward(basis.path, signals);
        basis.path.run(TakeApart { fourier: &self.fourier, length: self.length, signals, place, batch });
    }

    /// The long sums of one predictor, from the spectra of all.
    fn sums_of(
        &self,
        basis: &Basis<'_>,
        sums: &Batch,
        predictor: usize,
        signals: &mut Signals,
    ) -> Result<Vec<f64>, Error> {
        let count = basis.pads.len();
        let lanes = count.next_multiple_of(LANES);
        let rows = basis.reach.differences().count();
        let mut found = memory::filled(rows * count, 0.0)?;
        let scale = 1.0 / self.length as f64; // a power of 2
        for first in (0..count).step_by(LANES) {
            for frequency in 0..self.length {
                let mirrored = frequency.min(self.length - frequency);
                let sign = if mirrored == frequency { 1.0 } else { -1.0 };
                let from = (mirrored * count + predictor) * lanes + first;
                let to = self.fourier.place(frequency) * LANES;
                signals.real[to..to + LANES].copy_from_slice(&sums.real[from..from + LANES]);
                let imaginary = signals.imaginary[to..to + LANES].iter_mut().zip(&sums.imaginary[from..from + LANES]);
                imaginary.for_each(|(to, from)| *to = sign * from);
            }
            self.fourier.inverse(basis.path, signals);
            let inside = LANES.min(count - first);
            for (row, found) in signals.real.chunks(LANES).zip(found.chunks_mut(count)) {
                let found = found[first..first + inside].iter_mut();
                found.zip(row).for_each(|(found, value)| *found = scale * value);
            }
        }
        Ok(found)
    }
}

/// Where the spectra of a pair of blocks go in a batch: at `first` in the rows of `lanes` numbers of
/// the one block, and in those of the next.
#[derive(Clone, Copy)]
struct Place {
    first: usize,
    lanes: usize,
}

/// Has the first rows of a signal written, and clears the rest of it. Lanes without a predictor keep
/// what they hold: nothing is read from them.
fn lay(part: &mut [f64], write: impl FnOnce(&mut [f64]) -> usize) {
    let rows = write(part);
    part[rows * LANES..].fill(0.0);
}

impl Block {
    /// Writes the block of the predictors from `first` on, one per lane. Returns the number of rows.
    fn weights(&self, basis: &Basis<'_>, first: usize, part: &mut [f64]) -> usize {
        let rows = basis.packed.rows(self.start as usize..self.end as usize);
        copy_lanes(rows, basis.pads.len(), first, part);
        (self.end - self.start) as usize
    }

    /// Writes what the block meets of the predictors from `first` on. Returns the number of rows.
    fn windows(&self, basis: &Basis<'_>, list: &List, first: usize, part: &mut [f64]) -> usize {
        let (count, differences) = (basis.pads.len(), basis.reach.differences());
        let section = &list.sections[self.section];
        let rows = (self.end - self.start) as usize + differences.clone().count() - 1;
        basis.padded(section).windows(&basis.packed, self.start..self.end, &differences, |samples, rows| {
            let part = &mut part[(samples.start - self.start) as usize * LANES..];
            copy_lanes(rows, count, first, part);
        });
        rows
    }
}

/// Copies up to eight predictors, from `first` on, of rows of `count`.
fn copy_lanes(rows: &[f64], count: usize, first: usize, part: &mut [f64]) {
    let inside = LANES.min(count - first);
    let pairs = rows.chunks_exact(count).zip(part.chunks_exact_mut(LANES));
    if inside == LANES {
        // Of a length that the compiler knows: a copy without a call.
        let whole = |row: &[f64]| -> [f64; LANES] { row[first..first + LANES].try_into().expect("eight predictors") };
        return pairs.for_each(|(row, lanes)| lanes.copy_from_slice(&whole(row)));
    }
    for (row, lanes) in pairs {
        lanes[..inside].copy_from_slice(&row[first..first + inside]);
    }
}

impl Batch {
    fn new(length: usize) -> Result<Self, Error> {
        Ok(Self { real: memory::filled(length, 0.0)?, imaginary: memory::filled(length, 0.0)? })
    }

    fn add(&mut self, other: &Self) {
        self.real.iter_mut().zip(&other.real).for_each(|(sum, other)| *sum += other);
        self.imaginary.iter_mut().zip(&other.imaginary).for_each(|(sum, other)| *sum += other);
    }
}

/// Takes the spectra of two real signals apart.
struct TakeApart<'a> {
    fourier: &'a Fourier,
    length: usize,
    signals: &'a Signals,
    place: Place,
    batch: &'a mut Batch,
}

impl WithSimd for TakeApart<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { fourier, length, signals, place: Place { first, lanes }, batch } = self;
        let row = LANES / S::F64_LANES;
        let (real, _) = S::as_simd_f64s(&signals.real);
        let (imaginary, _) = S::as_simd_f64s(&signals.imaginary);
        let half = simd.splat_f64s(0.5);
        for frequency in 0..=length / 2 {
            let (one, other) = (fourier.place(frequency) * row, fourier.place((length - frequency) % length) * row);
            let start = frequency * BLOCKS * lanes + first;
            let (batch_real, _) = S::as_mut_simd_f64s(&mut batch.real[start..start + lanes + LANES]);
            let (batch_imaginary, _) = S::as_mut_simd_f64s(&mut batch.imaginary[start..start + lanes + LANES]);
            let next = lanes / S::F64_LANES;
            for vector in 0..row {
                let (a, b) = (real[one + vector], imaginary[one + vector]);
                let (a_mirrored, b_mirrored) = (real[other + vector], imaginary[other + vector]);
                batch_real[vector] = simd.mul_f64s(half, simd.add_f64s(a, a_mirrored));
                batch_imaginary[vector] = simd.mul_f64s(half, simd.sub_f64s(b, b_mirrored));
                batch_real[next + vector] = simd.mul_f64s(half, simd.add_f64s(b, b_mirrored));
                batch_imaginary[next + vector] = simd.mul_f64s(half, simd.sub_f64s(a_mirrored, a));
            }
        }
    }
}

/// Adds, for each frequency and pair of predictors, the products of a batch of blocks.
struct AddProducts<'a> {
    /// `[N / 2 + 1, n, n]`: conjugated predictor, other predictor.
    sums: &'a mut Batch,
    weights: &'a Batch,
    windows: &'a Batch,
    count: usize,
    lanes: usize,
}

impl WithSimd for AddProducts<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { sums, weights, windows, count, lanes } = self;
        let frequencies = sums.real.chunks_exact_mut(count * lanes).zip(sums.imaginary.chunks_exact_mut(count * lanes));
        for (frequency, (real, imaginary)) in frequencies.enumerate() {
            let range = frequency * BLOCKS * lanes..(frequency + 1) * BLOCKS * lanes;
            let (weights_real, weights_imaginary) = (&weights.real[range.clone()], &weights.imaginary[range.clone()]);
            let (windows_real, _) = S::as_simd_f64s(&windows.real[range.clone()]);
            let (windows_imaginary, _) = S::as_simd_f64s(&windows.imaginary[range]);
            let vectors = lanes / S::F64_LANES;
            let rows = real.chunks_exact_mut(lanes).zip(imaginary.chunks_exact_mut(lanes));
            for (predictor, (real, imaginary)) in rows.enumerate() {
                let (real, _) = S::as_mut_simd_f64s(real);
                let (imaginary, _) = S::as_mut_simd_f64s(imaginary);
                let factors: [_; BLOCKS] = std::array::from_fn(|block| {
                    let index = block * lanes + predictor;
                    (simd.splat_f64s(weights_real[index]), simd.splat_f64s(weights_imaginary[index]))
                });
                for (vector, (real, imaginary)) in real.iter_mut().zip(imaginary).enumerate() {
                    for (block, &(factor_real, factor_imaginary)) in factors.iter().enumerate() {
                        let index = block * vectors + vector;
                        let (a, b) = (windows_real[index], windows_imaginary[index]);
                        let sum = simd.mul_add_e_f64s(factor_real, a, *real);
                        *real = simd.mul_add_e_f64s(factor_imaginary, b, sum);
                        let sum = simd.mul_add_e_f64s(factor_real, b, *imaginary);
                        *imaginary = simd.negate_mul_add_e_f64s(factor_imaginary, a, sum);
                    }
                }
            }
        }
    }
}
