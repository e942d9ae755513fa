//! Every instruction set against the reference, to the bit.

use ndarray::{Array1, Array2, array};

use super::{LagErrors, Terms};
use crate::predictors::Padded;
use crate::reference::options::better_sign;
use crate::vectors::Path;
use crate::{ErrorMeasure, Segments};

const SAMPLES: usize = 150;

/// Numbers between -1 and 1 that look random, rounded to multiples of `grid` (0: not at all).
fn signal(seed: u64, grid: f64) -> Array1<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    Array1::from_shape_simple_fn(SAMPLES, || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let value = (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
        if grid > 0.0 { (value / grid).round() * grid } else { value }
    })
}

/// Same bits, or both NaN: which NaN comes of two is the machine's affair.
fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

fn hold(y: &Array1<f64>, x: &Array1<f64>, pad: f64, rows: &Array2<i64>, delta: f64, lags: (i64, i64)) {
    let segments = Segments::new("segments", rows.view(), SAMPLES).unwrap();
    let predictor = Padded { x: x.view(), pad };
    for path in Path::all() {
        let mut errors = LagErrors::default();
        for error in [ErrorMeasure::L1, ErrorMeasure::L2] {
            let terms = Terms { y_error: y.view(), segments, error, delta };
            errors.compute(path, &terms, predictor, lags).unwrap();
            let found: Vec<_> = errors.better().collect();
            assert_eq!(found.len() as u64, lags.1.abs_diff(lags.0));
            for (lag, found) in (lags.0..lags.1).zip(found) {
                let expected = better_sign(y.view(), predictor, &segments, error, delta, lag);
                let agree = same(found.error, expected.error) && found.sign == expected.sign;
                assert!(agree, "{path:?} {error:?} {rows} lag {lag}: {found:?}, expected {expected:?}");
            }
        }
    }
}

#[test]
fn every_lag_of_every_segment_list_has_the_bits_of_the_reference() {
    let lists = [
        array![[0, 150]],
        array![[3, 90], [90, 149]],
        array![[0, 100], [40, 150]],
        array![[100, 150], [0, 1], [7, 7], [20, 23], [30, 70]],
        Array2::zeros((0, 2)),
    ];
    let ranges = [(0, 1), (-1, 0), (0, 60), (-10, 50), (-70, -3), (5, 38), (-170, 170), (3, 3), (149, 152)];
    for (seed, rows) in (1..).zip(&lists) {
        for lags in ranges {
            for grid in [0.0, 0.5] {
                let (y, x) = (signal(seed, grid), signal(seed + 100, grid));
                hold(&y, &x, 0.25, rows, 0.5, lags);
            }
        }
    }
}

#[test]
fn lags_at_the_ends_of_the_number_range_see_the_pad() {
    let (y, x, rows) = (signal(1, 0.0), signal(2, 0.0), array![[0, 70], [80, 150]]);
    for lags in [(i64::MAX - 9, i64::MAX), (i64::MIN, i64::MIN + 9), (1 << 40, (1 << 40) + 9)] {
        hold(&y, &x, -0.75, &rows, 0.1, lags);
    }
}

#[test]
fn numbers_that_are_not_finite_come_as_they_come() {
    let (mut y, mut x) = (signal(1, 0.0), signal(2, 0.0));
    y[20] = f64::INFINITY;
    x[60] = f64::NEG_INFINITY;
    hold(&y, &x, 0.0, &array![[0, 70]], 0.1, (-30, 30));
    y[100] = f64::NAN;
    x[130] = f64::MAX;
    hold(&y, &x, f64::MAX, &array![[0, 150]], 4.0, (-30, 30));
}

#[test]
fn layouts_other_than_contiguous_change_nothing() {
    let (y, x) = (signal(1, 0.0), signal(2, 0.0));
    let mut wide = Array2::zeros((SAMPLES, 3));
    wide.column_mut(1).assign(&x);
    let segments = array![[5, 140]];
    let segments = Segments::new("segments", segments.view(), SAMPLES).unwrap();
    let terms = Terms { y_error: y.view(), segments, error: ErrorMeasure::L1, delta: 0.1 };
    let mut errors = LagErrors::default();
    let mut of = |x| {
        errors.compute(Path::best(), &terms, Padded { x, pad: 0.0 }, (-20, 20)).unwrap();
        errors.better().collect::<Vec<_>>()
    };
    assert_eq!(of(wide.column(1)), of(x.view()));
}
