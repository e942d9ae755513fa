//! The bounds against what they bound: everything that is carried along, and every number that the
//! reference computes, over long runs of steps on hostile input.

use ndarray::{Array1, Array2, ArrayView1, array};
use proptest::prelude::*;

use super::bound::Precision;
use super::first::FirstSums;
use super::gram;
use super::section::{Basis, List, Margins};
use super::shared::Shared;
use super::spectra::Spectra;
use super::state::State;
use crate::fast::double::Double;
use crate::fast::replay::{Origin, Replay};
use crate::problem::cases;
use crate::team::Team;
use crate::threads::Standard;
use crate::vectors::Path;
use crate::{ErrorMeasure, Lags, Predictors, Segments, Settings, Split};

/// One signal, predictors of odd kinds, and segments.
#[derive(Clone, Debug)]
struct Hostile {
    y: Array1<f64>,
    x: Array2<f64>,
    pads: Array1<f64>,
    train: Array2<i64>,
    both: Array2<i64>,
    delta: f64,
    /// Predictor, column and sign of the steps to take.
    steps: Vec<(usize, usize, bool)>,
}

const SAMPLES: usize = 90;
const COLUMNS: usize = 7;
const FIRST_LAG: i64 = -3;

/// What signals are made of: an offset, a scale, and a grid that makes them tie, or none.
fn signal() -> impl Strategy<Value = Vec<f64>> {
    let offset = prop_oneof![Just(0.0), Just(1.0), Just(1e9), Just(-1e12)];
    let grid = prop_oneof![Just(0.0), Just(1.0), Just(0.125)];
    let noise = prop::collection::vec(-1.0..1.0, SAMPLES);
    // A spike that everything else is lost beside, or a number near the smallest.
    let odd = prop_oneof![Just(1.0), Just(1e15), Just(1e-308), Just(4e-324), Just(0.0)];
    (noise, offset, grid, odd, 0..SAMPLES, any::<bool>()).prop_map(|(noise, offset, grid, odd, at, alternate)| {
        let value = |(t, value): (usize, f64)| {
            let value: f64 = if grid > 0.0 { (value / grid).round() * grid } else { value };
            let value = if t == at { value * odd } else { value };
            // Signs that alternate let large sums cancel.
            if alternate && t % 2 == 1 { -(offset + value) } else { offset + value }
        };
        noise.into_iter().enumerate().map(value).collect()
    })
}

fn hostile() -> impl Strategy<Value = Hostile> {
    let scale = prop_oneof![3 => Just(1.0), 1 => Just(1e50), 1 => Just(1e-50)];
    let lists = prop_oneof![
        Just((array![[0, 60]], array![[0, 60], [60, 90]])),
        Just((array![[5, 40], [40, 45], [50, 70]], array![[0, 90]])),
        Just((array![[0, 4], [10, 12], [30, 90]], array![[0, 5], [8, 20], [30, 90]])),
        Just((array![[20, 50], [10, 60], [10, 60]], array![[2, 88]])),
    ];
    let steps = prop::collection::vec((0..3_usize, 0..COLUMNS, any::<bool>()), 1..300);
    let pads = prop::collection::vec(prop_oneof![Just(0.0), -2.0..2.0, Just(1e9)], 3);
    let signals = prop::collection::vec(signal(), 4);
    let hostile = (signals, scale, pads, lists, 1e-4..0.5, steps);
    let made = hostile.prop_map(|(signals, scale, pads, (train, both), delta, steps)| {
        let x = Array2::from_shape_fn((3, SAMPLES), |(row, t)| signals[row][t]);
        let y = Array1::from_iter(signals[3].iter().map(|value| value * scale));
        Hostile { y, x, pads: pads.into(), train, both, delta: delta * scale.clamp(1e-38, 1e38), steps }
    });
    made.no_shrink()
}

/// Takes all steps and looks at every bound after each. With a factor below 1, the bounds are that
/// much tighter than they should be. `Ok(false)` if the bounds are not claimed to hold.
fn follow(hostile: &Hostile, factor: f64) -> Result<bool, String> {
    let (start, stop) = (Array1::from_elem(3, FIRST_LAG), Array1::from_elem(3, FIRST_LAG + COLUMNS as i64));
    let lags = Lags::new(start.view(), stop.view()).unwrap();
    let predictors = Predictors::new(hostile.x.view(), hostile.pads.view()).unwrap();
    let train = Segments::new("split_train", hostile.train.view(), SAMPLES).unwrap();
    let both = Segments::new("split_train_and_validate", hostile.both.view(), SAMPLES).unwrap();
    let split = Split { train, validate: train, train_and_validate: both };

    let (mut basis, mut margins) = (Basis::new(predictors, &lags, Team::of(&Standard, 1)).unwrap(), Margins::default());
    let Some(mut list) = List::new(&basis, &mut margins, &train, &both).unwrap() else { return Ok(false) };
    basis.margins = margins;
    list.precision = list.precision.scaled(factor);
    let settings = Settings::new(hostile.delta).error(ErrorMeasure::L2);
    let Some(shared) = Shared::new(predictors, &lags, &[split], &settings, Team::of(&Standard, 1)).unwrap() else {
        return Ok(false);
    };
    let mut signal = FirstSums::of(hostile.y.as_slice().unwrap());
    let sums = signal.over(&basis, &list, &mut || Ok(())).unwrap();
    let Some(mut state) = State::new(&basis, &list, &signal, sums).unwrap() else {
        return Ok(false);
    };
    let mut replay = Replay::new(hostile.y.view(), predictors, &lags, split, (ErrorMeasure::L2, Path::best())).unwrap();
    check(&basis, &list, &state, &mut replay, hostile.delta)?;
    let mut scratch = Vec::new();
    for &(predictor, column, positive) in &hostile.steps {
        let delta = if positive { hostile.delta } else { -hostile.delta };
        let products = shared.of_split(0).unwrap();
        let column_of = shared.column(products, (predictor, column), &mut scratch).unwrap();
        state.step(&basis, (predictor, column), delta, &column_of[..basis.options()]);
        replay.note(predictor, column, delta).unwrap();
        check(&basis, &list, &state, &mut replay, hostile.delta)?;
    }
    Ok(true)
}

/// Each estimate is within its bound of the number itself, and each number of the reference is
/// where the estimates say that it is.
fn check(basis: &Basis<'_>, list: &List, state: &State<'_>, replay: &mut Replay<'_>, delta: f64) -> Result<(), String> {
    let residual = replay.residual(replay.now()).to_owned();
    let (mut squares, mut magnitude) = (Double::default(), 0.0);
    for t in list.sections.iter().flat_map(|section| section.samples.clone()) {
        squares = squares.plus_product(residual[t], residual[t]);
        magnitude += residual[t] * residual[t];
    }
    holds("sum of squares", squares.minus(state.squares), state.drift.squares)?;
    holds("norm", magnitude.sqrt() * (1.0 - 1e-9) - state.drift.norm, 0.0)?;
    let (low, high) = state.error();
    within("error", replay.number(Origin::Train(replay.now())), (low, high))?;
    for index in 0..basis.options() {
        let (predictor, column) = basis.option(index);
        let exact = correlation(basis, list, residual.view(), (predictor, column));
        let norm = list.norms[predictor];
        holds("correlation", exact.minus(state.correlations[index]), state.drift.correlation * norm)?;
        let gain = 2.0 * delta * state.correlations[index].abs() - delta * delta * list.squares[index];
        let off = state.drift.option(list.precision, delta, norm) + state.drift.squares;
        let found = replay.better_sign(replay.now(), predictor, column, delta).error;
        within("option", found, (state.squares - gain - off, state.squares - gain + off))?;
    }
    Ok(())
}

fn correlation(basis: &Basis<'_>, list: &List, residual: ArrayView1<'_, f64>, option: (usize, usize)) -> Double {
    let mut sum = Double::default();
    for section in &list.sections {
        for t in section.samples.clone() {
            let seen = section.seen(basis, option.0, FIRST_LAG + option.1 as i64, t as i64);
            sum = sum.plus_product(residual[t], seen);
        }
    }
    sum
}

fn holds(name: &str, difference: f64, bound: f64) -> Result<(), String> {
    // Not `>`, which NaN would pass.
    if difference.abs() <= bound || difference <= 0.0 && bound == 0.0 {
        return Ok(());
    }
    Err(format!("{name} is off by {difference:e}, and the bound is {bound:e}"))
}

fn within(name: &str, number: f64, (low, high): (f64, f64)) -> Result<(), String> {
    if low <= number && number <= high { Ok(()) } else { Err(format!("{name} {number:e} is not in {low:e}..{high:e}")) }
}

proptest! {
    #![proptest_config(cases(96))]
    #[test]
    fn every_number_is_within_its_bound(hostile in hostile()) {
        for path in Path::all() {
            prop_assert_eq!(path.as_widest(|| follow(&hostile, 1.0)).map(|_| ()), Ok(()), "{:?}", path);
        }
    }

    #[test]
    fn long_sums_are_the_same_by_spectra_within_their_bound(hostile in hostile()) {
        prop_assert_eq!(compare_long_sums(&hostile).map(|_| ()), Ok(()));
    }
}

/// Long sums by spectra and one by one, on every instruction set: both within their bound of the
/// exact sums, and so within twice that of each other.
fn compare_long_sums(hostile: &Hostile) -> Result<bool, String> {
    let (count, samples) = hostile.x.dim();
    let (start, stop) = (Array1::from_elem(count, FIRST_LAG), Array1::from_elem(count, FIRST_LAG + COLUMNS as i64));
    let lags = Lags::new(start.view(), stop.view()).unwrap();
    let predictors = Predictors::new(hostile.x.view(), hostile.pads.view()).unwrap();
    let train = Segments::new("split_train", hostile.train.view(), samples).unwrap();
    let both = Segments::new("split_train_and_validate", hostile.both.view(), samples).unwrap();
    for path in Path::all() {
        let mut basis = Basis { path, ..Basis::new(predictors, &lags, Team::of(&Standard, 2)).unwrap() };
        let mut margins = Margins::default();
        let Some(list) = List::new(&basis, &mut margins, &train, &both).unwrap() else { return Ok(false) };
        basis.margins = margins;
        let y = hostile.y.as_slice().unwrap();
        let found = Spectra::new(&basis, &list).unwrap().find(&basis, &list, Some(y), &mut || Ok(())).unwrap();
        assert_eq!(found.long_sums.len(), count);
        for (predictor, together) in found.long_sums.iter().enumerate() {
            let alone = gram::long_sums(&basis, &list, predictor, &mut || Ok(())).unwrap();
            all_near("long sum", &alone, together, |other| (list.norms[predictor], list.norms[other]), &list)?;
        }
        let mut first = FirstSums::of(y);
        let alone = first.over(&basis, &list, &mut || Ok(())).unwrap();
        let together = first.with_long(&basis, &list, found.correlations);
        let norm = list.precision.norm(alone.squares.sum);
        holds("squares", alone.squares.sum - together.squares.sum, 2.0 * list.precision.squares(norm))?;
        let norms = |other: usize| (norm, list.norms[other]);
        all_near("correlation", &alone.correlations, &together.correlations, norms, &list)?;
    }
    Ok(true)
}

/// Products with each predictor in turn, given the norms of both, within twice the bound of one.
fn all_near(
    name: &str,
    alone: &[f64],
    together: &[f64],
    norms: impl Fn(usize) -> (f64, f64),
    list: &List,
) -> Result<(), String> {
    assert_eq!(alone.len(), together.len());
    alone.iter().zip(together).enumerate().try_for_each(|(index, (alone, together))| {
        let (norm, other) = norms(index % list.norms.len());
        holds(name, alone - together, 2.0 * list.precision.products(norm, other))
    })
}

/// A problem that is nothing special.
fn ordinary() -> Hostile {
    let noise = |seed: usize, t: usize| ((t * t * 7919 + t * 104_729 + seed * 31_337) % 1009) as f64 / 504.5 - 1.0;
    Hostile {
        y: Array1::from_shape_fn(SAMPLES, |t| noise(9, t)),
        x: Array2::from_shape_fn((3, SAMPLES), |(row, t)| noise(row, t) + 0.1),
        pads: array![0.0, 0.5, -1.0],
        train: array![[5, 40], [40, 45], [50, 70]],
        both: array![[0, 90]],
        delta: 0.05,
        steps: (0..200).map(|step| (step % 3, step * 5 % COLUMNS, step % 4 == 0)).collect(),
    }
}

#[test]
fn a_bound_that_is_too_tight_is_found_out() {
    assert_eq!(follow(&ordinary(), 1.0), Ok(true));
    let error = follow(&ordinary(), 1e-5).unwrap_err();
    assert!(error.contains("is off by") || error.contains("is not in"), "{error}");
}

#[test]
fn bounds_are_claimed_for_what_numbers_can_hold_only() {
    let claimed = |change: &dyn Fn(&mut Hostile)| {
        let mut hostile = ordinary();
        change(&mut hostile);
        follow(&hostile, 1.0).unwrap()
    };
    assert!(claimed(&|_| {}));
    assert!(claimed(&|hostile| hostile.x.row_mut(1).fill(0.0)));
    assert!(!claimed(&|hostile| hostile.y.iter_mut().for_each(|value| *value *= 1e150)));
    assert!(!claimed(&|hostile| hostile.y.iter_mut().for_each(|value| *value *= 1e-150)));
    assert!(!claimed(&|hostile| hostile.y.iter_mut().for_each(|value| *value *= 1e-200)));
    assert!(!claimed(&|hostile| hostile.x.row_mut(0).fill(1e-320)));
    assert!(!claimed(&|hostile| hostile.x.row_mut(0).fill(1e100)));
    assert!(!claimed(&|hostile| hostile.delta = 1e-50));
    // Segments that are updated twice, or in part.
    assert!(!claimed(&|hostile| hostile.both = array![[0, 50], [40, 90]]));
    assert!(!claimed(&|hostile| hostile.both = array![[0, 42], [42, 90]]));
}

#[test]
fn long_sums_by_spectra_are_long_sums() {
    assert_eq!(compare_long_sums(&ordinary()), Ok(true));
}

/// Pairs fill vectors of eight, or part of them, once or twice over; blocks fill batches, or part of them;
/// one segment is too short for spectra, and none of them begins or ends with zeros.
#[test]
fn long_sums_by_spectra_are_long_sums_for_any_number_of_predictors() {
    for count in (1..=9).chain([15, 16, 17, 24, 31]) {
        let noise = |seed: usize, t: usize| ((t * t * 7919 + t * 104_729 + seed * 31_337) % 1009) as f64 / 504.5 - 1.0;
        let hostile = Hostile {
            y: Array1::from_shape_fn(800, |t| noise(99, t) - 0.3),
            x: Array2::from_shape_fn((count, 800), |(row, t)| noise(row, t) + 0.1),
            pads: Array1::from_shape_fn(count, |row| row as f64 / 2.0 - 1.0),
            train: array![[5, 500], [502, 506], [540, 795]],
            both: array![[0, 800]],
            ..ordinary()
        };
        assert_eq!(compare_long_sums(&hostile), Ok(true), "{count} predictors");
    }
}

#[test]
fn precision_is_no_better_than_a_running_sum() {
    let precision = Precision::of_terms(1000);
    assert!(precision.squares(1.0) >= 1000.0 * f64::EPSILON / 2.0);
}
