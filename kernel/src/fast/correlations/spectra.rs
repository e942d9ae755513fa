//! Long sums by way of spectra.
//!
//! All long sums of all pairs of predictors (see [`gram`](super::gram)) are correlations of signals
//! of the segments' length at few lags. A block of `B` samples of one predictor, followed by zeros,
//! and the `B + 2 (L - 1)` samples of the other that it meets are transformed, conjugated,
//! multiplied, and added up over all blocks of all segments; one inverse transform then gives the
//! sums of a pair.
//!
//! Beyond the ends of a segment a block meets zeros. What it meets there of the pads is added
//! afterwards, a pad times a sum of a few samples. So the sums of a pair are those of the pair the
//! other way round, backwards, and half of the pairs do ([`products`]).
//!
//! Two blocks are transformed at once, one as the real and one as the imaginary part. With `W + i W'`
//! and `A + i A'`, `conj(W + i W') (A + i A')` at a frequency, and the conjugate of the same at the
//! mirrored one, add up to `2 (conj(W) A + conj(W') A')`: what is wanted, without taking spectra apart.
//!
//! The correlations of a signal with all predictors at all lags are of the same kind: the signal's blocks
//! meet the same samples. Made beside the long sums they cost next to nothing.
//!
//! **Rounding.** Let `ε` be the relative error of a transform ([`fourier`](crate::fast::fourier)), and
//! `w` and `a` two such pairs of blocks as complex signals. A product of spectra is off by at most `(2
//! ε + 4 u) |W| |A|`. In a sum over `k` blocks each part of a number has two additions per block, and
//! parts have magnitudes of at most `√2 |W| |A|` together: `2 √2 k u` more. By Cauchy, Schwarz and
//! Parseval, and since of each two mirrored frequencies the mean is taken, this makes `(2 ε + (3 k + 4)
//! u) Σ ‖w‖ ‖a‖` in each of the results. The inverse adds `ε` times the 2-norm of what it makes, which
//! is at most `√N Σ ‖w‖ ‖a‖`. Blocks of the one predictor do not overlap and those of the other do so
//! at most twice, `N` being twice `2 (L - 1)` or more, whence `Σ ‖w‖ ‖a‖ ≤ √2 R R_u`. [`Spectra::terms`]
//! is all of this in units of `u`. Sums at pads are sums of fewer terms than the segments have, and off
//! by no more than long sums that are summed one by one: a list counts terms for both. The same holds for
//! a signal, whose norm takes the place of `R_u`.

use std::ops::Range;

use self::products::{BLOCKS, Batch, Pair, Pairs, Sums};
use super::section::{Basis, List};
use crate::fast::fourier::{ERROR_PER_STAGE, Fourier, LANES, Signals};
use crate::team::Ask;
use crate::{Error, memory};

mod products;

/// Bytes of sums of products that are made at once, by all threads together.
const MOST_MEMORY: usize = 64 << 20;

/// How long sums are computed for one list.
pub(super) struct Spectra {
    fourier: Fourier,
    length: usize,
    pairs: Pairs,
    blocks: Vec<Block>,
}

/// What is computed for one list.
pub(super) struct Found {
    /// The long sums of every predictor with every other: for each predictor `j`, one row for each
    /// difference of lags, from the largest on, each of all predictors `i`.
    pub(super) long_sums: Vec<Vec<f64>>,
    /// Those of a signal, if they were asked for, over all sections that are not short: `c` for each of
    /// the sums of a window.
    pub(super) correlations: Vec<f64>,
}

/// Samples of a section.
struct Block {
    samples: Range<usize>,
    /// With those that they meet.
    met: Range<usize>,
    /// How many samples there would be before them that they meet, if the section did not begin.
    missing: usize,
}

/// The length of a transform: twice `2 (L - 1)`, and twice that, so that most of it are samples.
fn length(basis: &Basis<'_>) -> usize {
    (8 * basis.reach.lags().count()).next_power_of_two()
}

impl Spectra {
    pub(super) fn new(basis: &Basis<'_>, list: &List) -> Result<Self, Error> {
        let (length, beyond) = (length(basis), basis.reach.lags().count() - 1);
        let mut blocks = Vec::new();
        for section in list.sections.iter().filter(|section| !section.is_short(basis)) {
            let Range { start, end } = section.samples;
            for first in (start..end).step_by(length - 2 * beyond) {
                let last = end.min(first + length - 2 * beyond);
                let met = first.saturating_sub(beyond).max(start)..end.min(last + beyond);
                let missing = met.start + beyond - first;
                memory::push(&mut blocks, Block { samples: first..last, met, missing })?;
            }
        }
        Ok(Self { fourier: Fourier::new(length)?, length, pairs: Pairs::of(basis.pads.len()), blocks })
    }

    /// The rounding of the sums, in units of `u` times the norms of the two predictors.
    pub(super) fn terms(basis: &Basis<'_>, samples: usize, sections: usize) -> usize {
        let length = length(basis);
        let transform = ERROR_PER_STAGE * length.ilog2() as usize;
        let blocks = samples.div_ceil(length / 2) + sections;
        // √2 < 3 / 2.
        (2 * transform + 3 * blocks + 4 + transform * (length.isqrt() + 1)) * 3 / 2
    }

    /// Whether the spectra of all pairs of predictors fit in memory that one can ask for.
    pub(super) fn is_small(&self) -> bool {
        self.memory() <= MOST_MEMORY
    }

    /// Bytes of the sums of products of spectra.
    fn memory(&self) -> usize {
        2 * (self.length / 2 + 1) * self.pairs.numbers() * size_of::<f64>()
    }

    /// The vector operations of eight lanes that all long sums take.
    pub(super) fn cost(&self) -> usize {
        let (groups, vectors) = (self.pairs.groups(), self.pairs.numbers() / LANES);
        let transform = self.length / 2 * self.length.ilog2() as usize * 10;
        self.blocks.len() * (groups * transform + self.length * 2 * vectors) + vectors * transform
    }

    /// Whether correlations of signals are among what blocks and what they meet tell: lags are differences
    /// of lags if 0 is a lag.
    pub(super) fn correlates(basis: &Basis<'_>) -> bool {
        basis.reach.lags().contains(&0)
    }

    /// The long sums of all predictors, and the correlations of a signal `[T]`.
    pub(super) fn find(
        &self,
        basis: &Basis<'_>,
        list: &List,
        signal: Option<&[f64]>,
        ask: &mut Ask<'_>,
    ) -> Result<Found, Error> {
        debug_assert!(signal.is_none() || Self::correlates(basis));
        let batches = self.blocks.len().div_ceil(BLOCKS);
        let most = (MOST_MEMORY / self.memory().max(1)).max(1);
        let parts = basis.team.divide(batches, most, ask, |part, ask| self.products(basis, signal, part, ask))?;
        let sums = parts.into_iter().reduce(|mut sums, part| {
            sums.add(&part);
            sums
        });
        let sums = sums.expect("there is always a part");
        let rows = basis.reach.differences().count();
        let (pairs, vectors) = (sums.pairs(), sums.pairs().numbers() / LANES);
        let inverted = basis.team.divide(vectors, vectors, ask, |part, ask| {
            let mut signals = Signals::new(self.length)?;
            let mut inverted = memory::with_capacity(part.len() * rows * LANES)?;
            for vector in part {
                self.correlate(basis, &sums, vector, &mut signals);
                inverted.extend_from_slice(&signals.real[..rows * LANES]);
                ask()?;
            }
            Ok(inverted)
        })?;
        let mut found = Found::zero(basis, signal.is_some())?;
        let of_vectors = inverted.iter().flat_map(|part| part.chunks_exact(rows * LANES)).enumerate();
        for (vector, inverted) in of_vectors {
            for (lane, pair) in pairs.of_vector(vector).enumerate() {
                let scale = 0.5 / self.length as f64; // a power of 2
                let column = inverted[lane..].iter().step_by(LANES).map(|value| scale * value);
                found.place(basis, pair, column);
            }
        }
        found.add_pads(basis, list, signal)?;
        Ok(found)
    }

    /// The products of the spectra of all pairs, added up over some batches of blocks.
    fn products(
        &self,
        basis: &Basis<'_>,
        signal: Option<&[f64]>,
        batches: Range<usize>,
        ask: &mut Ask<'_>,
    ) -> Result<Sums, Error> {
        let pairs = self.pairs.and_signal(signal.is_some());
        let (mut sums, mut batch) = (Sums::new(pairs, self.length)?, Batch::new(pairs, self.length)?);
        for blocks in self.blocks.chunks(BLOCKS).skip(batches.start).take(batches.len()) {
            self.transform_predictors(basis, blocks, &mut batch);
            if let (Some(signal), Some(signals)) = (signal, &mut batch.signal) {
                lay_signal(signal, blocks, signals);
                self.fourier.forward(basis.path, signals);
            }
            sums.add_products(basis.path, &self.fourier, &mut batch);
            ask()?;
        }
        Ok(sums)
    }

    fn transform_predictors(&self, basis: &Basis<'_>, blocks: &[Block], batch: &mut Batch) {
        let (count, beyond) = (basis.pads.len(), basis.reach.lags().count() - 1);
        for (index, (weights, met)) in batch.signals().enumerate() {
            let (slot, first) = (index / self.pairs.groups(), index % self.pairs.groups() * LANES);
            let pair = [blocks.get(2 * slot), blocks.get(2 * slot + 1)];
            let lay = |part: &mut [f64], at: usize, samples: &Range<usize>| {
                lay(part, at, basis.packed.rows(samples.clone()), count, first);
            };
            for (block, part) in pair.into_iter().zip([&mut weights.real, &mut weights.imaginary]) {
                lay(part, 0, block.map_or(&(0..0), |block| &block.samples));
            }
            for (block, part) in pair.into_iter().zip([&mut met.real, &mut met.imaginary]) {
                // The first sample of a block meets the one `beyond` before it in row 0.
                let (missing, samples) = block.map_or((beyond, &(0..0)), |block| (block.missing, &block.met));
                lay(part, missing, samples);
            }
            self.fourier.forward(basis.path, weights);
            self.fourier.forward(basis.path, met);
        }
    }

    /// The correlations of eight pairs, from their spectra, in rows of the real part.
    fn correlate(&self, basis: &Basis<'_>, sums: &Sums, vector: usize, signals: &mut Signals) {
        for frequency in 0..self.length {
            let mirrored = frequency.min(self.length - frequency);
            let sign = if mirrored == frequency { 1.0 } else { -1.0 };
            let to = self.fourier.place(frequency) * LANES;
            let (from_real, from_imaginary) = sums.of(mirrored, vector);
            signals.real[to..to + LANES].copy_from_slice(from_real);
            let imaginary = signals.imaginary[to..to + LANES].iter_mut().zip(from_imaginary);
            imaginary.for_each(|(to, from)| *to = sign * from);
        }
        self.fourier.inverse(basis.path, signals);
    }
}

impl Found {
    fn zero(basis: &Basis<'_>, signal: bool) -> Result<Self, Error> {
        let (count, rows) = (basis.pads.len(), basis.reach.differences().count());
        let long_sums = memory::all_of((0..count).map(|_| memory::filled(rows * count, 0.0)))?;
        let correlations = memory::filled(if signal { basis.options() } else { 0 }, 0.0)?;
        Ok(Self { long_sums, correlations })
    }

    /// Puts the correlations of a pair, by difference of lags, where they belong: those of predictors as
    /// those of either with the other.
    fn place(&mut self, basis: &Basis<'_>, pair: Pair, column: impl Iterator<Item = f64> + Clone) {
        let count = basis.pads.len();
        match pair {
            Pair::Predictors(predictor, other) => {
                let rows = self.long_sums[predictor][other..].iter_mut().step_by(count);
                rows.zip(column.clone()).for_each(|(to, value)| *to = value);
                let rows = self.long_sums[other][predictor..].iter_mut().step_by(count);
                rows.rev().zip(column).for_each(|(to, value)| *to = value);
            }
            Pair::Signal(predictor) => {
                let rows = self.correlations[predictor..].iter_mut().step_by(count);
                rows.zip(column.skip(first_row(basis))).for_each(|(to, value)| *to = value);
            }
        }
    }

    /// Adds what the sections' first and last samples meet of the pads.
    fn add_pads(&mut self, basis: &Basis<'_>, list: &List, signal: Option<&[f64]>) -> Result<(), Error> {
        if basis.pads.iter().all(|&pad| pad == 0.0) {
            return Ok(());
        }
        let mut ends = memory::filled(basis.reach.differences().count(), 0.0)?;
        let mut add = |values: &[f64], first_row: usize, products: &mut [f64]| {
            sum_ends(basis, list, values, &mut ends);
            for (products, end) in products.chunks_exact_mut(basis.pads.len()).zip(&ends[first_row..]) {
                products.iter_mut().zip(&basis.pads).for_each(|(product, pad)| *product += end * pad);
            }
        };
        for (predictor, products) in self.long_sums.iter_mut().enumerate() {
            add(basis.samples(predictor, 0..basis.predictors.samples()), 0, products);
        }
        if let Some(signal) = signal {
            add(signal, first_row(basis), &mut self.correlations);
        }
        Ok(())
    }
}

/// Which of the differences of lags, from the largest on, is the largest lag.
fn first_row(basis: &Basis<'_>) -> usize {
    (basis.reach.differences().end - basis.reach.lags().end) as usize
}

/// The sums of those samples of each section that meet pads, by difference of lags.
fn sum_ends(basis: &Basis<'_>, list: &List, values: &[f64], ends: &mut [f64]) {
    let beyond = ends.len() / 2;
    ends.fill(0.0);
    for section in list.sections.iter().filter(|section| !section.is_short(basis)) {
        let samples = &values[section.samples.clone()];
        let (mut head, mut tail) = (0.0, 0.0);
        for distance in 1..=beyond {
            head += samples[distance - 1];
            tail += samples[samples.len() - distance];
            ends[beyond - distance] += head;
            ends[beyond + distance] += tail;
        }
    }
}

/// Lays blocks of a signal, two at a time, one such pair per lane.
fn lay_signal(values: &[f64], blocks: &[Block], signals: &mut Signals) {
    signals.real.fill(0.0);
    signals.imaginary.fill(0.0);
    for (index, block) in blocks.iter().enumerate() {
        let part = if index % 2 == 0 { &mut signals.real } else { &mut signals.imaginary };
        let lane = part[index / 2..].iter_mut().step_by(LANES);
        lane.zip(&values[block.samples.clone()]).for_each(|(to, &value)| *to = value);
    }
}

/// Lays rows of `count` predictors into a signal, up to eight of them from `first` on, one per lane,
/// beginning with the row `at`; the rest is cleared. Lanes without a predictor stay 0, which is what a
/// transform makes of zeros.
fn lay(part: &mut [f64], at: usize, rows: &[f64], count: usize, first: usize) {
    let (before, rest) = part.split_at_mut(at * LANES);
    let (lanes, after) = rest.split_at_mut(rows.len() / count * LANES);
    before.fill(0.0);
    after.fill(0.0);
    let inside = LANES.min(count - first);
    let pairs = rows.chunks_exact(count).zip(lanes.chunks_exact_mut(LANES));
    if inside == LANES {
        // Of a length that the compiler knows: a copy without a call.
        let whole = |row: &[f64]| -> [f64; LANES] { row[first..first + LANES].try_into().expect("eight predictors") };
        return pairs.for_each(|(row, lanes)| lanes.copy_from_slice(&whole(row)));
    }
    for (row, lanes) in pairs {
        lanes[..inside].copy_from_slice(&row[first..first + inside]);
    }
}
