//! The progress callback: when it is called, on which thread, what its answer does.

use std::ffi::c_void;
use std::ptr;
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use trfboost::FitResult;

use crate::call::{self, Call};
use crate::placed::{CONTIGUOUS, Layout};

fn contiguous(_: &str) -> Layout {
    CONTIGUOUS
}

/// What a callback notes, and when it cancels.
struct Watch {
    calls: Vec<(i64, i64)>,
    threads: Vec<ThreadId>,
    cancel_at: usize,
}

impl Watch {
    fn new(cancel_at: usize) -> Self {
        Self { calls: Vec::new(), threads: Vec::new(), cancel_at }
    }

    /// Has `call` tell this one.
    fn attach(&mut self, call: &mut Call) {
        let user = ptr::from_mut(self).cast();
        call.progress = Some(note);
        call.user = user;
        call.result = call.result.map(|result| FitResult { progress: Some(note), user, ..result });
    }
}

unsafe extern "C" fn note(user: *mut c_void, done: i64, total: i64) -> i32 {
    // SAFETY: `attach` put it there, and the test does not use it during the call.
    let watch = unsafe { &mut *user.cast::<Watch>() };
    watch.calls.push((done, total));
    watch.threads.push(thread::current().id());
    // Any answer but 0 cancels; this one has no bit in its low byte.
    if watch.calls.len() >= watch.cancel_at { i32::MIN } else { 0 }
}

/// Fits that take for ever.
fn endless(mut call: Call) -> Call {
    call.set("delta", 1e-9);
    call.set("mindelta", 1e-9);
    call
}

#[test]
fn runs_tell_of_each_fit_on_the_calling_thread() {
    for threads in [1, 2, 4] {
        let mut watch = Watch::new(usize::MAX);
        let mut call = call::runs(&contiguous);
        call.set("num_threads", threads.into());
        watch.attach(&mut call);
        assert_eq!(call.make().status, 0);
        let mut steps = watch.calls.clone();
        steps.dedup();
        assert_eq!(steps, [(0, 6), (1, 6), (2, 6), (3, 6), (4, 6), (5, 6), (6, 6)]);
        assert!(watch.threads.iter().all(|id| *id == thread::current().id()));
    }
}

#[test]
fn an_answer_cancels_soon_and_nothing_is_written() {
    for (call, cancel_at, argument) in [
        (call::runs(&contiguous), 1, 17),
        (call::runs(&contiguous), 4, 17),
        (endless(call::runs(&contiguous)), 3, 17),
        (endless(call::fit(&contiguous)), 2, -1),
    ] {
        let (mut call, mut watch) = (call, Watch::new(cancel_at));
        watch.attach(&mut call);
        let (before, begin) = (call.memory(), Instant::now());
        let outcome = call.make();
        let about = format!("{} at call {cancel_at}", call.signature.name);
        assert_eq!((outcome.status, outcome.details.argument, outcome.details.axis), (23, argument, -1), "{about}");
        assert_eq!(outcome.sentence(), "progress: cancelled by the caller", "{about}");
        assert_eq!(call.memory(), before, "{about}");
        assert!(begin.elapsed() < Duration::from_secs(2), "{about}");
        assert_eq!(watch.calls.len(), cancel_at, "{about}");
        assert!(watch.threads.iter().all(|id| *id == thread::current().id()), "{about}");
    }
}

/// Before the first fit and after each. Those between, which are a matter of the clock: `abi/tests/cancelled.rs`.
#[test]
fn cancelled_at_any_call_nothing_is_written_and_the_next_call_gives_the_same_bits() {
    let build = || call::runs(&contiguous);
    let mut undisturbed = build();
    assert_eq!(undisturbed.make().status, 0);
    for cancel_at in 1..=7 {
        let (mut call, mut watch) = (build(), Watch::new(cancel_at));
        watch.attach(&mut call);
        let before = call.memory();
        assert_eq!((call.make().status, watch.calls.len()), (23, cancel_at));
        assert_eq!(call.memory(), before, "cancelled at call {cancel_at}");
        let mut next = build();
        assert_eq!((next.make().status, next.memory()), (0, undisturbed.memory()));
    }
}

#[test]
fn a_fit_tells_of_its_steps() {
    let (mut call, mut watch) = (endless(call::fit(&contiguous)), Watch::new(3));
    watch.attach(&mut call);
    assert_eq!(call.make().status, 23);
    assert!(watch.calls.is_sorted() && watch.calls[0].0 > 0 && watch.calls.iter().all(|&(_, total)| total == 0));
}

#[test]
fn what_a_callback_puts_into_the_result_stays() {
    /// Counts its calls in the field that tells where it finds the result.
    unsafe extern "C" fn count(user: *mut c_void, _: i64, _: i64) -> i32 {
        // SAFETY: the test below put the result there, which nobody else looks at during this call.
        let result = unsafe { &mut *user.cast::<FitResult>() };
        result.user = result.user.wrapping_byte_add(1);
        0
    }
    let mut call = call::fit(&contiguous);
    // Many small steps, lest it is over before the callback is called.
    call.set("delta", 1e-6);
    call.set("mindelta", 1e-6);
    let result = call.result.as_mut().unwrap();
    let place: *mut FitResult = result;
    result.progress = Some(count);
    result.user = place.cast();
    assert_eq!(call.make().status, 0);
    let result = call.result.unwrap();
    assert!(result.entries > 10_000 && result.user.addr() > place.addr(), "{result:?}");
}

#[test]
fn a_callback_may_call_the_library() {
    unsafe extern "C" fn sum(user: *mut c_void, _: i64, _: i64) -> i32 {
        // SAFETY: the test below put it there.
        let sums = unsafe { &mut *user.cast::<Vec<(i32, Option<f64>)>>() };
        let mut call = call::error(&contiguous);
        sums.push((call.make().status, call.out));
        let mut refused = call::error(&contiguous);
        refused.set("error", 3.0);
        sums.push((refused.make().status, refused.out));
        let mut inner = call::runs(&contiguous);
        sums.push((inner.make().status, None));
        0
    }
    let mut plain = call::error(&contiguous);
    assert_eq!(plain.make().status, 0);
    let mut undisturbed = call::runs(&contiguous);
    assert_eq!(undisturbed.make().status, 0);

    let mut sums: Vec<(i32, Option<f64>)> = Vec::new();
    let mut call = call::runs(&contiguous);
    call.progress = Some(sum);
    call.user = ptr::from_mut(&mut sums).cast();
    assert_eq!(call.make().status, 0);
    assert_eq!(call.memory(), undisturbed.memory());
    assert!(sums.len() >= 21);
    for answers in sums.chunks(3) {
        assert_eq!(answers, [(0, plain.out), (16, Some(-7.0)), (0, None)]);
    }
}
