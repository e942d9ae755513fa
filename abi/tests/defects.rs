//! Defects of the kernel: a panic at the k-th place where one is planted, on whichever thread, comes out of every
//! function as a status, with all outputs as they were; and the next call gives the right bits.
//!
//! Only with the feature `planted`, since what is delivered has no such places. `trfb_view_check` is not
//! here: it calls nothing of the kernel.

#[allow(dead_code, reason = "of the calls only some parts are needed here")]
#[path = "boundary/call.rs"]
mod call;
#[allow(dead_code, reason = "likewise")]
#[path = "boundary/placed.rs"]
mod placed;

use std::backtrace::Backtrace;
use std::panic;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::thread;

use call::{Call, variants};
use trfboost_kernel::planted::plant;

/// Panics on other threads than that of the call.
static ELSEWHERE: AtomicU64 = AtomicU64::new(0);

/// Whether a panic out of the products by way of spectra is still to be seen, lest no call makes them any more.
static SPECTRA_UNSEEN: AtomicBool = AtomicBool::new(false);

/// Whether a call is the long one by the measure that has spectra.
fn is_spectral(call: &Call) -> bool {
    call.names().contains(&"hs") && call.array("hs").shape() == [1, 1, 8, 20] && call.scalar("error") == 2.0
}

/// The numbers of places that are tried: each of the first hundred, then fewer and fewer.
fn places() -> impl Iterator<Item = u64> {
    std::iter::successors(Some(0_u64), |place| Some(place + 1 + place / 100))
}

#[test]
fn a_panic_anywhere_in_the_kernel_is_a_status_and_the_next_call_is_right() {
    let caller = thread::current().id();
    panic::set_hook(Box::new(move |_| {
        ELSEWHERE.fetch_add(u64::from(thread::current().id() != caller), SeqCst);
        if SPECTRA_UNSEEN.load(SeqCst) && Backtrace::force_capture().to_string().contains("correlations::spectra") {
            SPECTRA_UNSEEN.store(false, SeqCst);
        }
    }));
    let (mut contained, mut wrong) = (0_u64, Vec::new());
    for variant in variants() {
        let fresh = variant.call();
        let (mut right, untouched) = (fresh.copy(), fresh.memory());
        wrong.extend((right.make().status != 0).then_some(("whole", 0)));
        let name = right.signature.name;
        let mut contained_here = 0;
        SPECTRA_UNSEEN.store(is_spectral(&fresh), SeqCst);
        for place in places() {
            let mut call = fresh.copy();
            plant(Some(place));
            let outcome = call.make();
            plant(None);
            if outcome.status == 0 {
                wrong.extend((call.memory() != right.memory()).then_some((name, place)));
                break;
            }
            contained_here += 1;
            let told = outcome.status == 26 && outcome.sentence().starts_with("a defect of trfboost");
            wrong.extend((!told || call.memory() != untouched).then_some((name, place)));
            let mut next = fresh.copy();
            let status = next.make().status;
            wrong.extend((status != 0 || next.memory() != right.memory()).then_some((name, place)));
        }
        wrong.extend(SPECTRA_UNSEEN.load(SeqCst).then_some(("without spectra", 0)));
        wrong.extend((contained_here == 0).then_some((name, u64::MAX)));
        contained += contained_here;
    }
    wrong.extend(thread::Builder::new().stack_size(64 << 10).spawn(on_a_small_stack).unwrap().join().unwrap());
    let _ = panic::take_hook();
    let elsewhere = ELSEWHERE.load(SeqCst);
    println!("panics contained: {contained}, {elsewhere} of them on threads that the library started");
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(elsewhere > 10, "{elsewhere}");
}

/// Plants a panic in each call; those that are not told of as they should be.
fn on_a_small_stack() -> Vec<(&'static str, u64)> {
    let (mut wrong, mut contained) = (Vec::new(), 0);
    for (variant, place) in variants().into_iter().flat_map(|variant| [0, 1, 4, 16, 64].map(|place| (variant, place))) {
        let (mut call, untouched) = (variant.call(), variant.call().memory());
        plant(Some(place));
        let outcome = call.make();
        plant(None);
        contained += u64::from(outcome.status == 26);
        let right = outcome.status == 0 || (outcome.status == 26 && call.memory() == untouched);
        wrong.extend((!right).then_some((call.signature.name, place)));
    }
    println!("panics contained on a stack of 64 KiB: {contained}");
    wrong.extend((contained < 50).then_some(("on a small stack", contained)));
    wrong
}
