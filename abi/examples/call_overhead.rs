//! What a call costs that has next to nothing to do: the kernel called from Rust, and the same through
//! the functions of the shared library.
//!
//! `call_overhead LIBRARY` prints a line per function: its name, nanoseconds of the kernel, nanoseconds
//! of the library. The problem is the smallest that every function takes: four samples, one predictor
//! that is 1, one lag, and a signal of zeros, on which a fit ends after its first sweep.
//! `tests/bench/overhead.py` has the same problem, and puts other languages beside it.

use std::error::Error;
use std::hint::black_box;
use std::ptr::{null, null_mut};
use std::time::Instant;

use libloading::Library;
use ndarray::{Array1, Array2, Array3, Axis, arr1, arr2, arr3};
use trfboost::View;
use trfboost::signature::{BoostingFit, BoostingRuns, Convolve, ErrorForIndexes, GenerateOptions, UpdateError};
use trfboost_abi_check::{Descriptor, Dtype};
use trfboost_kernel::{
    ErrorMeasure, Lags, Predictors, Schedule, Segments, Settings, Split, Sweep, boosting_fit, boosting_runs, convolve,
    error_for_indexes, generate_options, update_error,
};

const ROUNDS: usize = 15;
/// Seconds that a round lasts, about: short, since the fastest is the one that nothing disturbed.
const ROUND: f64 = 0.01;

const DELTA: f64 = 0.1;
const L1: i32 = 1;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: call_overhead LIBRARY")?;
    // SAFETY: the library is this crate's, and runs no code when it is loaded.
    let library = unsafe { Library::new(path)? };
    let (mut of_rust, mut of_c) = (Smallest::new(), Smallest::new());
    let there = through_library(&library, &mut of_c)?;
    for ((name, here), there) in directly(&mut of_rust).into_iter().zip(there) {
        println!("{name} {here:.0} {there:.0}");
    }
    Ok(())
}

/// Nanoseconds per call, the fewest of several rounds.
fn nanoseconds(mut call: impl FnMut()) -> f64 {
    let mut round = |calls: u32| {
        let begin = Instant::now();
        (0..calls).for_each(|_| call());
        begin.elapsed().as_secs_f64() / f64::from(calls)
    };
    let calls = (ROUND / round(100)).clamp(10.0, 1e6) as u32;
    (0..ROUNDS).map(|_| round(calls)).fold(f64::INFINITY, f64::min) * 1e9
}

/// The arrays of the smallest problem; each has another name in each function that takes it.
struct Smallest {
    y: Array2<f64>,
    x: Array2<f64>,
    pads: Array1<f64>,
    active: Array1<i8>,
    start: Array1<i64>,
    stop: Array1<i64>,
    /// Train, validate, both.
    lists: [Array3<i64>; 3],
    residual: Array1<f64>,
    new_error: Array2<f64>,
    new_sign: Array2<i8>,
}

impl Smallest {
    fn new() -> Self {
        Self {
            y: Array2::zeros((1, 4)),
            x: Array2::ones((1, 4)),
            pads: arr1(&[0.0]),
            active: arr1(&[1]),
            start: arr1(&[0]),
            stop: arr1(&[1]),
            lists: [[0, 2], [2, 4], [0, 4]].map(|segment| arr3(&[[segment]])),
            residual: Array1::zeros(4),
            new_error: Array2::zeros((1, 1)),
            new_sign: arr2(&[[0]]),
        }
    }

    // What these check is part of each call, as for whoever comes with arrays.

    fn predictors(&self) -> Predictors<'_> {
        Predictors::new(self.x.view(), self.pads.view()).expect("it is well formed")
    }

    fn lags(&self) -> Lags<'_> {
        Lags::new(self.start.view(), self.stop.view()).expect("it is well formed")
    }

    fn segments(&self, which: usize) -> Segments<'_> {
        Segments::new("segments", self.lists[which].index_axis(Axis(0), 0), 4).expect("it is well formed")
    }

    fn split(&self) -> Split<'_> {
        Split { train: self.segments(0), validate: self.segments(1), train_and_validate: self.segments(2) }
    }
}

/// By the kernel. What goes wrong would go wrong at the first call.
fn directly(problem: &mut Smallest) -> [(&'static str, f64); 6] {
    let settings = Settings::new(DELTA);
    let mut new = (problem.new_error.clone(), problem.new_sign.clone());
    let mut residual = problem.residual.clone();
    let problem = &*problem;
    let y = problem.y.row(0);
    [
        ("generate_options", {
            nanoseconds(|| {
                let sweep = Sweep {
                    predictors: problem.predictors(),
                    active: problem.active.view(),
                    lags: problem.lags(),
                    i_start: 0,
                    indexes: problem.segments(2),
                    error: ErrorMeasure::L1,
                    delta: DELTA,
                };
                generate_options(black_box(y), &sweep, new.0.view_mut(), new.1.view_mut()).expect("no fault");
            })
        }),
        ("update_error", {
            let x = problem.x.row(0);
            nanoseconds(|| {
                let segments = problem.segments(2);
                update_error(residual.view_mut(), black_box(x), 0.0, &segments, DELTA, 0).expect("no fault");
            })
        }),
        ("error_for_indexes", {
            nanoseconds(|| {
                let segments = problem.segments(2);
                black_box(error_for_indexes(black_box(y), &segments, ErrorMeasure::L1)).expect("no fault");
            })
        }),
        ("boosting_fit", {
            nanoseconds(|| {
                let (predictors, lags, split) = (problem.predictors(), problem.lags(), problem.split());
                black_box(boosting_fit(black_box(y), &predictors, &lags, &split, &settings, None)).expect("no fault");
            })
        }),
        ("boosting_runs", {
            nanoseconds(|| {
                let (predictors, lags, splits) = (problem.predictors(), problem.lags(), [problem.split()]);
                let schedule = Schedule { threads: 1, ..Schedule::default() };
                let runs = boosting_runs(black_box(problem.y.view()), &predictors, &lags, &splits, &settings, schedule);
                black_box(runs).expect("no fault");
            })
        }),
        ("convolve", {
            let h = Array2::zeros((1, 1));
            nanoseconds(|| {
                let (predictors, segments) = (problem.predictors(), problem.segments(2));
                convolve(black_box(h.view()), &predictors, 0, &segments, residual.view_mut()).expect("no fault");
            })
        }),
    ]
}

/// A descriptor of an array in C order, as a caller has it ready.
fn view<T>(dtype: Dtype, shape: &[usize], data: *const T) -> View {
    let (head, mut stride) = (Descriptor::EMPTY, size_of::<T>() as i64);
    let (mut lengths, mut strides) = (head.shape, head.strides);
    for (axis, &length) in shape.iter().enumerate().rev() {
        (lengths[axis], strides[axis]) = (length as i64, stride);
        stride *= length as i64;
    }
    View {
        magic: head.magic,
        size: head.size,
        version: head.version,
        dtype: dtype.0,
        ndim: shape.len() as i32,
        flags: 0,
        data: data.cast_mut().cast(),
        base: data.cast(),
        extent: stride as u64,
        shape: lengths,
        strides,
    }
}

/// Through the shared library.
fn through_library(library: &Library, problem: &mut Smallest) -> Result<[f64; 6], libloading::Error> {
    const F64: Dtype = Dtype::FLOAT64;
    const I64: Dtype = Dtype::INT64;
    let (y, y_row) = (view(F64, &[1, 4], problem.y.as_ptr()), view(F64, &[4], problem.y.as_ptr()));
    let (x, x_row) = (view(F64, &[1, 4], problem.x.as_ptr()), view(F64, &[4], problem.x.as_ptr()));
    let (pads, active) = (view(F64, &[1], problem.pads.as_ptr()), view(Dtype::INT8, &[1], problem.active.as_ptr()));
    let (start, stop) = (view(I64, &[1], problem.start.as_ptr()), view(I64, &[1], problem.stop.as_ptr()));
    let lists = problem.lists.each_ref().map(|list| view(I64, &[1, 2], list.as_ptr()));
    let stacked = problem.lists.each_ref().map(|list| view(I64, &[1, 1, 2], list.as_ptr()));
    let residual = view(F64, &[4], problem.residual.as_mut_ptr());
    let (new_error, new_sign) = (problem.new_error.as_mut_ptr(), problem.new_sign.as_mut_ptr());
    let (h, hs) = (view(F64, &[1, 1], new_error), view(F64, &[1, 1, 1, 1], new_error));
    let (sign, mut sum) = (view(Dtype::INT8, &[1, 1], new_sign), 0.0);
    let [train, validate, both] = &lists;
    let [trains, validates, boths] = &stacked;

    macro_rules! time {
        ($type:ty, $name:literal, $($argument:expr),+) => {{
            // SAFETY: the type is that which the library holds its function against.
            let function = unsafe { library.get::<$type>($name)? };
            nanoseconds(|| {
                // SAFETY: each view describes an array of `problem`, which nobody else has.
                let status = unsafe { function($($argument),+, null_mut()) };
                assert_eq!(status, 0);
            })
        }};
    }
    Ok([
        time!(
            GenerateOptions,
            "trfb_generate_options",
            &y_row,
            &x,
            &pads,
            &active,
            both,
            0,
            &start,
            &stop,
            L1,
            DELTA,
            &h,
            &sign
        ),
        time!(UpdateError, "trfb_update_error", &residual, &x_row, 0.0, both, DELTA, 0),
        time!(ErrorForIndexes, "trfb_error_for_indexes", &y_row, both, L1, &raw mut sum),
        time!(
            BoostingFit,
            "trfb_boosting_fit",
            &y_row,
            &x,
            &pads,
            train,
            validate,
            both,
            &start,
            &stop,
            DELTA,
            DELTA,
            L1,
            0,
            &h,
            null(),
            null_mut()
        ),
        time!(
            BoostingRuns,
            "trfb_boosting_runs",
            &y,
            &x,
            &pads,
            trains,
            validates,
            boths,
            &start,
            &stop,
            DELTA,
            DELTA,
            L1,
            0,
            1,
            &hs,
            &sign,
            null(),
            null(),
            None,
            null_mut()
        ),
        time!(Convolve, "trfb_convolve", &h, &x, &pads, 0, both, &residual),
    ])
}
