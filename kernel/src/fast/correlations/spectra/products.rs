//! Products of spectra, for one of each two orders of a pair of predictors.
//!
//! Vectors have one predictor per lane. Predictor `j` is paired with predictor `j + s`, counted
//! around, for shifts `s` from 0 to half of the number of predictors, which is every pair once (for an
//! even number those of the largest shift twice). The other predictors of the lanes of a vector are then
//! eight consecutive numbers, if a row of predictors goes on with its beginning.
//!
//! A signal that correlations are wanted of is one more row of numbers: itself with each predictor.
//!
//! Frequency by frequency, the spectra of a batch of blocks are brought together from where the
//! transforms left them, and each sum is loaded and stored once for all blocks of the batch.

use pulp::{Simd, WithSimd};

use crate::fast::fourier::{Fourier, LANES, Signals};
use crate::vectors::Path;
use crate::{Error, memory};

/// Blocks whose spectra are made before products are added.
pub(super) const BLOCKS: usize = 8;

/// The pairs of so many predictors, `[shift, predictor]`, the latter up to a multiple of [`LANES`], and
/// if there is a signal, its pairs with each, `[predictor]`.
#[derive(Clone, Copy)]
pub(super) struct Pairs {
    count: usize,
    signal: bool,
}

impl Pairs {
    pub(super) fn of(count: usize) -> Self {
        Self { count, signal: false }
    }

    pub(super) fn and_signal(self, signal: bool) -> Self {
        Self { signal, ..self }
    }

    /// The number of vectors of eight predictors.
    pub(super) fn groups(self) -> usize {
        self.count.div_ceil(LANES)
    }

    fn shifts(self) -> usize {
        self.count / 2 + 1
    }

    /// How many numbers there are at a frequency.
    pub(super) fn numbers(self) -> usize {
        (self.shifts() + usize::from(self.signal)) * self.groups() * LANES
    }

    /// What eight of the numbers are, without those of lanes that have no predictor.
    pub(super) fn of_vector(self, vector: usize) -> impl Iterator<Item = Pair> {
        let (row, first) = (vector / self.groups(), vector % self.groups() * LANES);
        (first..self.count.min(first + LANES)).map(move |predictor| match row < self.shifts() {
            true => Pair::Predictors(predictor, (predictor + row) % self.count),
            false => Pair::Signal(predictor),
        })
    }
}

/// Whose product a number is.
pub(super) enum Pair {
    /// Of two predictors, the first being conjugated.
    Predictors(usize, usize),
    /// Of the signal, which is conjugated, and a predictor.
    Signal(usize),
}

/// The spectra of all predictors for [`BLOCKS`] blocks, two to a complex signal.
pub(super) struct Batch {
    /// `[BLOCKS / 2, groups]`: of blocks, and of what they meet.
    weights: Vec<Signals>,
    met: Vec<Signals>,
    /// The blocks of the signal, one of these signals per lane.
    pub(super) signal: Option<Signals>,
    row: Row,
}

impl Batch {
    pub(super) fn new(pairs: Pairs, length: usize) -> Result<Self, Error> {
        let signals = || memory::all_of((0..BLOCKS / 2 * pairs.groups()).map(|_| Signals::new(length)));
        let signal = if pairs.signal { Some(Signals::new(length)?) } else { None };
        Ok(Self { weights: signals()?, met: signals()?, signal, row: Row::new(pairs)? })
    }

    /// What is to be transformed: `[BLOCKS / 2, groups]`.
    pub(super) fn signals(&mut self) -> impl Iterator<Item = (&mut Signals, &mut Signals)> {
        self.weights.iter_mut().zip(&mut self.met)
    }
}

/// What blocks meet, at one frequency and the mirrored one of [`BLOCKS`] / 2 signals: in each of
/// [`BLOCKS`] rows all predictors, and from `count` on the first half of them again.
struct Row {
    real: Vec<f64>,
    imaginary: Vec<f64>,
    stride: usize,
}

impl Row {
    fn new(pairs: Pairs) -> Result<Self, Error> {
        let stride = (pairs.groups() + (pairs.count / 2).div_ceil(LANES)) * LANES;
        let numbers = || memory::filled(BLOCKS * stride, 0.0);
        Ok(Self { real: numbers()?, imaginary: numbers()?, stride })
    }
}

/// For each frequency up to half the length, twice the sums of the products of pairs.
pub(super) struct Sums {
    pairs: Pairs,
    /// `[N / 2 + 1, pairs]`.
    real: Vec<f64>,
    imaginary: Vec<f64>,
}

impl Sums {
    pub(super) fn new(pairs: Pairs, length: usize) -> Result<Self, Error> {
        let numbers = || memory::filled((length / 2 + 1) * pairs.numbers(), 0.0);
        Ok(Self { pairs, real: numbers()?, imaginary: numbers()? })
    }

    pub(super) fn pairs(&self) -> Pairs {
        self.pairs
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.real.iter_mut().zip(&other.real).for_each(|(sum, other)| *sum += other);
        self.imaginary.iter_mut().zip(&other.imaginary).for_each(|(sum, other)| *sum += other);
    }

    /// Eight numbers at a frequency.
    pub(super) fn of(&self, frequency: usize, vector: usize) -> (&[f64], &[f64]) {
        let start = frequency * self.pairs.numbers() + vector * LANES;
        (&self.real[start..start + LANES], &self.imaginary[start..start + LANES])
    }

    /// Adds the products of a batch whose signals were transformed.
    pub(super) fn add_products(&mut self, path: Path, fourier: &Fourier, batch: &mut Batch) {
        path.run(AddProducts { sums: self, fourier, batch });
    }
}

struct AddProducts<'a> {
    sums: &'a mut Sums,
    fourier: &'a Fourier,
    batch: &'a mut Batch,
}

impl WithSimd for AddProducts<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { sums: Sums { pairs, real, imaginary }, fourier, batch } = self;
        let Batch { weights, met, signal, row } = batch;
        let (numbers, lanes) = (pairs.numbers(), pairs.groups() * LANES);
        let frequencies = real.chunks_exact_mut(numbers).zip(imaginary.chunks_exact_mut(numbers));
        for (frequency, (real, imaginary)) in frequencies.enumerate() {
            let places = [frequency, fourier.mirrored(frequency)].map(|frequency| fourier.place(frequency));
            gather(simd, *pairs, met, places, row);
            let (real, real_of_signal) = real.split_at_mut(pairs.shifts() * lanes);
            let (imaginary, imaginary_of_signal) = imaginary.split_at_mut(pairs.shifts() * lanes);
            for first in (0..lanes).step_by(S::F64_LANES) {
                let of_group = &weights[first / LANES..];
                let from = |place: usize| place * LANES + first % LANES;
                let factors = factors(simd, places, |slot, place| {
                    let signals = &of_group[slot * pairs.groups()];
                    (vector::<S>(&signals.real, from(place)), vector::<S>(&signals.imaginary, from(place)))
                });
                add_rows(simd, (lanes, first, 1), (&mut *real, &mut *imaginary), row, factors);
            }
            if let Some(Signals { real, imaginary }) = signal {
                let factors = factors(simd, places, |slot, place| {
                    let index = place * LANES + slot;
                    (simd.splat_f64s(real[index]), simd.splat_f64s(imaginary[index]))
                });
                // Each vector of predictors is a row by itself.
                let sums = (real_of_signal, imaginary_of_signal);
                add_rows(simd, (S::F64_LANES, 0, S::F64_LANES), sums, row, factors);
            }
        }
    }
}

/// Brings together what the blocks meet, conjugated at the mirrored frequency.
#[inline(always)]
fn gather<S: Simd>(simd: S, pairs: Pairs, met: &[Signals], places: [usize; 2], row: &mut Row) {
    let (groups, stride) = (pairs.groups(), row.stride);
    let rows = row.real.chunks_exact_mut(stride).zip(row.imaginary.chunks_exact_mut(stride));
    for (block, (real, imaginary)) in rows.enumerate() {
        let (signals, from) = (&met[block / 2 * groups..][..groups], places[block % 2] * LANES);
        // Lanes without a predictor are written over, if there are any.
        let second = (0..(pairs.count / 2).div_ceil(LANES)).map(|group| (group, pairs.count + group * LANES));
        for (group, to) in (0..groups).map(|group| (group, group * LANES)).chain(second) {
            let (from_real, _) = S::as_simd_f64s(&signals[group].real[from..from + LANES]);
            let (from_imaginary, _) = S::as_simd_f64s(&signals[group].imaginary[from..from + LANES]);
            let (real, _) = S::as_mut_simd_f64s(&mut real[to..to + LANES]);
            let (imaginary, _) = S::as_mut_simd_f64s(&mut imaginary[to..to + LANES]);
            real.copy_from_slice(from_real);
            for (to, &from) in imaginary.iter_mut().zip(from_imaginary) {
                *to = if block % 2 == 1 { simd.neg_f64s(from) } else { from };
            }
        }
    }
}

/// The spectra of the blocks, which are in each of the batch's signals at two places, conjugated at the
/// second.
#[inline(always)]
fn factors<S: Simd>(
    simd: S,
    places: [usize; 2],
    of: impl Fn(usize, usize) -> (S::f64s, S::f64s),
) -> [(S::f64s, S::f64s); BLOCKS] {
    let mut factors = [(simd.splat_f64s(0.0), simd.splat_f64s(0.0)); BLOCKS];
    for (block, factor) in factors.iter_mut().enumerate() {
        let (real, imaginary) = of(block / 2, places[block % 2]);
        *factor = (real, if block % 2 == 1 { simd.neg_f64s(imaginary) } else { imaginary });
    }
    factors
}

/// Adds products to a vector in each of the rows of `lanes` sums, that at `first`: of `factors` with as
/// many consecutive numbers of what blocks meet, from `first` on, and `further` on in each next row.
#[inline(always)]
fn add_rows<S: Simd>(
    simd: S,
    (lanes, first, further): (usize, usize, usize),
    (real, imaginary): (&mut [f64], &mut [f64]),
    row: &Row,
    factors: [(S::f64s, S::f64s); BLOCKS],
) {
    let rows = row.real.chunks_exact(row.stride).zip(row.imaginary.chunks_exact(row.stride));
    let mut met = [(&row.real[..0], &row.imaginary[..0]); BLOCKS];
    met.iter_mut().zip(rows).for_each(|(met, row)| *met = row);
    let sums = real.chunks_exact_mut(lanes).zip(imaginary.chunks_exact_mut(lanes));
    for (index, (real, imaginary)) in sums.enumerate() {
        let at = first + index * further;
        let (real, _) = S::as_mut_simd_f64s(&mut real[first..first + S::F64_LANES]);
        let (imaginary, _) = S::as_mut_simd_f64s(&mut imaginary[first..first + S::F64_LANES]);
        let (mut sum, mut cross) = (real[0], imaginary[0]);
        for (&(factor_real, factor_imaginary), (met_real, met_imaginary)) in factors.iter().zip(met) {
            let (a, b) = (vector::<S>(met_real, at), vector::<S>(met_imaginary, at));
            sum = simd.mul_add_e_f64s(factor_real, a, sum);
            sum = simd.mul_add_e_f64s(factor_imaginary, b, sum);
            cross = simd.mul_add_e_f64s(factor_real, b, cross);
            cross = simd.negate_mul_add_e_f64s(factor_imaginary, a, cross);
        }
        (real[0], imaginary[0]) = (sum, cross);
    }
}

/// Consecutive numbers, wherever they begin.
#[inline(always)]
fn vector<S: Simd>(numbers: &[f64], first: usize) -> S::f64s {
    S::as_simd_f64s(&numbers[first..first + S::F64_LANES]).0[0]
}
