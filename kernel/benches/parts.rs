//! What the parts of a fit cost, through the public functions that they dominate.
//!
//! `cargo bench -p trfboost-kernel`, for work on the engines: the vector path is the widest of the
//! machine, as for callers. Parts that are private are seen in a fit in which little else happens:
//!
//! - `pack`, of the predictors, with all that is done once per call: a fit whose steps are so large that
//!   none lowers the error, so that it ends after its first sweep. For l2 that is the first correlations,
//!   the long sums of Fourier transforms; for l1 it is the choice of the engine as well.
//! - `gram_column`: the same signal with one predictor, so that each of its steps after the first brings
//!   a column of the Gram matrix, or finds it there.
//! - `step`: a fit of many steps. What it takes beyond `pack`, by the number of its steps, is a step.

use std::f64::consts::TAU;

use divan::{Bencher, black_box};
use ndarray::{Array1, Array2, Axis, array};
use trfboost_kernel::{
    ErrorMeasure, Fit, Lags, Predictors, Segments, Settings, Split, Sweep, boosting_fit, convolve, error_for_indexes,
    generate_options, update_error,
};

const SAMPLES: usize = 20_000;
const COUNT: usize = 16;
const LAGS: i64 = 60;
const DELTA: f64 = 0.005;

fn main() {
    divan::main();
}

/// Smooth predictors, and a signal that follows three of them.
struct Inputs {
    y: Array1<f64>,
    x: Array2<f64>,
    pads: Array1<f64>,
    start: Array1<i64>,
    stop: Array1<i64>,
    /// Train, validate, both.
    lists: [Array2<i64>; 3],
}

impl Inputs {
    fn new(count: usize) -> Self {
        let noise = |t: usize, seed: usize| (((t * 7919 + seed * 104_729) % 10_007) as f64 / 5003.5) - 1.0;
        let x = Array2::from_shape_fn((count, SAMPLES), |(i, t)| {
            (TAU * t as f64 / (40.0 + 9.0 * i as f64)).sin() + 0.5 * noise(t, i)
        });
        let follows = |t: usize| (0..3).map(|i| 0.3 * x[[i % count, t.saturating_sub(5 * i)]]).sum::<f64>();
        let y = Array1::from_shape_fn(SAMPLES, |t| follows(t) + noise(t, 99));
        let (samples, most) = (SAMPLES as i64, SAMPLES as i64 * 9 / 10);
        Self {
            y,
            x,
            pads: Array1::zeros(count),
            start: Array1::zeros(count),
            stop: Array1::from_elem(count, LAGS),
            lists: [array![[0, most]], array![[most, samples]], array![[0, samples]]],
        }
    }

    fn predictors(&self) -> Predictors<'_> {
        Predictors::new(self.x.view(), self.pads.view()).expect("they are well formed")
    }

    fn lags(&self) -> Lags<'_> {
        Lags::new(self.start.view(), self.stop.view()).expect("they are well formed")
    }

    fn segments(&self, which: usize) -> Segments<'_> {
        Segments::new("segments", self.lists[which].view(), SAMPLES).expect("they are well formed")
    }

    fn fit(&self, error: ErrorMeasure, delta: f64) -> Fit {
        let [train, validate, train_and_validate] = [0, 1, 2].map(|which| self.segments(which));
        let split = Split { train, validate, train_and_validate };
        let settings = Settings::new(delta).mindelta(delta).error(error);
        let fit = boosting_fit(self.y.view(), &self.predictors(), &self.lags(), &split, &settings, None);
        fit.expect("a fit")
    }
}

const MEASURES: [ErrorMeasure; 2] = [ErrorMeasure::L1, ErrorMeasure::L2];

#[divan::bench(args = MEASURES)]
fn sweep(bencher: Bencher, error: ErrorMeasure) {
    let inputs = Inputs::new(COUNT);
    let active = Array1::ones(COUNT);
    let (mut errors, mut signs) = (Array2::zeros((COUNT, LAGS as usize)), Array2::zeros((COUNT, LAGS as usize)));
    bencher.bench_local(|| {
        let sweep = Sweep {
            predictors: inputs.predictors(),
            active: active.view(),
            lags: inputs.lags(),
            i_start: 0,
            indexes: inputs.segments(0),
            error,
            delta: DELTA,
        };
        generate_options(inputs.y.view(), &sweep, errors.view_mut(), signs.view_mut())
    });
}

#[divan::bench(args = MEASURES)]
fn pack(bencher: Bencher, error: ErrorMeasure) {
    let inputs = Inputs::new(COUNT);
    bencher.bench_local(|| inputs.fit(error, 1e3));
}

#[divan::bench(args = MEASURES)]
fn step(bencher: Bencher, error: ErrorMeasure) {
    let inputs = Inputs::new(COUNT);
    let steps = inputs.fit(error, DELTA).history.len() - 1;
    bencher.counter(divan::counter::ItemsCount::new(steps)).bench_local(|| inputs.fit(error, DELTA));
}

#[divan::bench]
fn gram_column(bencher: Bencher) {
    let inputs = Inputs::new(1);
    bencher.bench_local(|| inputs.fit(ErrorMeasure::L2, DELTA));
}

#[divan::bench]
fn update(bencher: Bencher) {
    let inputs = Inputs::new(1);
    let mut residual = inputs.y.clone();
    bencher.bench_local(|| {
        let x = black_box(inputs.x.index_axis(Axis(0), 0));
        update_error(residual.view_mut(), x, 0.0, &inputs.segments(2), DELTA, 7)
    });
}

#[divan::bench(args = MEASURES)]
fn error_of_residual(bencher: Bencher, error: ErrorMeasure) {
    let inputs = Inputs::new(1);
    bencher.bench_local(|| error_for_indexes(black_box(inputs.y.view()), &inputs.segments(0), error));
}

/// A filter as fits find them: most of it is zero.
#[divan::bench]
fn prediction(bencher: Bencher) {
    let inputs = Inputs::new(COUNT);
    let h = inputs.fit(ErrorMeasure::L2, DELTA).h;
    let mut out = Array1::zeros(SAMPLES);
    bencher.bench_local(|| convolve(h.view(), &inputs.predictors(), 0, &inputs.segments(2), out.view_mut()));
}
