//! Good calls: the kernel's results, to the bit, for any layout.

use std::ptr;

use ndarray::{Array, Array1, Array2, Axis, Dimension, Ix1, Ix2, Ix3, IxDyn};
use trfboost::{FitResult, View, trfb_error_for_indexes};
use trfboost_kernel::{
    Error, ErrorMeasure, Fit, Lags, Predictors, Runs, Schedule, Segments, Settings, Split, Sweep, boosting_fit,
    boosting_runs, convolve, error_for_indexes, generate_options, update_error,
};

use crate::call::{self, Call, T};
use crate::placed::{CONTIGUOUS, Element, LAYOUTS, Layout};

/// What the outputs of a call should hold, by name, each element as its bits.
type Outputs = Vec<(&'static str, Vec<u64>)>;

fn contiguous(_: &str) -> Layout {
    CONTIGUOUS
}

fn array<E: Element, D: Dimension>(call: &Call, name: &str) -> Array<E, D> {
    let placed = call.array(name);
    let array = Array::from_shape_vec(IxDyn(placed.shape()), placed.read()).unwrap();
    array.into_dimensionality().unwrap()
}

fn floats<'a>(values: impl IntoIterator<Item = &'a f64>) -> Vec<u64> {
    values.into_iter().map(|value| value.to_bits()).collect()
}

fn integers(values: impl IntoIterator<Item = i64>) -> Vec<u64> {
    values.into_iter().map(|value| value as u64).collect()
}

fn bits(call: &Call, name: &str) -> Vec<u64> {
    match name {
        "out" if call.out.is_some() => floats(&call.out),
        "new_sign" | "failed" | "stop" => integers(call.array(name).read::<i8>().into_iter().map(i64::from)),
        "steps" => integers(call.array(name).read::<i64>()),
        _ => floats(&call.array(name).read::<f64>()),
    }
}

/// The owned arguments that the kernel's checked types borrow from.
struct Inputs {
    x: Array2<f64>,
    pads: Array1<f64>,
    start: Array1<i64>,
    stop: Array1<i64>,
}

impl Inputs {
    fn of(call: &Call) -> Self {
        let (x, pads) = (array::<f64, Ix2>(call, "x"), array(call, "x_pads"));
        Self { x, pads, start: array(call, "i_start_by_x"), stop: array(call, "i_stop_by_x") }
    }

    fn predictors(&self) -> Predictors<'_> {
        Predictors::new(self.x.view(), self.pads.view()).unwrap()
    }

    fn lags(&self) -> Lags<'_> {
        Lags::new(self.start.view(), self.stop.view()).unwrap()
    }
}

fn measure(call: &Call) -> ErrorMeasure {
    ErrorMeasure::from_code(call.scalar("error") as i32).unwrap()
}

fn settings(call: &Call) -> Settings {
    let settings = Settings::new(call.scalar("delta")).mindelta(call.scalar("mindelta")).error(measure(call));
    settings.selective_stopping(call.scalar("selective_stopping") as usize)
}

/// What the kernel says to the same call.
fn expected(call: &Call) -> Outputs {
    match call.signature.name {
        "trfb_generate_options" => expected_options(call),
        "trfb_update_error" => expected_update(call),
        "trfb_error_for_indexes" => {
            let (x, rows) = (array::<f64, Ix1>(call, "x"), array::<i64, Ix2>(call, "indexes"));
            let indexes = Segments::new("indexes", rows.view(), x.len()).unwrap();
            vec![("out", floats(&[error_for_indexes(x.view(), &indexes, measure(call)).unwrap()]))]
        }
        "trfb_boosting_fit" => expected_fit(call),
        "trfb_boosting_runs" => expected_runs(call),
        "trfb_convolve" => {
            let (h, mut out) = (array::<f64, Ix2>(call, "h"), array::<f64, Ix1>(call, "out"));
            let (x, pads) = (array::<f64, Ix2>(call, "x"), array::<f64, Ix1>(call, "x_pads"));
            let rows = array::<i64, Ix2>(call, "segments");
            let segments = Segments::new("segments", rows.view(), x.ncols()).unwrap();
            let predictors = Predictors::new(x.view(), pads.view()).unwrap();
            convolve(h.view(), &predictors, call.scalar("i_start") as i64, &segments, out.view_mut()).unwrap();
            vec![("out", floats(&out))]
        }
        other => unreachable!("{other}"),
    }
}

fn expected_options(call: &Call) -> Outputs {
    let (inputs, y_error) = (Inputs::of(call), array::<f64, Ix1>(call, "y_error"));
    let (active, rows) = (array::<i8, Ix1>(call, "x_active"), array::<i64, Ix2>(call, "indexes"));
    let (mut errors, mut signs) = (array::<f64, Ix2>(call, "new_error"), array::<i8, Ix2>(call, "new_sign"));
    let sweep = Sweep {
        predictors: inputs.predictors(),
        active: active.view(),
        lags: inputs.lags(),
        i_start: call.scalar("i_start") as i64,
        indexes: Segments::new("indexes", rows.view(), y_error.len()).unwrap(),
        error: measure(call),
        delta: call.scalar("delta"),
    };
    generate_options(y_error.view(), &sweep, errors.view_mut(), signs.view_mut()).unwrap();
    vec![("new_error", floats(&errors)), ("new_sign", integers(signs.iter().map(|&sign| sign.into())))]
}

fn expected_update(call: &Call) -> Outputs {
    let (mut y_error, x) = (array::<f64, Ix1>(call, "y_error"), array::<f64, Ix1>(call, "x"));
    let rows = array::<i64, Ix2>(call, "indexes");
    let indexes = Segments::new("indexes", rows.view(), x.len()).unwrap();
    let (pad, delta, shift) = (call.scalar("x_pad"), call.scalar("delta"), call.scalar("shift") as i64);
    update_error(y_error.view_mut(), x.view(), pad, &indexes, delta, shift).unwrap();
    vec![("y_error", floats(&y_error))]
}

fn kernel_fit(call: &Call) -> Result<Fit, Error> {
    let (inputs, y) = (Inputs::of(call), array::<f64, Ix1>(call, "y"));
    let lists = ["split_train", "split_validate", "split_train_and_validate"];
    let lists = lists.map(|name| array::<i64, Ix2>(call, name));
    let segments = |index: usize| Segments::new("split", lists[index].view(), y.len());
    let split = Split { train: segments(0)?, validate: segments(1)?, train_and_validate: segments(2)? };
    boosting_fit(y.view(), &inputs.predictors(), &inputs.lags(), &split, &settings(call), None)
}

fn expected_fit(call: &Call) -> Outputs {
    let fit = kernel_fit(call).unwrap();
    let mut history = array::<f64, Ix2>(call, "history");
    for (mut row, entry) in history.axis_iter_mut(Axis(0)).zip(&fit.history) {
        let integers = [entry.i_step, entry.i_stim, entry.i_time].map(|integer| integer as f64);
        let all = integers.into_iter().chain([entry.delta, entry.e_test, entry.e_train]);
        row.iter_mut().zip(all).for_each(|(cell, value)| *cell = value);
    }
    vec![("h", floats(&fit.h)), ("history", floats(&history))]
}

fn kernel_runs(call: &Call) -> Result<Runs, Error> {
    let (inputs, y) = (Inputs::of(call), array::<f64, Ix2>(call, "y"));
    let lists = ["split_train", "split_validate", "split_train_and_validate"];
    let lists = lists.map(|name| array::<i64, Ix3>(call, name));
    let segments =
        |index: usize, split: usize| Segments::new("split", lists[index].index_axis(Axis(0), split), y.ncols());
    let splits: Result<Vec<_>, Error> = (0..lists[0].len_of(Axis(0)))
        .map(|split| {
            let (train, validate) = (segments(0, split)?, segments(1, split)?);
            Ok(Split { train, validate, train_and_validate: segments(2, split)? })
        })
        .collect();
    let schedule = Schedule { threads: 1, ..Schedule::default() };
    boosting_runs(y.view(), &inputs.predictors(), &inputs.lags(), &splits?, &settings(call), schedule)
}

fn expected_runs(call: &Call) -> Outputs {
    let runs = kernel_runs(call).unwrap();
    vec![
        ("hs", floats(&runs.hs)),
        ("failed", integers(runs.failed.iter().map(|&failed| failed.into()))),
        ("steps", integers(runs.steps.iter().copied())),
        ("stop", integers(runs.stop.iter().map(|&stop| stop as i64))),
    ]
}

/// Makes a call and holds all of its memory against what should be there.
fn check_call(mut call: Call, about: &str) {
    let outputs = expected(&call);
    let before: Vec<_> = call.arrays().map(|(_, name, ..)| (name, call.array(name).words().to_vec())).collect();
    let gaps: Vec<_> = call.arrays().map(|(_, name, ..)| call.array(name).gaps()).collect();

    let outcome = call.make();
    assert_eq!((outcome.status, outcome.sentence()), (0, ""), "{about}");
    for (name, expected) in outputs {
        assert_eq!(bits(&call, name), expected, "{about}: {name}");
    }
    for (((_, name, written, _), (_, before)), gaps) in call.arrays().zip(before).zip(gaps) {
        assert_eq!(call.array(name).gaps(), gaps, "{about}: memory between the elements of {name}");
        assert!(written || call.array(name).words() == before, "{about}: {name} is an input");
    }
}

#[test]
fn any_layout_of_all_arrays_gives_the_kernels_bits() {
    for layout in LAYOUTS {
        for call in call::all(&|_| layout) {
            let about = format!("{} with {layout:?}", call.signature.name);
            check_call(call, &about);
        }
    }
}

#[test]
fn any_layout_of_one_array_gives_the_kernels_bits() {
    for layout in LAYOUTS {
        for (index, call) in call::all(&contiguous).into_iter().enumerate() {
            for (_, name, ..) in call.arrays() {
                let one = |array: &str| if array == name { layout } else { CONTIGUOUS };
                let call = call::all(&one).into_iter().nth(index).expect("as many");
                let about = format!("{} with {name} {layout:?}", call.signature.name);
                check_call(call, &about);
            }
        }
    }
}

#[test]
fn every_variant_of_a_fit_gives_the_kernels_bits() {
    for selective_stopping in 0..3 {
        for error in [1, 2] {
            for mut call in [call::fit(&contiguous), call::runs(&contiguous)] {
                call.set("selective_stopping", selective_stopping.into());
                call.set("error", error.into());
                check_call(call, &format!("selective_stopping {selective_stopping}, error {error}"));
            }
        }
    }
}

#[test]
fn the_result_tells_of_the_fit_whatever_the_room_in_the_history() {
    let fit = kernel_fit(&call::fit(&contiguous)).unwrap();
    assert!(fit.history.len() > 5 && fit.history.len() < 50 && !fit.failed());
    for rows in [0, 1, 5, 50] {
        let mut call = call::fit(&contiguous);
        call.add("history", &[rows, 6], &vec![-7.0; rows * 6], &contiguous);
        check_call(call, &format!("{rows} rows"));

        let mut call = call::fit(&contiguous);
        call.add("history", &[rows, 6], &vec![-7.0; rows * 6], &contiguous);
        assert_eq!(call.make().status, 0);
        let result = call.result.unwrap();
        let best_step = fit.best_step.map(|step| step as i64);
        assert_eq!((result.size, result.stop), (40, fit.stop as i32));
        assert_eq!((result.entries, Some(result.best_step)), (fit.history.len() as i64, best_step));
    }
}

#[test]
fn what_is_optional_may_be_null() {
    let mut call = call::fit(&contiguous);
    call.pass("history", ptr::null());
    call.result = None;
    let history = call.array("history").words().to_vec();
    assert_eq!(call.make().status, 0);
    let h = floats(&kernel_fit(&call).unwrap().h);
    assert_eq!((bits(&call, "h"), call.array("history").words()), (h, &history[..]));

    let mut call = call::runs(&contiguous);
    call.pass("steps", ptr::null());
    call.pass("stop", ptr::null());
    assert_eq!(call.make().status, 0);
    let runs = kernel_runs(&call).unwrap();
    assert_eq!(bits(&call, "hs"), floats(&runs.hs));
    assert_eq!((bits(&call, "steps"), bits(&call, "stop")), (vec![(-7_i64) as u64; 6], vec![7; 6]));

    for mut call in call::all(&contiguous) {
        assert_eq!(call.make_with(ptr::null_mut()), 0, "{} without details", call.signature.name);
    }
}

#[test]
fn a_failed_fit_is_zero_and_says_why() {
    let mut call = call::fit(&contiguous);
    // What is learned in training is wrong in validation.
    call.array_mut("y").write(|t, y: f64| if t < 28 { y } else { -4.0 * y });
    assert_eq!(call.make().status, 0);
    let fit = kernel_fit(&call).unwrap();
    assert!(fit.failed());
    let result = call.result.unwrap();
    assert_eq!((result.best_step, result.stop), (-1, fit.stop as i32));
    assert_eq!(bits(&call, "h"), [0; 12]);
}

#[test]
fn a_flat_signal_fails_alone() {
    let plain = {
        let mut call = call::runs(&contiguous);
        assert_eq!(call.make().status, 0);
        bits(&call, "hs")
    };
    let mut call = call::runs(&contiguous);
    call.array_mut("y").write(|index, y: f64| if index / T == 1 { 0.0 } else { y });
    assert_eq!(call.make().status, 0);
    let hs = bits(&call, "hs");
    for split in 0..2 {
        for signal in 0..3 {
            let filter = (split * 3 + signal) * 12..(split * 3 + signal + 1) * 12;
            let failed = call.array("failed").read::<i8>()[split * 3 + signal];
            match signal {
                1 => assert_eq!((failed, &hs[filter]), (1, &[0; 12][..])),
                _ => assert_eq!(hs[filter.clone()], plain[filter]),
            }
        }
    }
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    for threads in 0..6 {
        for mut call in [call::runs(&contiguous), call::single_run(&contiguous)] {
            call.set("num_threads", threads.into());
            check_call(call, &format!("{threads} threads"));
        }
    }
}

#[test]
fn predictors_that_are_switched_off_leave_their_cells() {
    let mut call = call::options(&contiguous);
    call.array_mut("x_active").write(|index, _: i8| i8::from(index == 1));
    check_call(call, "the first predictor off");
    let mut call = call::options(&contiguous);
    call.array_mut("x_active").write(|_, _: i8| 0);
    let before = call.memory();
    assert_eq!(call.make().status, 0);
    assert_eq!(call.memory(), before);
}

/// The view of an input `[length]` whose elements are all at one place.
fn repeated(value: &f64, length: i64) -> View {
    let mut view = Call::descriptor(0x6608, ptr::from_ref(value).cast_mut().cast());
    (view.ndim, view.shape[0], view.strides[0], view.flags) = (1, length, 0, 1);
    view
}

/// Sums the values of a view over one segment.
fn sum(view: &View, segment: [i64; 2], error: i32) -> (i32, f64) {
    let mut rows = Call::descriptor(0x6908, ptr::from_ref(&segment).cast_mut().cast());
    (rows.ndim, rows.shape[0], rows.shape[1]) = (2, 1, 2);
    (rows.strides[0], rows.strides[1]) = (i64::MAX, 8); // of a length of 1, so that it is ignored
    let mut out = -7.0;
    // SAFETY: all descriptors are of memory on the stack, which the view repeats or steps through.
    let status = unsafe { trfb_error_for_indexes(view, &raw const rows, error, &raw mut out, ptr::null_mut()) };
    (status, out)
}

#[test]
fn more_elements_than_memory_are_fine_at_one_place() {
    let (many, more) = ((1 << 31) + 10, 1 << 62);
    assert_eq!(sum(&repeated(&2.0, many), [1 << 31, (1 << 31) + 5], 1), (0, 10.0));
    assert_eq!(sum(&repeated(&2.0, more), [more - 3, more], 1), (0, 6.0));
    assert_eq!(sum(&repeated(&2.0, i64::MAX), [i64::MAX - 3, i64::MAX], 2), (0, 12.0));
}

#[test]
fn strides_are_followed() {
    // The arrays of whoever was bitten: the second row of a transposed pair, a column of a matrix, a
    // reversed and sliced axis.
    let mut pair = [0.0, 0.0, 1.0, 1.0, 2.0, 4.0, 3.0, 9.0, 4.0, 16.0, 5.0, 25.0];
    let mut matrix: [f64; 12] = std::array::from_fn(|index| index as f64);
    let mut cube: [f64; 60] = std::array::from_fn(|index| index as f64);
    let cases = [
        (pair.as_mut_ptr().wrapping_add(1), 16, 6, [0, 6], 55.0),
        (matrix.as_mut_ptr().wrapping_add(1), 32, 3, [0, 3], 15.0),
        (matrix.as_mut_ptr().wrapping_add(7), -8, 4, [0, 2], 13.0),
        (cube.as_mut_ptr().wrapping_add(40), 2 * 8, 10, [0, 10], 490.0),
        (cube.as_mut_ptr().wrapping_add(18), -2 * 8, 10, [0, 10], 90.0),
    ];
    for (data, stride, length, segment, expected) in cases {
        let mut view = Call::descriptor(0x6608, data.cast());
        (view.ndim, view.shape[0], view.strides[0]) = (1, length, stride);
        assert_eq!(sum(&view, segment, 1), (0, expected));
    }
}

#[test]
fn a_product_is_rounded_before_it_is_subtracted() {
    let mut call = call::update(&contiguous);
    call.array_mut("y_error").write(|_, _: f64| 0.300_000_000_000_000_04);
    call.array_mut("x").write(|_, _: f64| 3.0);
    call.set("delta", 0.1);
    call.set("shift", 0.0);
    assert_eq!(call.make().status, 0);
    assert_eq!(bits(&call, "y_error")[..28], [0; 28]); // a fused one leaves 2.8e-17
}

#[test]
fn trials_are_padded_each_on_its_own() {
    for (rows, errors) in [(vec![0_i64, 3, 3, 6], [1.25, 1.0]), (vec![0, 6], [1.25, 0.25])] {
        let mut call = call::options(&contiguous);
        call.add("y_error", &[6], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0], &contiguous);
        call.add("x", &[1, 6], &[0.0, 0.0, 1.0, 0.0, 0.0, 0.0], &contiguous);
        call.add("x_pads", &[1], &[0.0], &contiguous);
        call.add("x_active", &[1], &[1_i8], &contiguous);
        call.add("i_start_by_x", &[1], &[0_i64], &contiguous);
        call.add("i_stop_by_x", &[1], &[2_i64], &contiguous);
        call.add("new_error", &[1, 2], &[0.0; 2], &contiguous);
        call.add("new_sign", &[1, 2], &[0_i8; 2], &contiguous);
        call.add("indexes", &[rows.len() / 2, 2], &rows, &contiguous);
        call.set("i_start", 0.0);
        call.set("delta", 0.5);
        assert_eq!(call.make().status, 0);
        assert_eq!(bits(&call, "new_error"), floats(&errors));
        assert_eq!(bits(&call, "new_sign"), [1, 1]);
    }
}

#[test]
fn a_segment_may_be_shorter_than_the_lags() {
    let mut call = call::fit(&contiguous);
    call.add("split_train", &[2, 2], &[0_i64, 22, 22, 25], &contiguous);
    call.array_mut("i_start_by_x").write(|index, _: i64| if index == 0 { -9 } else { 4 });
    call.array_mut("i_stop_by_x").write(|index, _: i64| if index == 0 { -3 } else { 10 });
    call.add("h", &[2, 19], &[-7.0; 38], &contiguous);
    check_call(call, "lags of 9 samples, a segment of 3");
}

#[test]
fn nothing_is_fine() {
    let none: [f64; 0] = [];
    let mut call = call::error(&contiguous);
    call.add("indexes", &[0, 2], &[] as &[i64], &contiguous);
    call.view("indexes").data = ptr::without_provenance_mut(0x1001); // nothing is there to be misaligned
    (call.view("indexes").strides[0], call.view("indexes").strides[1]) = (0, i64::MIN);
    assert_eq!((call.make().status, call.out), (0, Some(0.0)));

    let mut call = call::update(&contiguous);
    call.add("y_error", &[0], &none, &contiguous);
    call.add("x", &[0], &none, &contiguous);
    call.view("x").data = ptr::null_mut();
    call.add("indexes", &[1, 2], &[0_i64, 0], &contiguous);
    assert_eq!(call.make().status, 0);

    let mut call = call::options(&contiguous);
    without_predictors(&mut call);
    call.add("x_active", &[0], &[] as &[i8], &contiguous);
    call.add("new_error", &[0, 8], &none, &contiguous);
    call.add("new_sign", &[0, 8], &[] as &[i8], &contiguous);
    assert_eq!(call.make().status, 0);

    let mut call = call::convolution(&contiguous);
    without_predictors(&mut call);
    call.add("h", &[0, 6], &none, &contiguous);
    assert_eq!(call.make().status, 0);
    let expected = |t: usize| if (1..16).contains(&t) || (20..23).contains(&t) { 0.0 } else { -7.0 };
    assert_eq!(bits(&call, "out"), floats(&(0..T).map(expected).collect::<Vec<f64>>()));

    let mut call = call::convolution(&contiguous);
    call.add("h", &[2, 0], &none, &contiguous);
    assert_eq!(call.make().status, 0);
}

fn without_predictors(call: &mut Call) {
    call.add("x", &[0, T], &[] as &[f64], &contiguous);
    call.add("x_pads", &[0], &[] as &[f64], &contiguous);
    if call.signature.name != "trfb_convolve" {
        call.add("i_start_by_x", &[0], &[] as &[i64], &contiguous);
        call.add("i_stop_by_x", &[0], &[] as &[i64], &contiguous);
    }
}

#[test]
fn without_signals_or_splits_there_is_no_fit() {
    for (splits, signals) in [(2, 0), (0, 3), (0, 0)] {
        let mut call = call::runs(&contiguous);
        call.add("y", &[signals, T], &vec![0.0; signals * T], &contiguous);
        for name in ["split_train", "split_validate", "split_train_and_validate"] {
            let rows = [0_i64, 16].repeat(splits);
            call.add(name, &[splits, 1, 2], &rows, &contiguous);
        }
        call.add("hs", &[splits, signals, 2, 6], &[] as &[f64], &contiguous);
        for name in ["failed", "stop"] {
            call.add(name, &[splits, signals], &[] as &[i8], &contiguous);
        }
        call.add("steps", &[splits, signals], &[] as &[i64], &contiguous);
        let outcome = call.make();
        assert_eq!((outcome.status, outcome.sentence()), (0, ""));
    }
}

#[test]
fn interleaved_outputs_do_not_overlap() {
    // Even and odd columns of one array, as an input and an output.
    let mut both: Vec<f64> = (0..2 * T).map(|index| index as f64).collect();
    let mut call = call::update(&contiguous);
    for (name, first) in [("y_error", 0), ("x", 1)] {
        call.view(name).data = both.as_mut_ptr().wrapping_add(first).cast();
        call.view(name).strides[0] = 16;
    }
    call.set("shift", 0.0);
    call.set("delta", 1.0);
    let outcome = call.make();
    assert_eq!((outcome.status, outcome.sentence()), (0, ""));
    assert_eq!(both[..4], [-1.0, 1.0, -1.0, 3.0]);
}

#[test]
fn rows_of_an_output_may_interleave() {
    let mut plain = call::options(&contiguous);
    assert_eq!(plain.make().status, 0);

    // The first row takes the even places from 0 to 14, the second the odd ones from 7 to 21.
    let mut both = [0.0_f64; 22];
    let mut call = call::options(&contiguous);
    let view = call.view("new_error");
    (view.data, view.strides[0], view.strides[1]) = (both.as_mut_ptr().cast(), 56, 16);
    // Cells that the function leaves alone hold what they hold in the example.
    (0..8).for_each(|column| (both[2 * column], both[7 + 2 * column]) = (-7.0, -7.0));
    let outcome = call.make();
    assert_eq!((outcome.status, outcome.sentence()), (0, ""));
    let rows = [0, 7].iter().flat_map(|first| (0..8).map(move |column| first + 2 * column));
    assert_eq!(rows.map(|place| both[place]).collect::<Vec<_>>(), plain.array("new_error").read::<f64>());
}

#[test]
fn inputs_may_be_read_only_and_share_memory() {
    for mut call in call::all(&contiguous) {
        let inputs: Vec<_> = call.arrays().filter(|(_, _, written, _)| !written).collect();
        inputs.iter().for_each(|(_, name, ..)| call.view(name).flags = 1);
        assert_eq!(call.make().status, 0, "{}", call.signature.name);
    }
    let mut call = call::fit(&contiguous);
    let train = *call.view("split_train");
    *call.view("split_validate") = train;
    *call.view("split_train_and_validate") = train;
    assert_eq!(call.make().status, 0);
}

#[test]
fn a_result_keeps_what_the_caller_put_there() {
    let mut call = call::fit(&contiguous);
    let mut place = 0_u8;
    call.result = Some(FitResult { user: ptr::from_mut(&mut place).cast(), ..call.result.unwrap() });
    assert_eq!(call.make().status, 0);
    let result = call.result.unwrap();
    assert_eq!((result.size, result.progress.is_none(), result.user), (40, true, ptr::from_mut(&mut place).cast()));
}
