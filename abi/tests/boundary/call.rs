//! Calls that are fine, to be made, or spoilt and then made.

use std::ffi::{CStr, c_void};
use std::ptr;

use trfboost::signature::Progress;
use trfboost::{
    ErrorDetails, FitResult, View, trfb_boosting_fit, trfb_boosting_runs, trfb_convolve, trfb_error_for_indexes,
    trfb_generate_options, trfb_update_error,
};
use trfboost_abi_check::{Access, Parameter, Signature, signatures};

use crate::placed::{CONTIGUOUS, Element, Layout, Placed};

/// Samples of the example.
pub(crate) const T: usize = 40;

/// A function of the library and what it is to be called with.
pub(crate) struct Call {
    pub(crate) signature: &'static Signature,
    arguments: Vec<Argument>,
    scalars: Vec<(&'static str, f64)>,
    /// `None`: NULL is passed.
    pub(crate) out: Option<f64>,
    /// `None`: NULL is passed.
    pub(crate) result: Option<FitResult>,
    /// Passed instead of the address of `out` or `result`.
    pub(crate) pointer: Option<*mut c_void>,
    pub(crate) progress: Option<Progress>,
    pub(crate) user: *mut c_void,
}

struct Argument {
    name: &'static str,
    array: Placed,
    view: View,
    /// Passed instead of the address of `view`.
    address: Option<*const View>,
}

/// What came of a call.
pub(crate) struct Outcome {
    pub(crate) status: i32,
    pub(crate) details: ErrorDetails,
}

impl Outcome {
    pub(crate) fn sentence(&self) -> &str {
        let bytes = bytemuck::cast_slice(&self.details.message);
        CStr::from_bytes_until_nul(bytes).expect("a NUL").to_str().expect("UTF-8")
    }
}

/// An error struct as TRFB_ERROR_INIT sets it up.
pub(crate) fn details() -> ErrorDetails {
    ErrorDetails { size: 288, status: 0, argument: -1, axis: -1, expected: 0, actual: 0, message: [0; 256] }
}

/// Makes a call; the layout says for each array how it lies.
pub(crate) type Make = fn(&dyn Fn(&str) -> Layout) -> Call;

/// All six functions, each with a call that is fine; `layout` says for each array how it lies.
pub(crate) fn all(layout: &dyn Fn(&str) -> Layout) -> [Call; 6] {
    [options(layout), update(layout), error(layout), fit(layout), runs(layout), convolution(layout)]
}

pub(crate) fn options(layout: &dyn Fn(&str) -> Layout) -> Call {
    let mut call = Call::new(&signatures::GENERATE_OPTIONS);
    call.scalars = vec![("i_start", -3.0), ("error", 2.0), ("delta", 0.1)];
    let mut add = |name, shape: &[usize], values: &[f64]| call.add(name, shape, values, layout);
    add("y_error", &[T], &noise(1, T));
    add("x", &[2, T], &noise(2, 2 * T));
    add("x_pads", &[2], &[0.5, -0.25]);
    add("new_error", &[2, 8], &[-7.0; 16]);
    call.add("x_active", &[2], &[1_i8, 1], layout);
    call.add("indexes", &[3, 2], &[0_i64, 16, 18, 28, -1, 0], layout);
    call.lags(layout);
    call.add("new_sign", &[2, 8], &[7_i8; 16], layout);
    call
}

pub(crate) fn update(layout: &dyn Fn(&str) -> Layout) -> Call {
    let mut call = Call::new(&signatures::UPDATE_ERROR);
    call.scalars = vec![("x_pad", 0.5), ("delta", -0.125), ("shift", 3.0)];
    call.add("y_error", &[T], &noise(1, T), layout);
    call.add("x", &[T], &noise(2, T), layout);
    call.add("indexes", &[2, 2], &[0_i64, 16, 16, 28], layout);
    call
}

pub(crate) fn error(layout: &dyn Fn(&str) -> Layout) -> Call {
    let mut call = Call::new(&signatures::ERROR_FOR_INDEXES);
    call.scalars = vec![("error", 1.0)];
    call.add("x", &[T], &noise(1, T), layout);
    call.add("indexes", &[2, 2], &[0_i64, 16, 20, 40], layout);
    call.out = Some(-7.0);
    call
}

pub(crate) fn fit(layout: &dyn Fn(&str) -> Layout) -> Call {
    let mut call = Call::new(&signatures::BOOSTING_FIT);
    call.boosting(layout);
    call.add("y", &[T], &signal(0), layout);
    call.add("split_train", &[2, 2], &[0_i64, 16, 18, 28], layout);
    call.add("split_validate", &[1, 2], &[28_i64, 40], layout);
    call.add("split_train_and_validate", &[3, 2], &[0_i64, 16, 18, 28, 28, 40], layout);
    call.add("h", &[2, 6], &[-7.0; 12], layout);
    call.add("history", &[50, 6], &[-7.0; 300], layout);
    call.result =
        Some(FitResult { size: 40, stop: 0, entries: 0, best_step: -1, progress: None, user: ptr::null_mut() });
    call
}

pub(crate) fn runs(layout: &dyn Fn(&str) -> Layout) -> Call {
    let mut call = Call::new(&signatures::BOOSTING_RUNS);
    call.boosting(layout);
    call.scalars.push(("num_threads", 2.0));
    let signals: Vec<f64> = (0..3).flat_map(signal).collect();
    call.add("y", &[3, T], &signals, layout);
    call.add("split_train", &[2, 2, 2], &[0_i64, 16, 18, 28, 12, 40, -1, -1], layout);
    call.add("split_validate", &[2, 1, 2], &[28_i64, 40, 0, 12], layout);
    call.add("split_train_and_validate", &[2, 3, 2], &[0_i64, 16, 18, 28, 28, 40, 0, 40, -1, 0, 0, 0], layout);
    call.add("hs", &[2, 3, 2, 6], &[-7.0; 72], layout);
    call.add("failed", &[2, 3], &[7_i8; 6], layout);
    call.add("steps", &[2, 3], &[-7_i64; 6], layout);
    call.add("stop", &[2, 3], &[7_i8; 6], layout);
    call
}

/// A fit of one signal and one split only, so that threads help inside of the fit.
pub(crate) fn single_run(layout: &dyn Fn(&str) -> Layout) -> Call {
    let mut call = runs(layout);
    call.add("y", &[1, T], &noise(7, T), layout);
    call.add("split_train", &[1, 2, 2], &[0_i64, 16, 18, 28], layout);
    call.add("split_validate", &[1, 1, 2], &[28_i64, 40], layout);
    call.add("split_train_and_validate", &[1, 3, 2], &[0_i64, 16, 18, 28, 28, 40], layout);
    call.add("hs", &[1, 1, 2, 6], &[-7.0; 12], layout);
    call.add("failed", &[1, 1], &[7_i8], layout);
    call.add("steps", &[1, 1], &[-7_i64], layout);
    call.add("stop", &[1, 1], &[7_i8], layout);
    call
}

/// A fit of so many samples, predictors and lags that the engines go ways that shorter ones spare them: products by
/// way of spectra (l2; `abi/tests/defects.rs` holds that it does), and a segment of more samples than are looked at
/// at once, which are 2048 (l1). It ends after a few steps.
pub(crate) fn long_run(layout: &dyn Fn(&str) -> Layout) -> Call {
    let (samples, predictors, lags) = (3400, 8, 20);
    let mut call = single_run(layout);
    let (x, own) = (noise(2, predictors * samples), noise(7, samples));
    let y: Vec<f64> = own.iter().zip(&x).map(|(own, x)| x + 0.5 * own).collect();
    call.add("y", &[1, samples], &y, layout);
    call.add("x", &[predictors, samples], &x, layout);
    call.add("x_pads", &[predictors], &vec![0.0; predictors], layout);
    call.add("i_start_by_x", &[predictors], &vec![-3_i64; predictors], layout);
    call.add("i_stop_by_x", &[predictors], &vec![17_i64; predictors], layout);
    call.add("split_train", &[1, 2, 2], &[0_i64, 2100, 2100, 2700], layout);
    call.add("split_validate", &[1, 1, 2], &[2700_i64, 3400], layout);
    call.add("split_train_and_validate", &[1, 2, 2], &[0_i64, 2100, 2100, 3400], layout);
    call.add("hs", &[1, 1, predictors, lags], &vec![-7.0; predictors * lags], layout);
    call
}

/// A call and how it is to be made.
#[derive(Clone, Copy)]
pub(crate) struct Variant {
    make: Make,
    measure: f64,
    threads: f64,
    selective_stopping: f64,
}

impl Variant {
    pub(crate) fn call(self) -> Call {
        let mut call = (self.make)(&|_| CONTIGUOUS);
        call.set_if_any("error", self.measure);
        call.set_if_any("num_threads", self.threads);
        call.set_if_any("selective_stopping", self.selective_stopping);
        call
    }
}

/// Each function, by both measures; fits with selective stopping, too, and on several threads, which make fits
/// beside each other or help inside of one.
pub(crate) fn variants() -> Vec<Variant> {
    let table: [(Make, f64, f64); 10] = [
        (options, 1.0, 0.0),
        (update, 1.0, 0.0),
        (error, 1.0, 0.0),
        (fit, 1.0, 0.0),
        (fit, 1.0, 2.0),
        (runs, 1.0, 0.0),
        (runs, 3.0, 2.0),
        (single_run, 3.0, 0.0),
        (long_run, 3.0, 0.0),
        (convolution, 1.0, 0.0),
    ];
    let by = |measure| {
        table.map(|(make, threads, selective_stopping)| Variant { make, measure, threads, selective_stopping })
    };
    [1.0, 2.0].into_iter().flat_map(by).collect()
}

pub(crate) fn convolution(layout: &dyn Fn(&str) -> Layout) -> Call {
    let mut call = Call::new(&signatures::CONVOLVE);
    call.scalars = vec![("i_start", -2.0)];
    call.add("h", &[2, 6], &noise(3, 12), layout);
    call.add("x", &[2, T], &noise(2, 2 * T), layout);
    call.add("x_pads", &[2], &[0.5, -0.25], layout);
    call.add("segments", &[2, 2], &[1_i64, 16, 20, 23], layout);
    call.add("out", &[T], &[-7.0; T], layout);
    call
}

/// Numbers without a pattern, between -1 and 1.
pub(crate) fn noise(seed: u64, count: usize) -> Vec<f64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

/// A signal that the predictors explain in part; the last one they do not explain at all.
fn signal(index: u64) -> Vec<f64> {
    let (x, own) = (noise(2, 2 * T), noise(10 + index, T));
    let weight = if index == 2 { 0.0 } else { 0.8 };
    (0..T).map(|t| weight * x[t] + weight * x[T + t.saturating_sub(2)] + 0.5 * own[t]).collect()
}

impl Call {
    fn new(signature: &'static Signature) -> Self {
        let (arguments, scalars) = (Vec::new(), Vec::new());
        let (out, result, pointer, progress, user) = (None, None, None, None, ptr::null_mut());
        Self { signature, arguments, scalars, out, result, pointer, progress, user }
    }

    /// A call of a function, without arrays as yet.
    pub(crate) fn bare(signature: &'static Signature, scalars: Vec<(&'static str, f64)>) -> Self {
        Self { scalars, ..Self::new(signature) }
    }

    /// The same call with memory of its own. (Making a long one takes longer than the fit.)
    pub(crate) fn copy(&self) -> Self {
        let copy_of = |argument: &Argument| {
            let mut array = argument.array.clone();
            let view = array.view();
            Argument { array, view, ..*argument }
        };
        Self { arguments: self.arguments.iter().map(copy_of).collect(), scalars: self.scalars.clone(), ..*self }
    }

    fn lags(&mut self, layout: &dyn Fn(&str) -> Layout) {
        self.add("i_start_by_x", &[2], &[-2_i64, 0], layout);
        self.add("i_stop_by_x", &[2], &[3_i64, 4], layout);
    }

    fn boosting(&mut self, layout: &dyn Fn(&str) -> Layout) {
        self.scalars = vec![("delta", 0.1), ("mindelta", 0.025), ("error", 1.0), ("selective_stopping", 0.0)];
        self.add("x", &[2, T], &noise(2, 2 * T), layout);
        self.add("x_pads", &[2], &[0.5, -0.25], layout);
        self.lags(layout);
    }

    /// Sets an array, new or in place of the one that was there.
    pub(crate) fn add<E: Element>(
        &mut self,
        name: &'static str,
        shape: &[usize],
        values: &[E],
        layout: &dyn Fn(&str) -> Layout,
    ) {
        let mut array = Placed::new(shape, values, layout(name));
        let view = array.view();
        self.arguments.retain(|argument| argument.name != name);
        self.arguments.push(Argument { name, array, view, address: None });
    }

    fn argument(&self, name: &str) -> &Argument {
        self.arguments.iter().find(|argument| argument.name == name).expect("an array of the call")
    }

    fn argument_mut(&mut self, name: &str) -> &mut Argument {
        self.arguments.iter_mut().find(|argument| argument.name == name).expect("an array of the call")
    }

    pub(crate) fn array(&self, name: &str) -> &Placed {
        &self.argument(name).array
    }

    pub(crate) fn array_mut(&mut self, name: &str) -> &mut Placed {
        &mut self.argument_mut(name).array
    }

    /// The descriptor, to spoil.
    pub(crate) fn view(&mut self, name: &str) -> &mut View {
        &mut self.argument_mut(name).view
    }

    /// Passes this address instead of that of the descriptor.
    pub(crate) fn pass(&mut self, name: &str, address: *const View) {
        self.argument_mut(name).address = Some(address);
    }

    /// The names of its arrays, in any order.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.arguments.iter().map(|argument| argument.name).collect()
    }

    pub(crate) fn scalar(&self, name: &str) -> f64 {
        self.scalars.iter().find(|(known, _)| *known == name).expect("a scalar of the call").1
    }

    pub(crate) fn set(&mut self, name: &str, value: f64) {
        self.scalars.iter_mut().find(|(known, _)| *known == name).expect("a scalar of the call").1 = value;
    }

    /// Sets a scalar, if the function has one of that name.
    pub(crate) fn set_if_any(&mut self, name: &str, value: f64) {
        self.scalars.iter_mut().filter(|(known, _)| *known == name).for_each(|scalar| scalar.1 = value);
    }

    /// A descriptor of nothing yet, to be filled in.
    pub(crate) fn descriptor(dtype: i32, data: *mut c_void) -> View {
        let (base, extent, shape, strides) = (ptr::null(), 0, [0; 8], [0; 8]);
        let (magic, size, version, ndim, flags) = (0x5646_5254, 176, 1, 0, 0);
        View { magic, size, version, dtype, ndim, flags, data, base, extent, shape, strides }
    }

    /// The arrays of the signature: position, name, whether it is written, whether NULL may stand for it.
    pub(crate) fn arrays(&self) -> impl Iterator<Item = (i32, &'static str, bool, bool)> + use<> {
        self.signature.parameters.iter().zip(0..).filter_map(|(parameter, position)| match *parameter {
            Parameter::Array { name, access, optional, .. } => {
                Some((position, name, access == Access::Write, optional))
            }
            _ => None,
        })
    }

    /// All memory of the call that the library could write to.
    pub(crate) fn memory(&self) -> Vec<u64> {
        let mut words = Vec::new();
        self.arguments.iter().for_each(|argument| words.extend_from_slice(argument.array.words()));
        words.extend(self.out.map(f64::to_bits));
        let result = self.result.map(|result| [result.stop as u64, result.entries as u64, result.best_step as u64]);
        words.extend(result.into_iter().flatten());
        words
    }

    /// Makes the call, with an error struct.
    pub(crate) fn make(&mut self) -> Outcome {
        let mut details = details();
        let status = self.make_with(&raw mut details);
        Outcome { status, details }
    }

    pub(crate) fn make_with(&mut self, details: *mut ErrorDetails) -> i32 {
        let out = self.out.as_mut().map_or(ptr::null_mut(), ptr::from_mut);
        let result = self.result.as_mut().map_or(ptr::null_mut(), ptr::from_mut);
        let (out, result) = self.pointer.map_or((out, result), |pointer| (pointer.cast(), pointer.cast()));
        let a = |name| {
            let argument = self.argument(name);
            argument.address.unwrap_or(&raw const argument.view)
        };
        let n = |name| self.scalar(name);
        let (float, int, long) = (n, |name| n(name) as i32, |name| n(name) as i64);
        // SAFETY: `Placed` owns the memory that the descriptors describe. A test that spoils one makes
        // a call that is refused, or says why it may be made.
        unsafe {
            match self.signature.name {
                "trfb_generate_options" => trfb_generate_options(
                    a("y_error"),
                    a("x"),
                    a("x_pads"),
                    a("x_active"),
                    a("indexes"),
                    long("i_start"),
                    a("i_start_by_x"),
                    a("i_stop_by_x"),
                    int("error"),
                    float("delta"),
                    a("new_error"),
                    a("new_sign"),
                    details,
                ),
                "trfb_update_error" => trfb_update_error(
                    a("y_error"),
                    a("x"),
                    float("x_pad"),
                    a("indexes"),
                    float("delta"),
                    long("shift"),
                    details,
                ),
                "trfb_error_for_indexes" => trfb_error_for_indexes(a("x"), a("indexes"), int("error"), out, details),
                "trfb_boosting_fit" => trfb_boosting_fit(
                    a("y"),
                    a("x"),
                    a("x_pads"),
                    a("split_train"),
                    a("split_validate"),
                    a("split_train_and_validate"),
                    a("i_start_by_x"),
                    a("i_stop_by_x"),
                    float("delta"),
                    float("mindelta"),
                    int("error"),
                    int("selective_stopping"),
                    a("h"),
                    a("history"),
                    result,
                    details,
                ),
                "trfb_boosting_runs" => trfb_boosting_runs(
                    a("y"),
                    a("x"),
                    a("x_pads"),
                    a("split_train"),
                    a("split_validate"),
                    a("split_train_and_validate"),
                    a("i_start_by_x"),
                    a("i_stop_by_x"),
                    float("delta"),
                    float("mindelta"),
                    int("error"),
                    int("selective_stopping"),
                    int("num_threads"),
                    a("hs"),
                    a("failed"),
                    a("steps"),
                    a("stop"),
                    self.progress,
                    self.user,
                    details,
                ),
                "trfb_convolve" => {
                    trfb_convolve(a("h"), a("x"), a("x_pads"), long("i_start"), a("segments"), a("out"), details)
                }
                other => unreachable!("{other}"),
            }
        }
    }
}
