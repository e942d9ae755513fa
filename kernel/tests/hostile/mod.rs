//! Problems at the edges of what a fit takes, the same for a seed everywhere.
//!
//! Segments are empty, a sample long, shorter than the lags, overlapping, out of order, or none at all; lags
//! lie beyond the signal on either side; numbers overflow, are subnormal, constant, zero or each other's
//! copies. Some of these fits would go on for a million steps: whoever runs them gives up at some step.
//!
//! `TRFBOOST_CASES` says how many seeds a test tries (otherwise few, so that the tests are fast), and
//! `TRFBOOST_SEED` which is the first. A failure names the seed.

use std::env;
use std::ops::Range;

use ndarray::{Array1, Array2, Axis};
use trfboost_kernel::{ErrorMeasure, Settings};

use crate::problem::Problem;

/// The seeds to try: `count` of them from 0, unless the environment says otherwise.
pub(crate) fn seeds(count: u64) -> Range<u64> {
    let number = |name| env::var(name).ok().map(|text| text.parse().expect("a whole number"));
    let first = number("TRFBOOST_SEED").unwrap_or(0);
    first..first + number("TRFBOOST_CASES").unwrap_or(count)
}

/// SplitMix64: a seed is enough to know all that follows.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0xd134_2543_de82_ef95))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number of the range.
    pub(crate) fn within(&mut self, range: Range<i64>) -> i64 {
        range.start + (self.next() % range.start.abs_diff(range.end)) as i64
    }

    /// Once in so many times.
    pub(crate) fn one_in(&mut self, times: i64) -> bool {
        self.within(0..times) == 0
    }

    pub(crate) fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.within(0..choices.len() as i64) as usize]
    }

    /// From -1 to 1.
    fn number(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// The problem of a seed, finite wherever a segment is.
pub(crate) fn problem(seed: u64) -> Problem {
    let mut random = Random::new(seed);
    let random = &mut random;
    let (signals, count) = (random.within(1..4) as usize, random.within(1..5) as usize);
    let samples = if random.one_in(5) { random.within(1..9) } else { random.within(9..90) };
    let train = segments(random, samples);
    let validate = segments(random, samples);
    let both = match random.within(0..4) {
        0 => Array2::from_shape_vec((1, 2), vec![0, samples]).unwrap(),
        1 => segments(random, samples),
        _ => ndarray::concatenate![Axis(0), listed(&train), listed(&validate)],
    };
    let (start, stop) = lags(random, count, samples);
    // Sizes far from each other make fits that never end, and hide what else is odd: only half of the problems
    // have them.
    let tame = random.one_in(2);
    let scale = if tame { 1.0 } else { random.one_of(&[1.0, 1e60, 1e-60, 1e150, 1e-160, 1e200, 1e-310]) };
    let mut x = Array2::from_shape_fn((count, samples as usize), |_| 0.0);
    for row in 0..count {
        let of_row = match random.within(0..8) {
            0 if row > 0 => x.row(0).to_owned(),
            1 if row > 0 => -&x.row(0),
            _ => signal(random, samples, tame),
        };
        x.row_mut(row).assign(&of_row);
    }
    let mut y = Array2::from_shape_fn((signals, samples as usize), |_| 0.0);
    for mut row in y.outer_iter_mut() {
        // What x explains, in part: a fit of noise alone ends too soon to be hard.
        let weight = random.one_of(&[0.0, 0.5, -2.0]);
        let lag = random.within(0..4) as usize;
        let noise = signal(random, samples, tame);
        row.assign(&Array1::from_shape_fn(samples as usize, |t| {
            scale * (noise[t] + weight * if t < lag { 0.0 } else { x[[0, t - lag]] })
        }));
    }
    let delta = match random.within(0..8) {
        0 if !tame => random.one_of(&[5e-324, 1e-310, 1e-200, 1e200, f64::MAX]),
        _ => scale * random.one_of(&[0.01, 0.05, 0.25, 0.3, 1.5]),
    };
    let settings = Settings::new(delta.max(5e-324))
        .mindelta((delta * random.one_of(&[1.0, 1.0, 0.5, 0.0625, 2.0])).clamp(5e-324, f64::MAX))
        .error(random.one_of(&[ErrorMeasure::L1, ErrorMeasure::L2]))
        .selective_stopping(random.within(0..5) as usize);
    let pads =
        Array1::from_shape_fn(count, |_| random.one_of(&[0.0, 0.5, -1.0, if tame { 0.25 } else { 1e9 }, 5e-324]));
    finite(&mut y);
    finite(&mut x);
    let mut problem = Problem { y, x, pads, start, stop, train, validate, both, settings };
    if random.one_in(3) {
        spoil_outside(random, &mut problem);
    }
    problem
}

/// Sums of numbers near the largest overflow.
fn finite(numbers: &mut Array2<f64>) {
    numbers.mapv_inplace(|number| number.clamp(f64::MIN, f64::MAX));
}

fn signal(random: &mut Random, samples: i64, tame: bool) -> Array1<f64> {
    let grid = random.one_of(&[0.0, 0.0, 0.5, 1.0]);
    let offset = if tame { 0.0 } else { random.one_of(&[0.0, 0.0, 1.0, 1e9]) };
    let density = random.one_of(&[1, 1, 1, 7]);
    let scale = if tame { 1.0 } else { random.one_of(&[1.0, 1.0, 1.0, 1e8, 1e-170, 1e170, 1e-312]) };
    let constant = random.one_in(15).then(|| random.one_of(&[0.0, 1.0, -3.0]));
    let mut signal = Array1::from_shape_fn(samples as usize, |_| {
        let number = random.number() * 2.0;
        let rounded = if grid > 0.0 { (number / grid).round() * grid } else { number };
        let kept = if random.one_in(density) { rounded } else { 0.0 };
        constant.unwrap_or((offset + kept) * scale)
    });
    if !tame && random.one_in(3) {
        let at = random.within(0..samples) as usize;
        signal[at] = random.one_of(&[1e15, -1e200, 4e-324, -0.0]);
    }
    signal
}

/// Up to five segments in any order, some of them empty or a sample long; often a first one with most of
/// the samples, so that there is something to fit. Now and then the list ends before the array does.
fn segments(random: &mut Random, samples: i64) -> Array2<i64> {
    let mut rows = Vec::new();
    if !random.one_in(4) {
        let start = random.within(0..samples / 3 + 1);
        rows.extend([start, random.within(start..samples) + 1]);
    }
    for _ in 0..random.within(0..5) {
        let start = random.within(0..samples + 1);
        let length = random.one_of(&[0, 1, 2, 5, samples]);
        rows.extend([start, samples.min(start + length)]);
    }
    if random.one_in(5) {
        rows.extend([-1, 7, -3, samples + 50]);
    }
    Array2::from_shape_vec((rows.len() / 2, 2), rows).unwrap()
}

/// The rows before the one that ends the list.
fn listed(rows: &Array2<i64>) -> ndarray::ArrayView2<'_, i64> {
    let count = rows.column(0).iter().position(|&start| start < 0).unwrap_or(rows.nrows());
    rows.view().split_at(Axis(0), count).0
}

/// Lags about 0, or about a lag that is as long as the signal, or longer, on either side. At least one.
fn lags(random: &mut Random, count: usize, samples: i64) -> (Array1<i64>, Array1<i64>) {
    let beyond = [samples, -samples, 1000, -(1 << 40), i64::MAX - 20, i64::MIN + 20];
    let base = if random.one_in(6) { random.one_of(&beyond) } else { 0 };
    let start = Array1::from_shape_fn(count, |_| base + random.within(-6..5));
    let mut stop = start.mapv(|start| start + random.within(0..8));
    stop[0] += 1;
    (start, stop)
}

/// NaN and infinity where no segment is.
fn spoil_outside(random: &mut Random, problem: &mut Problem) {
    let split = problem.split();
    let lists = [split.train, split.validate, split.train_and_validate];
    let read: Vec<Range<usize>> = lists.iter().flat_map(trfboost_kernel::Segments::iter).collect();
    let outside: Vec<_> = (0..problem.samples()).filter(|t| !read.iter().any(|segment| segment.contains(t))).collect();
    for t in outside {
        problem.y.column_mut(t).fill(random.one_of(&[f64::NAN, f64::INFINITY, 1.0]));
        problem.x.column_mut(t).fill(random.one_of(&[f64::NEG_INFINITY, f64::NAN, -1.0]));
    }
}
