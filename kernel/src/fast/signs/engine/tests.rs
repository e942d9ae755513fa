//! The bounds against what they bound: after each of many steps on hostile input, each estimate
//! against the error in twice the precision and against the reference's number.

use ndarray::{Array1, Array2, array};
use proptest::prelude::*;
use proptest::strategy::ValueTree;

use super::*;
use crate::fast::double::Double;
use crate::problem::cases;
use crate::reference::residual;
use crate::vectors::Path;
use crate::{Predictors, Segments};

const SAMPLES: usize = 120;
const FIRST_LAG: i64 = -4;
const COLUMNS: usize = 11;

/// A signal, predictors of odd kinds, segments, and steps to take.
#[derive(Clone, Debug)]
struct Hostile {
    y: Array1<f64>,
    x: Array2<f64>,
    pads: Array1<f64>,
    train: Array2<i64>,
    delta: f64,
    /// Whether `x` and `pads` are rounded to what is stored, so that only the arithmetic is off.
    stored: bool,
    /// Predictor, column, and by how many times `delta`.
    steps: Vec<(usize, usize, f64)>,
    /// For how many fits the first sums are made: for more than one they are kept.
    fits: usize,
}

/// An offset, a grid on which numbers tie, a spike or a number near the smallest, signs that
/// alternate so that sums cancel.
fn signal() -> impl Strategy<Value = Vec<f64>> {
    let offset = prop_oneof![3 => Just(0.0), 1 => Just(1.0), 1 => Just(1e9)];
    let grid = prop_oneof![Just(0.0), Just(1.0), Just(0.125)];
    let odd = prop_oneof![Just(1.0), Just(1e12), Just(1e-308), Just(5e-324), Just(0.0)];
    let noise = prop::collection::vec(-1.0..1.0_f64, SAMPLES);
    let parts = (noise, offset, grid, odd, 0..SAMPLES, any::<bool>());
    parts.prop_map(|(noise, offset, grid, odd, at, alternate)| {
        let value = |(t, value): (usize, f64)| {
            let value = if grid > 0.0 { (value / grid).round() * grid } else { value };
            let value = offset + if t == at { value * odd } else { value };
            if alternate && t % 2 == 1 { -value } else { value }
        };
        noise.into_iter().enumerate().map(value).collect()
    })
}

fn rounded(number: f64, stored: bool) -> f64 {
    if stored { f64::from(number as f32) } else { number }
}

fn hostile() -> impl Strategy<Value = Hostile> {
    let scale = prop_oneof![2 => Just(1.0), 1 => Just(1e150), 1 => Just(1e-150), 1 => Just(1e-300)];
    let train = prop_oneof![
        Just(array![[0, 120]]),
        Just(array![[5, 40], [40, 45], [50, 110]]),
        Just(array![[60, 119], [0, 3], [10, 12]]),
    ];
    let times = prop_oneof![Just(1.0), Just(-1.0), Just(0.5), Just(-4.0)];
    let steps = prop::collection::vec((0..3_usize, 0..COLUMNS, times), 1..40);
    let pads = prop::collection::vec(prop_oneof![Just(0.0), -2.0..2.0, Just(1e6)], 3);
    let hostile =
        (prop::collection::vec(signal(), 4), scale, pads, train, 1e-4..0.5_f64, steps, (any::<bool>(), 1..=2_usize));
    let made = hostile.prop_map(|(signals, scale, pads, train, delta, steps, (stored, fits))| Hostile {
        x: Array2::from_shape_fn((3, SAMPLES), |(row, t)| rounded(signals[row][t], stored)),
        y: signals[3].iter().map(|value| value * scale).collect(),
        pads: pads.into_iter().map(|pad| rounded(pad, stored)).collect(),
        train,
        delta: delta * scale,
        stored,
        steps,
        fits,
    });
    made.no_shrink()
}

/// Takes all steps and looks at every bound after each. With a factor below 1, bounds are that much
/// tighter than they should be.
fn follow(path: Path, hostile: &Hostile, factor: f64) -> Result<(), String> {
    let (start, stop) = (Array1::from_elem(3, FIRST_LAG), Array1::from_elem(3, FIRST_LAG + COLUMNS as i64));
    let lags = Lags::new(start.view(), stop.view()).unwrap();
    let predictors = Predictors::new(hostile.x.view(), hostile.pads.view()).unwrap();
    let train = Segments::new("split_train", hostile.train.view(), SAMPLES).unwrap();
    let rows = array![[0, SAMPLES as i64]];
    let both = Segments::new("split_train_and_validate", rows.view(), SAMPLES).unwrap();
    let split = Split { train, validate: both, train_and_validate: both };
    let shared = Shared::on(path, predictors, &lags, &[split]).unwrap().unwrap();
    let mut first = shared.first_sums(hostile.fits).unwrap();
    let signal = (hostile.y.view(), &mut first);
    let mut signs = Signs::new(&shared, signal, &lags, (0, split), hostile.delta, false).unwrap().unwrap();
    check(&signs, hostile, factor)?;
    for &(predictor, column, times) in &hostile.steps {
        signs.step(predictor, column, times * hostile.delta).unwrap();
        check(&signs, hostile, factor)?;
    }
    Ok(())
}

fn check(signs: &Signs<'_, '_>, hostile: &Hostile, factor: f64) -> Result<(), String> {
    let delta = hostile.delta;
    let error = signs.magnitudes.train;
    let bound = Bound::new(signs.train.samples, signs.flips, error);
    assert!(bound.is_safe(delta, signs.shared.sums.iter().copied().fold(0.0, f64::max)));
    let reference = residual::sum(ArrayView1::from(&signs.residual[..]), &signs.split.train, ErrorMeasure::L1);
    let (low, high) = bound::of_sum(signs.train.samples, error);
    let middle = 0.5 * low + 0.5 * high;
    if (reference - middle).abs() > factor * (0.5 * (high - low)) && reference != middle {
        return Err(format!("the error is {reference}, not in {low}..{high}"));
    }
    for (predictor, column) in (0..3).flat_map(|predictor| (0..COLUMNS).map(move |column| (predictor, column))) {
        let place = COLUMNS - 1 - column;
        let better = signs.better_sign(predictor, column, delta);
        for sign in [1.0, -1.0] {
            let first = place / ALIGNMENT * ALIGNMENT;
            let side = sign * sign_of(signs.sums[predictor * signs.shared.width + place]);
            let errors = signs.errors(&Block { predictor, first, side, least: 0.0 }, &Terms { bound, error, delta });
            let off = bound.option(delta, signs.shared.sums[predictor]);
            let option = Candidate { predictor, place, sign, error: errors[place - first], off };
            let sum = signs.shared.sums[predictor];
            let off = factor * if hostile.stored { bound.arithmetic(delta, sum) } else { option.off };
            let exact = exact(signs, hostile, predictor, column, sign * delta);
            if exact.minus(option.error).abs() > off {
                return Err(format!("{option:?} is {} in twice the precision", exact.high));
            }
            if f64::from(better.sign) == sign && (better.error - option.error).abs() > off {
                return Err(format!("{option:?} is {} to the reference", better.error));
            }
        }
    }
    Ok(())
}

/// The error of the residual after a step, sample by sample from the definition.
fn exact(signs: &Signs<'_, '_>, hostile: &Hostile, predictor: usize, column: usize, delta: f64) -> Double {
    let mut sum = Double::default();
    for segment in signs.split.train.iter() {
        for t in segment.clone() {
            let source = t as i64 - (FIRST_LAG + column as i64);
            let inside = (segment.start as i64..segment.end as i64).contains(&source);
            let v = if inside { hostile.x[[predictor, source as usize]] } else { hostile.pads[predictor] };
            let distance = Double::default().plus(signs.residual[t]).plus_product(-delta, v).magnitude();
            sum = sum.plus_double(distance);
        }
    }
    sum
}

proptest! {
    #![proptest_config(cases(32))]
    #[test]
    fn every_number_lies_within_its_bound(hostile in hostile()) {
        for path in Path::all() {
            prop_assert_eq!(follow(path, &hostile, 1.0), Ok(()));
        }
    }
}

#[test]
fn a_bound_that_is_too_tight_is_seen() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut seen = |factor: f64, stored: bool| {
        let cases = std::iter::repeat_with(|| hostile().new_tree(&mut runner).unwrap().current());
        let cases = cases.filter(|hostile| hostile.stored == stored).take(16);
        cases.filter(|hostile| follow(Path::best(), hostile, factor).is_err()).count()
    };
    for stored in [false, true] {
        assert_eq!(seen(1.0, stored), 0);
        assert!(seen(1.0 / 64.0, stored) > 2, "bounds are at most 64 times wider than what happens in some cases");
    }
}
