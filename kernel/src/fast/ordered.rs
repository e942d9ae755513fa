//! The reference's running sums, to the bit, sooner than one addition after the other.
//!
//! An error is a running sum `S` of terms `v >= 0`: each addition waits for the one before, and rounds.
//! While `S` stays in one binade, `[2^e, 2^(e+1))`, where numbers are multiples of `u = 2^(e-52)`,
//!
//! ```text
//! round(S + v) = S + r,   r = v rounded to a multiple of u
//! ```
//!
//! since `S` is a multiple of `u` itself, unless `v` is half-way between two multiples, where the parity of
//! `S` decides. So a run of terms is rounded first, each by adding and subtracting `2^e` (`v < 2^e`, or the
//! sum leaves the binade), and then summed in any order: sums of multiples of `u` below `2^53 u` are exact.
//! Afterwards is seen whether this held:
//!
//! - No term was half-way: the largest `|v - r|`, which is exact, is below `u / 2`.
//! - The last sum is below `2^(e+1)`, and so were all before it, since no term is below 0. If it is not, in
//!   exact numbers, neither is it as computed: rounding keeps the order.
//!
//! If not, the run is halved, down to one that is added up in order; after a run that held, the next is
//! twice as long. Half-way terms are rare where `S` is much larger than the terms, and `S` passes from one
//! binade to the next more and more seldom, so that nearly all terms are in long runs. Numbers that are not
//! finite hold nowhere, and are added up in order.

use pulp::{Simd, WithSimd};

use crate::measure::{Absolute, Measure, Square};
use crate::predictors::Padded;
use crate::reference::shift::{Seen, Shift};
use crate::vectors::Path;
use crate::{ErrorMeasure, Segments};

/// The longest run of terms.
const LONGEST: usize = 1024;

/// A run that is not halved.
const SHORTEST: usize = 16;

/// What samples see from which nothing is taken off: a number less 0 is that number.
const NOTHING: Seen<'_> = Seen::Pad(0.0);

/// The error of a residual over segments: `reference::residual::sum`.
pub(super) fn sum(path: Path, residual: &[f64], segments: &Segments<'_>, error: ErrorMeasure) -> f64 {
    let mut running = Running::new(path, error);
    for segment in segments.iter() {
        running.add(&residual[segment], NOTHING, 0.0);
    }
    running.sum
}

/// The error after `change` times a predictor at a lag was taken off: that of one sign in
/// `reference::options::better_sign`. The predictor is contiguous.
pub(super) fn sum_after(
    path: Path,
    residual: &[f64],
    predictor: Padded<'_>,
    segments: &Segments<'_>,
    error: ErrorMeasure,
    (lag, change): (i64, f64),
) -> f64 {
    let mut running = Running::new(path, error);
    for segment in segments.iter() {
        for (samples, seen) in Shift::new(&segment, lag).stretches(predictor) {
            running.add(&residual[samples], seen, change);
        }
    }
    running.sum
}

/// A sum that goes on from stretch to stretch.
struct Running {
    path: Path,
    error: ErrorMeasure,
    sum: f64,
    /// How long the next run is to be.
    length: usize,
}

impl Running {
    fn new(path: Path, error: ErrorMeasure) -> Self {
        Self { path, error, sum: 0.0, length: SHORTEST }
    }

    fn add(&mut self, y: &[f64], seen: Seen<'_>, change: f64) {
        let Self { path, error, .. } = *self;
        let stretch = Stretch { running: self, y, seen, change };
        match error {
            ErrorMeasure::L1 => path.run(Of::<Absolute>(stretch, std::marker::PhantomData)),
            ErrorMeasure::L2 => path.run(Of::<Square>(stretch, std::marker::PhantomData)),
        }
    }
}

struct Stretch<'a, 'x> {
    running: &'a mut Running,
    y: &'a [f64],
    seen: Seen<'x>,
    change: f64,
}

/// A stretch by one measure.
struct Of<'a, 'x, M>(Stretch<'a, 'x>, std::marker::PhantomData<M>);

impl<M: Measure> WithSimd for Of<'_, '_, M> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Stretch { running: &mut Running { ref mut sum, ref mut length, .. }, y, seen, change } = self.0;
        let mut room = [0.0; LONGEST];
        for start in (0..y.len()).step_by(LONGEST) {
            let y = &y[start..y.len().min(start + LONGEST)];
            let terms = &mut room[..y.len()];
            match seen {
                Seen::Pad(pad) => {
                    let change = change * pad;
                    terms.iter_mut().zip(y).for_each(|(term, &y)| *term = M::of(y - change));
                }
                Seen::Predictor(x) => {
                    let x = &x.to_slice().expect("contiguous rows")[start..][..y.len()];
                    terms.iter_mut().zip(y.iter().zip(x)).for_each(|(term, (&y, &x))| *term = M::of(y - change * x));
                }
            }
            add(simd, sum, length, terms);
        }
    }
}

/// Adds terms to a sum, by runs of `length`, which it adapts.
#[inline(always)]
fn add<S: Simd>(simd: S, sum: &mut f64, length: &mut usize, mut terms: &[f64]) {
    while !terms.is_empty() {
        let (run, rest) = terms.split_at(terms.len().min(*length));
        if let Some(total) = at_once(simd, *sum, run) {
            *sum = total;
            *length = LONGEST.min(2 * *length);
        } else if run.len() > SHORTEST {
            *length = (run.len() / 2).max(SHORTEST);
            continue;
        } else {
            run.iter().for_each(|term| *sum += term);
        }
        terms = rest;
    }
}

/// The sum with all terms of a run; `None` if it has to be found in order.
#[inline(always)]
fn at_once<S: Simd>(simd: S, sum: f64, run: &[f64]) -> Option<f64> {
    const EXPONENT: u64 = f64::INFINITY.to_bits();
    const HALF_UNIT: f64 = f64::EPSILON / 2.0;
    // 0, with which nothing below holds, if the sum is not a normal number; infinite if it is not finite.
    let binade = f64::from_bits(sum.to_bits() & EXPONENT);
    let lowest = simd.splat_f64s(binade);
    let (vectors, tail) = S::as_simd_f64s(run);
    let (mut sums, mut off) = ([simd.splat_f64s(0.0); 4], [simd.splat_f64s(0.0); 4]);
    let mut one = |n: usize, term: S::f64s| {
        let rounded = simd.sub_f64s(simd.add_f64s(term, lowest), lowest);
        sums[n] = simd.add_f64s(sums[n], rounded);
        off[n] = simd.max_f64s(off[n], simd.abs_f64s(simd.sub_f64s(term, rounded)));
    };
    let mut fours = vectors.chunks_exact(4);
    for four in &mut fours {
        (0..4).for_each(|n| one(n, four[n]));
    }
    fours.remainder().iter().for_each(|&term| one(0, term));
    let [mut total, mut farthest] = [0.0_f64; 2];
    for n in 0..4 {
        total += simd.reduce_sum_f64s(sums[n]);
        farthest = farthest.max(simd.reduce_max_f64s(off[n]));
    }
    for term in tail {
        let rounded = (term + binade) - binade;
        total += rounded;
        farthest = farthest.max((term - rounded).abs());
    }
    total += sum;
    (farthest < HALF_UNIT * binade && total < 2.0 * binade).then_some(total)
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, ArrayView1, array};
    use proptest::prelude::*;

    use super::{NOTHING, Running, sum, sum_after};
    use crate::predictors::Padded;
    use crate::problem::cases;
    use crate::reference::options::better_sign;
    use crate::reference::residual;
    use crate::vectors::Path;
    use crate::{ErrorMeasure, Segments};

    const MEASURES: [ErrorMeasure; 2] = [ErrorMeasure::L1, ErrorMeasure::L2];

    fn in_order(terms: &[f64]) -> f64 {
        terms.iter().fold(0.0, |sum, term| sum + term.abs())
    }

    fn by_runs(path: Path, terms: &[f64]) -> f64 {
        let mut running = Running::new(path, ErrorMeasure::L1);
        running.add(terms, NOTHING, 0.0);
        running.sum
    }

    /// Numbers that meet half-way points, binades and both ends of the range.
    fn term() -> impl Strategy<Value = f64> {
        prop_oneof![
            8 => -1.0..1.0,
            4 => (0_u32..64).prop_map(f64::from),
            4 => (1_i64..1 << 40, -1074_i32..1000).prop_map(|(digits, power)| digits as f64 * 2.0_f64.powi(power)),
            2 => (0_i32..60).prop_map(|power| 2.0_f64.powi(-power)),
            1 => prop::sample::select(vec![0.0, -0.0, f64::MIN_POSITIVE, 5e-324, 1e150, 1e300, f64::MAX]),
        ]
    }

    proptest! {
        #![proptest_config(cases(512))]
        #[test]
        fn a_sum_by_runs_is_the_one_in_order(
            kinds in prop::collection::vec((term(), 1_usize..400, any::<bool>()), 1..12),
            seed in any::<u64>(),
        ) {
            let mut state = seed | 1;
            let mut terms = Vec::new();
            for (term, count, alike) in kinds {
                terms.extend((0..count).map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    if alike { term } else { term * ((state >> 40) as f64) * 2.0_f64.powi(-24) }
                }));
            }
            for path in Path::all() {
                let (found, expected) = (by_runs(path, &terms), in_order(&terms));
                prop_assert_eq!(found.to_bits(), expected.to_bits(), "{:?}: {:e}, {:e}", path, found, expected);
            }
        }
    }

    #[test]
    fn numbers_that_are_not_finite_are_added_up() {
        for wild in [f64::NAN, f64::INFINITY] {
            let mut terms = vec![1.0; 3000];
            terms[2000] = wild;
            for path in Path::all() {
                assert_eq!(by_runs(path, &terms).is_nan(), wild.is_nan());
                assert_eq!(by_runs(path, &terms).is_infinite(), wild.is_infinite());
            }
        }
    }

    /// Half-way between two multiples of 2, on from 2^53: an even sum stays, an odd one goes up.
    #[test]
    fn half_way_terms_go_where_the_sum_is_even() {
        let mut terms = vec![2.0_f64.powi(53)];
        terms.extend([1.0, 2.0, 1.0, 3.0].repeat(100));
        let any_order = 2.0_f64.powi(53) + 7.0 * 100.0;
        assert_ne!(in_order(&terms), any_order);
        for path in Path::all() {
            assert_eq!(by_runs(path, &terms), in_order(&terms));
        }
    }

    #[test]
    fn errors_are_the_references() {
        let noise = |seed: u64, scale: f64| {
            let mut state = seed;
            Array1::from_shape_simple_fn(5000, || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                scale * ((state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0)
            })
        };
        let (y, x) = (noise(1, 3.0), noise(2, 1.0));
        let rows = array![[3, 1800], [1800, 1807], [1900, 1900], [2000, 4999], [10, 700]];
        let segments = Segments::new("split_train", rows.view(), y.len()).unwrap();
        let (y, view) = (y.to_vec(), ArrayView1::from(x.as_slice().unwrap()));
        let predictor = Padded { x: view, pad: 0.25 };
        for (path, error) in Path::all().into_iter().flat_map(|path| MEASURES.map(|error| (path, error))) {
            let residual = ArrayView1::from(&y[..]);
            let expected = residual::sum(residual, &segments, error);
            assert_eq!(sum(path, &y, &segments, error), expected);
            for lag in [-4000, -30, 0, 1, 59, 4000] {
                for delta in [0.005, 0.5] {
                    let expected = better_sign(residual, predictor, &segments, error, delta, lag);
                    let of = |change| sum_after(path, &y, predictor, &segments, error, (lag, change));
                    assert_eq!(of(delta).min(of(-delta)), expected.error, "{path:?}, {error:?}, {lag}");
                    assert_eq!(of(f64::from(expected.sign) * delta), expected.error);
                }
            }
        }
    }
}
