//! Cancelling at every moment at which a fit can be cancelled: nothing is written, and the next call gives the same
//! bits.
//!
//! A callback is called every so many milliseconds, which for a fit that ends after some is never. With the feature
//! `planted` it is called at each occasion, so that the moments are counted and not a matter of the clock.

#[allow(dead_code, reason = "of the calls only some parts are needed here")]
#[path = "boundary/call.rs"]
mod call;
#[allow(dead_code, reason = "likewise")]
#[path = "boundary/placed.rs"]
mod placed;

use std::ffi::c_void;
use std::ptr;

use call::{Call, variants};
use trfboost::FitResult;
use trfboost_kernel::planted::ask_always;

/// How often a callback was called, and at which call it cancels.
struct Watch {
    calls: u64,
    cancel_at: u64,
}

unsafe extern "C" fn count(user: *mut c_void, _: i64, _: i64) -> i32 {
    // SAFETY: `watched` put it there, and looks at it when the call is over.
    let watch = unsafe { &mut *user.cast::<Watch>() };
    watch.calls += 1;
    i32::from(watch.calls == watch.cancel_at)
}

/// Makes the call, which is cancelled at a call of its callback; the status, and how often that was called.
fn watched(call: &mut Call, cancel_at: u64) -> (i32, u64) {
    let mut watch = Watch { calls: 0, cancel_at };
    let user = ptr::from_mut(&mut watch).cast();
    call.progress = Some(count);
    call.user = user;
    call.result = call.result.map(|result| FitResult { progress: Some(count), user, ..result });
    let status = call.make().status;
    (status, watch.calls)
}

#[test]
fn a_call_that_is_cancelled_at_any_moment_writes_nothing_and_the_next_gives_the_same_bits() {
    ask_always(true);
    let mut all = Vec::new();
    for (index, variant) in variants().into_iter().enumerate() {
        let fresh = variant.call();
        let (mut right, untouched) = (fresh.copy(), fresh.memory());
        if !right.signature.name.contains("boosting") {
            continue;
        }
        assert_eq!(right.make().status, 0);
        let about = format!("{} ({index})", right.signature.name);
        let mut cancelled = 0;
        for moment in 1.. {
            let mut call = fresh.copy();
            let (status, calls) = watched(&mut call, moment);
            if status == 0 {
                assert!(calls < moment && call.memory() == right.memory(), "{about}");
                break;
            }
            assert_eq!((status, calls), (23, moment), "{about}");
            assert!(call.memory() == untouched, "{about}: cancelled at call {moment}");
            let mut next = fresh.copy();
            assert!(next.make().status == 0 && next.memory() == right.memory(), "{about}: after call {moment}");
            cancelled += 1;
        }
        assert!(cancelled > 5, "{about}: {cancelled}");
        all.push((about, cancelled));
    }
    println!("cancelled {} times: {all:?}", all.iter().map(|(_, cancelled)| cancelled).sum::<u64>());
}
