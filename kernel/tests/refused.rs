//! Input that is refused: for each kind the error, which names the argument, and outputs that stay
//! as they were.

use std::ops::ControlFlow;

use ndarray::{Array1, Array2, ArrayView1, array};
use trfboost_kernel::{
    Error, ErrorMeasure, Fit, Lags, Predictors, Schedule, Segments, Settings, Split, Sweep, boosting_fit,
    boosting_runs, convolve, error_for_indexes, generate_options, update_error,
};

/// A call of `boosting_fit` that is fine, to spoil.
#[derive(Clone)]
struct Call {
    y: Array1<f64>,
    x: Array2<f64>,
    pads: Array1<f64>,
    start: Array1<i64>,
    stop: Array1<i64>,
    train: Array2<i64>,
    validate: Array2<i64>,
    /// `None`: what is trained on.
    both: Option<Array2<i64>>,
    settings: Settings,
}

impl Call {
    fn new() -> Self {
        Self {
            y: Array1::from_shape_fn(12, |t| (t % 5) as f64),
            x: Array2::from_shape_fn((2, 12), |(row, t)| ((t * (row + 2)) % 7) as f64),
            pads: array![0.0, 1.0],
            start: array![-1, 0],
            stop: array![2, 2],
            train: array![[0, 4], [6, 9]],
            validate: array![[9, 11]],
            both: None,
            settings: Settings::new(0.1),
        }
    }

    fn spoilt(spoil: impl FnOnce(&mut Self)) -> Self {
        let mut call = Self::new();
        spoil(&mut call);
        call
    }

    fn fit(&self) -> Result<Fit, Error> {
        self.with(|y, predictors, lags, split| boosting_fit(y, predictors, lags, split, &self.settings, None))
    }

    fn runs(&self) -> Result<(), Error> {
        self.with(|y, predictors, lags, split| {
            let y = y.insert_axis(ndarray::Axis(0));
            boosting_runs(y, predictors, lags, &[*split], &self.settings, Schedule::default()).map(drop)
        })
    }

    fn with<T>(
        &self,
        call: impl FnOnce(ArrayView1<'_, f64>, &Predictors<'_>, &Lags<'_>, &Split<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let samples = self.y.len();
        let split = Split {
            train: Segments::new("split_train", self.train.view(), samples)?,
            validate: Segments::new("split_validate", self.validate.view(), samples)?,
            train_and_validate: Segments::new(
                "split_train_and_validate",
                self.both.as_ref().unwrap_or(&self.train).view(),
                samples,
            )?,
        };
        let predictors = Predictors::new(self.x.view(), self.pads.view())?;
        call(self.y.view(), &predictors, &Lags::new(self.start.view(), self.stop.view())?, &split)
    }
}

#[test]
fn fits_refuse_what_they_cannot_answer() {
    assert!(Call::new().fit().is_ok());
    let cases: Vec<(&str, &str, Call)> = vec![
        ("x_pads: axis 0 has length 1, expected 2 as in x", "x_pads", Call::spoilt(|call| call.pads = array![0.0])),
        (
            "i_start_by_x: axis 0 has length 1, expected 2 as in x",
            "i_start_by_x",
            Call::spoilt(|call| (call.start, call.stop) = (array![0], array![2])),
        ),
        (
            "i_stop_by_x: axis 0 has length 3, expected 2 as in i_start_by_x",
            "i_stop_by_x",
            Call::spoilt(|call| call.stop = array![2, 2, 2]),
        ),
        (
            "split_train: axis 1 has length 3, expected 2 as in start, stop",
            "split_train",
            Call::spoilt(|call| call.train = array![[0, 1, 2]]),
        ),
        (
            "split_train: row 1 is (6, 13), expected 0 <= start <= stop <= 12",
            "split_train",
            Call::spoilt(|call| call.train = array![[0, 4], [6, 13]]),
        ),
        (
            "split_validate: row 0 is (-2, 5), expected 0 <= start <= stop <= 12",
            "split_validate",
            Call::spoilt(|call| call.validate = array![[-2, 5]]),
        ),
        (
            "split_validate: row 0 is (5, 4), expected 0 <= start <= stop <= 12",
            "split_validate",
            Call::spoilt(|call| call.validate = array![[5, 4]]),
        ),
        (
            "i_stop_by_x: is -3 for predictor 1, expected at least i_start_by_x, which is 0",
            "i_stop_by_x",
            Call::spoilt(|call| call.stop[1] = -3),
        ),
        (
            "i_stop_by_x: lags -9223372036854775808 to 2 are more than a filter can have",
            "i_stop_by_x",
            Call::spoilt(|call| call.start[0] = i64::MIN),
        ),
        ("delta: is 0, expected a finite number > 0", "delta", Call::spoilt(|call| call.settings.delta = 0.0)),
        (
            "delta: is inf, expected a finite number > 0",
            "delta",
            Call::spoilt(|call| call.settings.delta = f64::INFINITY),
        ),
        (
            "mindelta: is -1, expected a finite number > 0",
            "mindelta",
            Call::spoilt(|call| call.settings.mindelta = -1.0),
        ),
        (
            "mindelta: is NaN, expected a finite number > 0",
            "mindelta",
            Call::spoilt(|call| call.settings.mindelta = f64::NAN),
        ),
        (
            "x_pads: the pad of predictor 1 is NaN, expected finite numbers",
            "x_pads",
            Call::spoilt(|call| call.pads[1] = f64::NAN),
        ),
        (
            "x: row 1, sample 7 is -inf, expected finite numbers; leave bad samples out of the segments, or replace them",
            "x",
            Call::spoilt(|call| call.x[[1, 7]] = f64::NEG_INFINITY),
        ),
        (
            "y: sample 10 is NaN, expected finite numbers; leave bad samples out of the segments, or replace them",
            "y",
            Call::spoilt(|call| call.y[10] = f64::NAN),
        ),
        (
            "i_stop_by_x: no predictor has a lag, so that there is nothing to choose from",
            "i_stop_by_x",
            Call::spoilt(|call| call.stop = call.start.clone()),
        ),
        (
            "y: the error of every option is infinite at step 0; scale y and x, for example to unit variance",
            "y",
            Call::spoilt(|call| {
                call.y *= 1e200;
                call.settings.error = ErrorMeasure::L2;
            }),
        ),
    ];
    for (sentence, argument, call) in cases {
        let error = call.fit().expect_err(sentence);
        assert_eq!((error.to_string().as_str(), error.argument()), (sentence, Some(argument)));
        let error = call.runs().expect_err(sentence);
        let in_row = sentence.replace("y: sample", "y: row 0, sample");
        assert_eq!((error.to_string(), error.argument()), (in_row, Some(argument)));
    }
}

#[test]
fn numbers_outside_of_segments_do_not_matter() {
    let call = Call::spoilt(|call| {
        call.y[5] = f64::NAN;
        call.y[11] = f64::INFINITY;
        call.x[[0, 4]] = f64::NAN;
        call.train = array![[0, 4], [6, 9], [-1, -1], [99, -99]];
    });
    assert_eq!(call.fit().unwrap().h, Call::new().fit().unwrap().h);
}

#[test]
fn memory_that_cannot_be_had_is_an_error() {
    let call = Call::spoilt(|call| call.stop[0] = 1 << 60);
    assert!(matches!(call.fit(), Err(Error::OutOfMemory { .. })));
    let call = Call::spoilt(|call| call.stop[0] = (1 << 62) - 1);
    assert_eq!(call.fit(), Err(Error::OutOfMemory { bytes: u64::MAX }));
}

#[test]
fn a_fit_that_would_not_end_is_an_error() {
    // A residual of 1e6 and steps of 1e-3 in one option: a billion steps, were there no limit.
    for (error, selective) in
        [(ErrorMeasure::L1, 0), (ErrorMeasure::L1, 2), (ErrorMeasure::L2, 0), (ErrorMeasure::L2, 2)]
    {
        let call = Call::spoilt(|call| {
            call.y.fill(1e6);
            call.x.fill(1.0);
            call.settings = Settings::new(1e-3).error(error).selective_stopping(selective);
            (call.start, call.stop) = (array![0, 0], array![1, 0]);
        });
        let outcome = call.fit().unwrap_err();
        assert_eq!(outcome, Error::TooManySteps { delta: 1e-3, steps: 999_999 }, "{error:?}, {selective}");
    }
}

/// At once, since all of them together would take an hour.
#[test]
fn so_is_a_fit_whose_steps_change_nothing() {
    type Change = fn(&mut Call);
    let cases: [(&str, Change); 6] = [
        ("no sample", |call| {
            (call.y, call.x) = (Array1::zeros(0), Array2::zeros((2, 0)));
            (call.train, call.validate) = (array![[0, 0]], array![[0, 0]]);
        }),
        ("no segment", |call| {
            (call.train, call.validate) = (Array2::zeros((0, 2)), Array2::zeros((0, 2)));
        }),
        ("nothing to judge by", |call| {
            (call.train, call.validate) = (array![[3, 3]], array![[9, 9]]);
            call.both = Some(array![[0, 12]]);
        }),
        ("nothing that steps are taken off", |call| call.both = Some(array![[-1, -1]])),
        ("a predictor that is 0", |call| {
            call.x.row_mut(0).fill(0.0);
            call.y.fill(0.0);
            call.pads.fill(0.0);
        }),
        ("a predictor that delta makes 0", |call| {
            (call.x, call.pads) = (call.x.mapv(|x| x * 1e-320), array![0.0, 0.0]);
            call.settings.delta = 1e-10;
            call.settings.mindelta = 1e-10;
        }),
    ];
    for (name, change) in cases {
        for (error, stopping) in [(ErrorMeasure::L1, 0), (ErrorMeasure::L2, 0), (ErrorMeasure::L1, 2)] {
            let mut call = Call::spoilt(change);
            call.settings = call.settings.error(error).selective_stopping(stopping);
            let mut polls = 0;
            let mut progress = |_| {
                polls += 1;
                ControlFlow::Continue(())
            };
            let found = call.with(|y, predictors, lags, split| {
                boosting_fit(y, predictors, lags, split, &call.settings, Some(&mut progress))
            });
            assert_eq!(found, Err(Error::TooManySteps { delta: call.settings.delta, steps: 999_999 }), "{name}");
            assert!(polls < 2, "{name}");
        }
    }
}

#[test]
fn without_a_fit_there_is_nothing_to_refuse() {
    let call = Call::spoilt(|call| call.stop = call.start.clone());
    let runs = call.with(|y, predictors, lags, split| {
        let none = y.insert_axis(ndarray::Axis(0));
        let none = none.slice_axis(ndarray::Axis(0), (0..0).into());
        let settings = &call.settings;
        let no_signal = boosting_runs(none, predictors, lags, &[*split], settings, Schedule::default())?;
        let no_split =
            boosting_runs(y.insert_axis(ndarray::Axis(0)), predictors, lags, &[], settings, Schedule::default())?;
        Ok((no_signal, no_split))
    });
    let (no_signal, no_split) = runs.unwrap();
    assert_eq!((no_signal.hs.shape(), no_split.hs.shape()), (&[1, 0, 2, 1][..], &[0, 1, 2, 1][..]));
}

#[test]
fn options_refuse_what_does_not_fit_and_leave_the_outputs() {
    type Spoil = fn(&mut Options);
    struct Options {
        columns: (usize, usize),
        rows: usize,
        active: usize,
        i_start: i64,
        delta: f64,
        samples: usize,
    }
    let cases: [(&str, Spoil); 8] = [
        (
            "i_start_by_x: lags -1..2 of predictor 0 do not fit new_error, whose 3 columns begin at lag i_start = 0",
            |o| {
                o.i_start = 0;
            },
        ),
        (
            "i_stop_by_x: lags -1..2 of predictor 0 do not fit new_error, whose 2 columns begin at lag i_start = -1",
            |o| {
                o.columns = (2, 2);
            },
        ),
        ("new_sign: axis 1 has length 2, expected 3 as in new_error", |o| o.columns = (3, 2)),
        ("new_error: axis 0 has length 3, expected 2 as in x", |o| o.rows = 3),
        ("x_active: axis 0 has length 1, expected 2 as in x", |o| o.active = 1),
        ("delta: is -1, expected a finite number > 0", |o| o.delta = -1.0),
        ("delta: is NaN, expected a finite number > 0", |o| o.delta = f64::NAN),
        ("x: axis 1 has length 12, expected 11 as in y_error", |o| o.samples = 11),
    ];
    for (sentence, spoil) in cases {
        let mut options = Options { columns: (3, 3), rows: 2, active: 2, i_start: -1, delta: 0.1, samples: 12 };
        spoil(&mut options);
        let call = Call::new();
        let active = Array1::from_elem(options.active, 0_i8);
        let mut new_error = Array2::from_elem((options.rows, options.columns.0), -7.0);
        let mut new_sign = Array2::from_elem((options.rows, options.columns.1), 7_i8);
        let error = call.with(|y, predictors, lags, split| {
            let sweep = Sweep {
                predictors: predictors.reborrow(),
                active: active.view(),
                lags: lags.reborrow(),
                i_start: options.i_start,
                indexes: split.train.reborrow(),
                error: ErrorMeasure::L1,
                delta: options.delta,
            };
            let y = y.split_at(ndarray::Axis(0), options.samples).0;
            generate_options(y, &sweep, new_error.view_mut(), new_sign.view_mut())
        });
        assert_eq!(error.expect_err(sentence).to_string(), sentence);
        assert!(new_error.iter().all(|&error| error == -7.0) && new_sign.iter().all(|&sign| sign == 7));
    }
}

#[test]
fn the_parts_of_a_step_refuse_what_does_not_fit() {
    let (x, rows) = (array![1.0, 2.0, 3.0], array![[0, 3]]);
    let indexes = Segments::new("indexes", rows.view(), 3).unwrap();
    let mut residual = array![1.0, 1.0, 1.0];
    let short = array![1.0];

    let error = error_for_indexes(short.view(), &indexes, ErrorMeasure::L1).unwrap_err();
    assert_eq!(error.to_string(), "x: axis 0 has length 1, expected 3 as in indexes");
    let error = update_error(residual.view_mut(), short.view(), 0.0, &indexes, 0.1, 0).unwrap_err();
    assert_eq!(error.to_string(), "x: axis 0 has length 1, expected 3 as in y_error");
    let error = update_error(residual.view_mut(), x.view(), 0.0, &indexes, f64::NAN, 0).unwrap_err();
    assert_eq!(error.to_string(), "delta: is NaN, expected a finite number");

    let (x, pads, h) = (array![[1.0, 2.0, 3.0]], array![0.0], array![[1.0], [2.0]]);
    let predictors = Predictors::new(x.view(), pads.view()).unwrap();
    let error = convolve(h.view(), &predictors, 0, &indexes, residual.view_mut()).unwrap_err();
    assert_eq!(error.to_string(), "h: axis 0 has length 2, expected 1 as in x");
    assert_eq!(residual, array![1.0, 1.0, 1.0]);
}
