//! Random estimation problems, owned, with the views that the functions take.
//!
//! Values can be rounded to a coarse grid, which makes options tie exactly: the place where an
//! implementation that is merely close shows itself.

use ndarray::{Array1, Array2};
use proptest::prelude::*;
use trfboost_kernel::{ErrorMeasure, Lags, Predictors, Segments, Settings, Split};

#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) y: Array2<f64>,
    pub(crate) x: Array2<f64>,
    pub(crate) pads: Array1<f64>,
    pub(crate) start: Array1<i64>,
    pub(crate) stop: Array1<i64>,
    pub(crate) train: Array2<i64>,
    pub(crate) validate: Array2<i64>,
    pub(crate) both: Array2<i64>,
    pub(crate) settings: Settings,
}

impl Problem {
    pub(crate) fn samples(&self) -> usize {
        self.y.ncols()
    }

    pub(crate) fn predictors(&self) -> Predictors<'_> {
        Predictors::new(self.x.view(), self.pads.view()).unwrap()
    }

    pub(crate) fn lags(&self) -> Lags<'_> {
        Lags::new(self.start.view(), self.stop.view()).unwrap()
    }

    pub(crate) fn split(&self) -> Split<'_> {
        Split {
            train: Segments::new("split_train", self.train.view(), self.samples()).unwrap(),
            validate: Segments::new("split_validate", self.validate.view(), self.samples()).unwrap(),
            train_and_validate: Segments::new("split_train_and_validate", self.both.view(), self.samples()).unwrap(),
        }
    }
}

/// How many cases to try; a failure is printed whole, so that no file has to keep it.
pub(crate) fn cases(count: u32) -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(count) }
}

/// Problems of up to 3 signals, 4 predictors and some 60 samples each.
pub(crate) fn problems() -> impl Strategy<Value = Problem> {
    (1..=3_usize, 1..=4_usize, 48..=80_usize, any::<bool>()).prop_flat_map(|(signals, count, samples, coarse)| {
        let values = |rows| matrix(rows, samples, coarse);
        let lags = prop::collection::vec((-6..=4_i64, 1..=8_i64), count);
        let pads = prop::collection::vec(prop_oneof![Just(0.0), -1.0..1.0], count);
        let cut = samples as i64 * 3 / 4;
        let lists = (segments(0, cut), segments(cut, samples as i64));
        (values(signals), values(count), pads, lags, lists, settings()).prop_map(
            |(y, x, pads, lags, (train, validate), settings)| Problem {
                start: lags.iter().map(|&(start, _)| start).collect(),
                stop: lags.iter().map(|&(start, length)| start + length).collect(),
                pads: pads.into(),
                both: ndarray::concatenate![ndarray::Axis(0), train, validate],
                y,
                x,
                train,
                validate,
                settings,
            },
        )
    })
}

fn matrix(rows: usize, columns: usize, coarse: bool) -> impl Strategy<Value = Array2<f64>> {
    // Smaller values are no simpler, and zeros take a million steps (see `segments`).
    let values = prop::collection::vec(-2.0..2.0, rows * columns).prop_map(move |values: Vec<f64>| {
        let values = values.into_iter().map(|value| if coarse { (value * 2.0).round() / 2.0 } else { value });
        Array2::from_shape_vec((rows, columns), values.collect()).unwrap()
    });
    values.no_shrink()
}

/// One to three segments in `start..stop`, in order, that may touch, leave gaps or be empty; the
/// first has 16 samples at least, more than any lag: an option that sees nothing but pads of 0
/// changes nothing, wins every tie from then on, and keeps the fit going for a million steps.
fn segments(start: i64, stop: i64) -> impl Strategy<Value = Array2<i64>> {
    prop::collection::vec((start + 16).min(stop)..=stop, 1..=5).prop_map(move |mut bounds| {
        bounds.truncate((bounds.len() - 1) / 2 * 2 + 1);
        bounds.sort_unstable();
        bounds.insert(0, start);
        Array2::from_shape_vec((bounds.len() / 2, 2), bounds).unwrap()
    })
}

fn settings() -> impl Strategy<Value = Settings> {
    let measures = prop_oneof![Just(ErrorMeasure::L1), Just(ErrorMeasure::L2)];
    (0.01..0.3, 0..=2_i32, measures, 0..=3_usize).prop_map(|(delta, halvings, error, selective_stopping)| {
        let mindelta = delta * 0.5_f64.powi(halvings);
        Settings::new(delta).mindelta(mindelta).error(error).selective_stopping(selective_stopping)
    })
}
