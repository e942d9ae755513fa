//! Of no array a byte before the first or beyond the last is touched.
//!
//! Each array lies in a page between closed ones, against one of them: whatever goes a single byte too
//! far is a segmentation fault, which ends this process. Numbers of samples go through all remainders
//! of any vector's width, blocks of samples included; numbers of predictors are 1, 2, and those about the width of
//! 512 bits. The widest vectors of this machine run; `cargo xtask proof --only machines` has the others run, on
//! machines that qemu plays.
#![cfg(target_os = "linux")]

use std::collections::HashMap;
use std::ffi::CStr;

use bytemuck::{bytes_of, pod_read_unaligned};
use trfboost::{FitResult, trfb_build_info};
use trfboost_abi_check::signatures;

use crate::call::{Call, noise};
use crate::placed::{CONTIGUOUS, LAYOUTS, Layout};
use crate::region::{Edge, Region};

/// The largest number of samples.
const MOST: usize = 70;
/// Numbers of predictors.
const PREDICTORS: [usize; 4] = [1, 7, 8, 9];
/// Numbers of samples where something else goes through many values.
const SOME: [usize; 4] = [0, 1, 8, 37];
/// How the array lies of which elements are repeated: strides of 0 beside long ones and negative ones.
const REPEATED: [Layout; 3] = [CONTIGUOUS, LAYOUTS[9], LAYOUTS[10]];
/// Both measures.
const ERRORS: [i32; 2] = [1, 2];

/// A region for each array, used by one call after another.
#[derive(Default)]
struct Pages(HashMap<&'static str, Region>);

impl Pages {
    fn of(&mut self, name: &'static str) -> Region {
        *self.0.entry(name).or_insert_with(Region::new)
    }

    /// Makes the call with all that it reads or writes at the edges of pages, then has in the call's own
    /// memory what lies there. Returns the status.
    fn make(&mut self, call: &mut Call, edge: Edge) -> i32 {
        let mut places = Vec::new();
        for name in call.names() {
            let (region, bounded) = (self.of(name), call.view(name).extent != 0);
            let (span, first) = call.array_mut(name).span();
            let (place, length) = (region.put(span, edge), span.len());
            let view = call.view(name);
            view.data = place.wrapping_add(first).cast();
            if bounded {
                (view.base, view.extent) = (place.cast_const().cast(), length as u64);
            }
            places.push((name, place));
        }
        let number = call.out.map(|out| self.of("a number").put(bytes_of(&out), edge));
        call.pointer = number.map(<*mut u8>::cast);
        let status = call.make().status;
        for (name, place) in places {
            let region = self.of(name);
            let (span, _) = call.array_mut(name).span();
            span.copy_from_slice(&region.get(place, span.len()));
        }
        let number = number.map(|number| self.of("a number").get(number, size_of::<f64>()));
        call.out = number.map(|number| pod_read_unaligned(&number));
        status
    }
}

/// What a call is made of, and how arrays lie.
#[derive(Clone, Copy, Debug)]
struct Case {
    samples: usize,
    predictors: usize,
    error: i32,
    layout: Layout,
}

impl Case {
    /// One past the last lag: so many that all remainders of a vector's width are among them.
    fn stop(self) -> i64 {
        1 + (self.samples % 9) as i64
    }

    /// Lags of the predictors, every second of which has one less: -3 is the first of all.
    fn lags(self, call: &mut Call) -> usize {
        let (all, count) = (&|_: &str| self.layout, self.predictors);
        let starts: Vec<i64> = (0..count).map(|index| if index % 2 == 0 { -3 } else { -2 }).collect();
        call.add("i_start_by_x", &[count], &starts, all);
        call.add("i_stop_by_x", &[count], &vec![self.stop(); count], all);
        (self.stop() + 3) as usize
    }

    fn signal(self, call: &mut Call, name: &'static str, rows: &[usize]) {
        let shape = [rows, &[self.samples]].concat();
        let count = shape.iter().product();
        call.add(name, &shape, &noise(name.len() as u64 + 40, count), &|_| self.layout);
    }

    fn predictors(self, call: &mut Call) {
        self.signal(call, "x", &[self.predictors]);
        let pads: Vec<f64> = (0..self.predictors).map(|index| if index % 2 == 0 { 0.5 } else { -0.25 }).collect();
        call.add("x_pads", &[self.predictors], &pads, &|_| self.layout);
    }

    /// All samples in segments, of which the last is short.
    fn segments(self, call: &mut Call, name: &'static str) {
        let (end, middle) = (self.samples as i64, self.samples as i64 * 2 / 3);
        call.add(name, &[2, 2], &[0_i64, middle, middle, end], &|_| self.layout);
    }

    fn options(self) -> Call {
        let scalars = vec![("i_start", -3.0), ("error", self.error.into()), ("delta", 0.1)];
        let mut call = Call::bare(&signatures::GENERATE_OPTIONS, scalars);
        self.signal(&mut call, "y_error", &[]);
        self.predictors(&mut call);
        self.segments(&mut call, "indexes");
        let (lags, all, count) = (self.lags(&mut call), &|_: &str| self.layout, self.predictors);
        call.add("x_active", &[count], &vec![1_i8; count], all);
        call.add("new_error", &[count, lags], &vec![-7.0; count * lags], all);
        call.add("new_sign", &[count, lags], &vec![7_i8; count * lags], all);
        call
    }

    /// With a lag of either sign.
    fn update(self) -> Call {
        let shift = (self.samples % 7) as f64 - 3.0;
        let scalars = vec![("x_pad", 0.5), ("delta", -0.125), ("shift", shift)];
        let mut call = Call::bare(&signatures::UPDATE_ERROR, scalars);
        self.signal(&mut call, "y_error", &[]);
        self.signal(&mut call, "x", &[]);
        self.segments(&mut call, "indexes");
        call
    }

    fn error(self) -> Call {
        let mut call = Call::bare(&signatures::ERROR_FOR_INDEXES, vec![("error", self.error.into())]);
        self.signal(&mut call, "x", &[]);
        self.segments(&mut call, "indexes");
        call.out = Some(-7.0);
        call
    }

    fn convolution(self) -> Call {
        let mut call = Call::bare(&signatures::CONVOLVE, vec![("i_start", -2.0)]);
        let (lags, all, count) = (self.stop() as usize, &|_: &str| self.layout, self.predictors);
        call.add("h", &[count, lags], &noise(3, count * lags), all);
        self.predictors(&mut call);
        self.segments(&mut call, "segments");
        call.add("out", &[self.samples], &vec![-7.0; self.samples], all);
        call
    }

    fn boosting(self, call: &mut Call) -> usize {
        self.predictors(call);
        self.lags(call)
    }

    /// First row: trained on; second row: validation.
    fn parts(self) -> [i64; 4] {
        let (end, middle) = (self.samples as i64, self.samples as i64 * 2 / 3);
        [0, middle, middle, end]
    }

    fn fit(self) -> Call {
        let scalars = self.settings();
        let mut call = Call::bare(&signatures::BOOSTING_FIT, scalars);
        self.signal(&mut call, "y", &[]);
        let (lags, all, parts) = (self.boosting(&mut call), &|_: &str| self.layout, self.parts());
        call.add("split_train", &[1, 2], &parts[..2], all);
        call.add("split_validate", &[1, 2], &parts[2..], all);
        call.add("split_train_and_validate", &[2, 2], &parts, all);
        call.add("h", &[self.predictors, lags], &vec![-7.0; self.predictors * lags], all);
        call.add("history", &[20, 6], &[-7.0; 120], all);
        call
    }

    /// Two signals, two splits: one as in [`Self::fit`], one that is trained on what that validates.
    fn runs(self) -> Call {
        let mut call = Call::bare(&signatures::BOOSTING_RUNS, self.settings());
        call.set("num_threads", (1 + self.samples % 2) as f64);
        self.signal(&mut call, "y", &[2]);
        let (lags, all) = (self.boosting(&mut call), &|_: &str| self.layout);
        let [start, middle, _, end] = self.parts();
        call.add("split_train", &[2, 1, 2], &[start, middle, middle, end], all);
        call.add("split_validate", &[2, 1, 2], &[middle, end, start, middle], all);
        let both = [start, middle, middle, end].repeat(2);
        call.add("split_train_and_validate", &[2, 2, 2], &both, all);
        call.add("hs", &[2, 2, self.predictors, lags], &vec![-7.0; 4 * self.predictors * lags], all);
        call.add("failed", &[2, 2], &[7_i8; 4], all);
        call.add("steps", &[2, 2], &[-7_i64; 4], all);
        call.add("stop", &[2, 2], &[7_i8; 4], all);
        call
    }

    fn settings(self) -> Vec<(&'static str, f64)> {
        let error = self.error.into();
        vec![("delta", 0.1), ("mindelta", 0.05), ("error", error), ("selective_stopping", 0.0), ("num_threads", 1.0)]
    }
}

/// An array along one axis of which, or along all, the first element is repeated by a stride of 0.
type Repeat = Option<(&'static str, Option<usize>)>;

fn repeat(call: &mut Call, (name, axis): (&'static str, Option<usize>)) {
    for axis in axis.map_or(0..call.array(name).shape().len(), |axis| axis..axis + 1) {
        call.array_mut(name).repeat(axis);
        call.view(name).strides[axis] = 0;
    }
}

/// Makes calls, and counts them.
#[derive(Default)]
struct Calls {
    pages: Pages,
    made: usize,
}

impl Calls {
    /// Makes a call in these layouts at both edges and holds it against one in ordinary memory, without strides of 0.
    /// Returns the status that all of them have.
    fn hold(&mut self, case: Case, build: fn(Case) -> Call, layouts: &[Layout], repeated: Repeat) -> i32 {
        let mut plain = build(case);
        if let Some(repeated) = repeated {
            let mut values = build(case);
            repeat(&mut values, repeated);
            plain.array_mut(repeated.0).set_elements(&values.array(repeated.0).elements());
        }
        let before = plain.memory();
        let status = plain.make().status;
        assert!(status == 0 || plain.memory() == before, "{case:?}");
        for (&layout, edge) in layouts.iter().flat_map(|layout| [(layout, Edge::Start), (layout, Edge::End)]) {
            let case = Case { layout, ..case };
            let mut call = build(case);
            repeated.into_iter().for_each(|repeated| repeat(&mut call, repeated));
            let about = format!("{} at the {edge:?} of a page, {case:?}, {repeated:?}", call.signature.name);
            self.compare(&mut call, edge, &plain, status, &about);
        }
        status
    }

    fn compare(&mut self, call: &mut Call, edge: Edge, plain: &Call, status: i32, about: &str) {
        let names = call.names();
        let gaps: Vec<_> = names.iter().map(|name| call.array(name).gaps()).collect();
        assert_eq!((self.pages.make(call, edge), call.out), (status, plain.out), "{about}");
        for (name, gaps) in names.into_iter().zip(gaps) {
            assert_eq!(call.array(name).elements(), plain.array(name).elements(), "{about}: {name}");
            assert_eq!(call.array(name).gaps(), gaps, "{about}: memory between the elements of {name}");
        }
        self.made += 1;
    }

    /// How many they are; `cargo xtask proof --only machines` adds them up.
    fn tell(&self) -> usize {
        println!("calls at closed pages: {}", self.made);
        self.made
    }
}

/// For all numbers of samples: a good call, but that a fit of no samples is given up.
fn hold_all(build: fn(Case) -> Call, without_samples: i32) {
    let mut calls = Calls::default();
    for (samples, error) in (0..=MOST).flat_map(|samples| ERRORS.map(|error| (samples, error))) {
        let case = Case { samples, predictors: 2, error, layout: CONTIGUOUS };
        let status = calls.hold(case, build, &LAYOUTS, None);
        assert_eq!(status, if samples == 0 { without_samples } else { 0 }, "{case:?}");
    }
    assert_eq!(calls.tell(), (MOST + 1) * ERRORS.len() * LAYOUTS.len() * 2);
}

#[test]
fn options_touch_no_byte_beyond_an_array() {
    hold_all(Case::options, 0);
}

#[test]
fn an_update_touches_no_byte_beyond_an_array() {
    hold_all(Case::update, 0);
}

#[test]
fn an_error_touches_no_byte_beyond_an_array() {
    hold_all(Case::error, 0);
}

#[test]
fn a_convolution_touches_no_byte_beyond_an_array() {
    hold_all(Case::convolution, 0);
}

#[test]
fn a_fit_touches_no_byte_beyond_an_array() {
    hold_all(Case::fit, 22);
}

#[test]
fn runs_touch_no_byte_beyond_an_array() {
    hold_all(Case::runs, 22);
}

#[test]
fn any_number_of_predictors_touches_no_byte_beyond_an_array() {
    let mut calls = Calls::default();
    for build in [Case::options, Case::convolution, Case::fit, Case::runs] {
        for (samples, error) in SOME.into_iter().flat_map(|samples| ERRORS.map(|error| (samples, error))) {
            for predictors in PREDICTORS {
                let case = Case { samples, predictors, error, layout: CONTIGUOUS };
                let status = calls.hold(case, build, &LAYOUTS, None);
                assert!(status == 0 || (status, samples) == (22, 0), "{case:?}: {status}");
            }
        }
    }
    assert_eq!(calls.tell(), 4 * SOME.len() * ERRORS.len() * PREDICTORS.len() * LAYOUTS.len() * 2);
}

/// Each input of each function, along each axis and along all.
#[test]
fn repeated_elements_are_read_where_they_are() {
    let mut calls = Calls::default();
    let builds = [Case::options, Case::update, Case::error, Case::convolution, Case::fit, Case::runs];
    for (build, samples) in builds.into_iter().flat_map(|build| [7, 8, 37].map(|samples| (build, samples))) {
        for error in ERRORS {
            let case = Case { samples, predictors: 2, error, layout: CONTIGUOUS };
            let call = build(case);
            for (_, name, ..) in call.arrays().filter(|(_, _, written, _)| !written) {
                let ndim = call.array(name).shape().len();
                for axis in (0..ndim).map(Some).chain((ndim > 1).then_some(None)) {
                    let status = calls.hold(case, build, &REPEATED, Some((name, axis)));
                    // A segment that ends where it starts can leave a fit without samples.
                    let empty = status == 22 && name.starts_with("split") && axis.is_none_or(|axis| axis + 1 == ndim);
                    assert!(status == 0 || empty, "{name}, {axis:?}, {case:?}: {status}");
                }
            }
        }
    }
    assert_eq!(calls.tell(), 66 * 3 * ERRORS.len() * REPEATED.len() * 2);
}

/// Which instructions the kernel uses cannot be seen by its results. The library tells what it asked of the
/// processor, `trfb_build_info`, by way of what it also chooses by; here the processor is asked for what pulp
/// asks for. `cargo xtask proof` says what it has to be (`TRFBOOST_INSTRUCTIONS`) on a processor that it knows.
#[test]
fn the_widest_instructions_of_the_processor_are_in_use() {
    // SAFETY: a constant string.
    let told = unsafe { CStr::from_ptr(trfb_build_info()) }.to_str().expect("UTF-8");
    let told = told.rsplit(", ").next().expect("the last of its words");
    println!("instructions in use: {told}");
    if let Ok(expected) = std::env::var("TRFBOOST_INSTRUCTIONS") {
        assert_eq!(told, expected);
    }
    #[cfg(target_arch = "x86_64")]
    assert_eq!(told, widest());
}

/// All that pulp's V3 and V4 ask for, since a machine may be played that has half of it.
#[cfg(target_arch = "x86_64")]
fn widest() -> &'static str {
    macro_rules! has {
        ($($feature:tt),*) => { [$(std::arch::is_x86_feature_detected!($feature)),*].iter().all(|has| *has) };
    }
    let all_256 = has!("avx", "avx2", "fma", "bmi1", "bmi2", "lzcnt", "popcnt", "sse4.2");
    let all_512 = has!("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl");
    match (all_256, all_512) {
        (true, true) => "AVX-512",
        (true, false) => "AVX2",
        (false, _) => "portable",
    }
}

#[test]
fn a_fits_result_is_touched_within_its_bounds() {
    for edge in [Edge::Start, Edge::End] {
        let mut call = Case { samples: 40, predictors: 2, error: 2, layout: CONTIGUOUS }.fit();
        let user = std::ptr::null_mut();
        call.result = Some(FitResult { size: 40, stop: 0, entries: 0, best_step: -1, progress: None, user });
        let mut plain = [40_u64, 0, -1_i64 as u64, 0, 0];
        let place = Region::new().put(bytes_of(&plain), edge);
        assert_eq!(call.make().status, 0);
        let result = call.result.unwrap();
        plain[0] += (result.stop as u64) << 32;
        (plain[1], plain[2]) = (result.entries as u64, result.best_step as u64);
        call.pointer = Some(place.cast());
        assert_eq!(call.make().status, 0);
        // SAFETY: five words were put there above.
        assert_eq!(unsafe { place.cast::<[u64; 5]>().read() }, plain);
    }
}
