//! Of no array a byte before the first or beyond the last is touched.
//!
//! Each array lies in a page between closed ones, against one of them: whatever goes a single byte too
//! far is a segmentation fault, which ends this process. Numbers of samples go through all remainders
//! of any vector's width, blocks of samples included. The widest vectors of this machine run; `cargo
//! xtask proof --only machines` has the others run, on machines that qemu plays.
#![cfg(target_os = "linux")]

use std::collections::HashMap;

use bytemuck::{bytes_of, pod_read_unaligned};
use trfboost::FitResult;
use trfboost_abi_check::signatures;

use crate::call::{Call, noise};
use crate::placed::{CONTIGUOUS, LAYOUTS, Layout};
use crate::region::{Edge, Region};

/// The largest number of samples.
const MOST: usize = 70;

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

/// What a call is made of: samples, measure, and how arrays lie.
#[derive(Clone, Copy, Debug)]
struct Case {
    samples: usize,
    error: i32,
    layout: Layout,
}

impl Case {
    /// One past the last lag: so many that all remainders of a vector's width are among them.
    fn stop(self) -> i64 {
        1 + (self.samples % 9) as i64
    }

    /// Lags of the two predictors, the second of which has one less: -3 is the first of all.
    fn lags(self, call: &mut Call) -> usize {
        let all = &|_: &str| self.layout;
        call.add("i_start_by_x", &[2], &[-3_i64, -2], all);
        call.add("i_stop_by_x", &[2], &[self.stop(), self.stop()], all);
        (self.stop() + 3) as usize
    }

    fn signal(self, call: &mut Call, name: &'static str, rows: &[usize]) {
        let shape = [rows, &[self.samples]].concat();
        let count = shape.iter().product();
        call.add(name, &shape, &noise(name.len() as u64 + 40, count), &|_| self.layout);
    }

    fn predictors(self, call: &mut Call) {
        self.signal(call, "x", &[2]);
        call.add("x_pads", &[2], &[0.5, -0.25], &|_| self.layout);
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
        let (lags, all) = (self.lags(&mut call), &|_: &str| self.layout);
        call.add("x_active", &[2], &[1_i8, 1], all);
        call.add("new_error", &[2, lags], &vec![-7.0; 2 * lags], all);
        call.add("new_sign", &[2, lags], &vec![7_i8; 2 * lags], all);
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
        let (lags, all) = (self.stop() as usize, &|_: &str| self.layout);
        call.add("h", &[2, lags], &noise(3, 2 * lags), all);
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
        call.add("h", &[2, lags], &vec![-7.0; 2 * lags], all);
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
        call.add("hs", &[2, 2, 2, lags], &vec![-7.0; 8 * lags], all);
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

/// Makes a call in all layouts at both edges and holds it against one in ordinary memory; returns how many
/// calls were made, and how many of them gave numbers.
fn hold(pages: &mut Pages, samples: usize, error: i32, build: fn(Case) -> Call) -> [usize; 2] {
    let mut plain = build(Case { samples, error, layout: CONTIGUOUS });
    let status = plain.make().status;
    let mut made = [0; 2];
    for (layout, edge) in LAYOUTS.into_iter().flat_map(|layout| [(layout, Edge::Start), (layout, Edge::End)]) {
        let case = Case { samples, error, layout };
        let mut call = build(case);
        let names = call.names();
        let gaps: Vec<_> = names.iter().map(|name| call.array(name).gaps()).collect();
        let about = format!("{} at the {edge:?} of a page, {case:?}", call.signature.name);
        assert_eq!((pages.make(&mut call, edge), call.out), (status, plain.out), "{about}");
        for (name, gaps) in names.into_iter().zip(gaps) {
            assert_eq!(call.array(name).elements(), plain.array(name).elements(), "{about}: {name}");
            assert_eq!(call.array(name).gaps(), gaps, "{about}: memory between the elements of {name}");
        }
        made = [made[0] + 1, made[1] + usize::from(status == 0)];
    }
    made
}

/// For all numbers of samples from `least` on and both measures; every call is a good one.
fn hold_all(build: fn(Case) -> Call, least: usize) {
    let (mut pages, mut made) = (Pages::default(), [0; 2]);
    for (samples, error) in (least..=MOST).flat_map(|samples| [(samples, 1), (samples, 2)]) {
        let [calls, numbers] = hold(&mut pages, samples, error, build);
        made = [made[0] + calls, made[1] + numbers];
    }
    assert_eq!(made, [(MOST + 1 - least) * 2 * 12; 2]);
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
    // Without a sample, a fit has no end.
    hold_all(Case::fit, 1);
}

#[test]
fn runs_touch_no_byte_beyond_an_array() {
    hold_all(Case::runs, 1);
}

#[test]
fn a_fits_result_is_touched_within_its_bounds() {
    for edge in [Edge::Start, Edge::End] {
        let mut call = Case { samples: 40, error: 2, layout: CONTIGUOUS }.fit();
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
