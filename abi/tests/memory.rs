//! Memory that runs out: at the k-th request of a call, for every k.
//!
//! Each call is made again and again, with an allocator that refuses one request more each time: one alone,
//! and that one and all after it. A refused request has to come out as a status, with all outputs as they
//! were and nothing left behind; and the next call has to work. (A request whose refusal the library cannot
//! take ends the process, and with it this test.)
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "of the calls only some parts are needed here")]
#[path = "boundary/call.rs"]
mod call;
#[allow(dead_code, reason = "likewise")]
#[path = "boundary/placed.rs"]
mod placed;

use std::alloc::{GlobalAlloc, Layout as Size, System};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::SeqCst};
use std::{hint, ptr};

use call::{Call, Make};
use placed::{CONTIGUOUS, LAYOUTS, Layout};

/// The system's allocator, which refuses what it is told to.
struct Refusing;

#[global_allocator]
static ALLOCATOR: Refusing = Refusing;

/// Whether requests are counted and may be refused.
static ARMED: AtomicBool = AtomicBool::new(false);
/// Whether the test is on the first thread of the process.
static ON_FIRST: AtomicBool = AtomicBool::new(false);
/// How many requests there were.
static REQUESTS: AtomicI64 = AtomicI64::new(0);
/// Which of them is refused, and whether those after it are.
static REFUSED: AtomicI64 = AtomicI64::new(-1);
static AND_LATER: AtomicBool = AtomicBool::new(false);
/// How many pieces of memory were given out while armed and not given back.
static HELD: AtomicI64 = AtomicI64::new(0);

/// Whether requests of this thread are counted: not those of the process's first one, which waits for the test
/// and takes memory when it pleases, unless the test is on it.
fn is_counted() -> bool {
    // SAFETY: these only tell numbers.
    let is_first = || unsafe { libc::gettid() == libc::getpid() };
    ARMED.load(SeqCst) && (ON_FIRST.load(SeqCst) || !is_first())
}

impl Refusing {
    fn refuses(&self) -> bool {
        if !is_counted() {
            return false;
        }
        let (request, refused) = (REQUESTS.fetch_add(1, SeqCst), REFUSED.load(SeqCst));
        request == refused || (refused >= 0 && request > refused && AND_LATER.load(SeqCst))
    }
}

// SAFETY: what is not refused is the system's, which keeps the promises.
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, size: Size) -> *mut u8 {
        if self.refuses() {
            return ptr::null_mut();
        }
        if is_counted() {
            HELD.fetch_add(1, SeqCst);
        }
        // SAFETY: the caller's promise.
        unsafe { System.alloc(size) }
    }

    unsafe fn dealloc(&self, place: *mut u8, size: Size) {
        if is_counted() {
            HELD.fetch_sub(1, SeqCst);
        }
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(place, size) }
    }

    unsafe fn realloc(&self, place: *mut u8, size: Size, new: usize) -> *mut u8 {
        if self.refuses() {
            return ptr::null_mut();
        }
        // SAFETY: the caller's promise.
        unsafe { System.realloc(place, size, new) }
    }
}

/// Makes a call while requests are counted; how many there were, and the status.
fn make(call: &mut Call, refused: i64, and_later: bool) -> (i64, i32, i64) {
    REQUESTS.store(0, SeqCst);
    REFUSED.store(refused, SeqCst);
    AND_LATER.store(and_later, SeqCst);
    HELD.store(0, SeqCst);
    let mut details = call::details();
    ARMED.store(true, SeqCst);
    let status = hint::black_box(call.make_with(&raw mut details));
    ARMED.store(false, SeqCst);
    (REQUESTS.load(SeqCst), status, HELD.load(SeqCst))
}

fn with(call: Make, layout: Layout, error: f64, threads: f64) -> Call {
    let mut call = call(&|_| layout);
    call.set_if_any("num_threads", threads);
    call.set_if_any("error", error);
    call
}

#[test]
fn a_request_that_is_refused_is_a_status_and_nothing_else() {
    let calls: [Make; 8] = [
        call::options,
        call::update,
        call::error,
        call::fit,
        call::runs,
        call::single_run,
        call::long_run,
        call::convolution,
    ];
    // SAFETY: these only tell numbers.
    ON_FIRST.store(unsafe { libc::gettid() == libc::getpid() }, SeqCst);
    let mut refusals = 0;
    for make_call in calls {
        for (layout, error, threads) in [
            (CONTIGUOUS, 1.0, 1.0),
            (CONTIGUOUS, 2.0, 1.0),
            (LAYOUTS[4], 1.0, 1.0),
            (LAYOUTS[4], 2.0, 1.0),
            (CONTIGUOUS, 1.0, 3.0),
            (CONTIGUOUS, 2.0, 3.0),
        ] {
            let fresh = with(make_call, layout, error, threads); // copied, since making it is slow
            let mut whole = fresh.copy();
            make(&mut whole, -1, false); // what is made once per process
            let (mut whole, untouched) = (fresh.copy(), fresh.memory());
            let (requests, status, held) = make(&mut whole, -1, false);
            let about = format!("{}, {layout:?}, l{error}, {threads} threads", whole.signature.name);
            assert_eq!((status, held), (0, 0), "{about}");
            for and_later in [false, true] {
                for refused in 0..requests {
                    let mut call = fresh.copy();
                    let (_, status, held) = make(&mut call, refused, and_later);
                    assert!(status == 0 || status == 24, "{about}: request {refused}: status {status}");
                    assert_eq!(held, 0, "{about}: request {refused} leaves memory behind");
                    let expected = if status == 0 { whole.memory() } else { untouched.clone() };
                    assert!(call.memory() == expected, "{about}: request {refused}, status {status}");
                    refusals += i64::from(status == 24);
                    let mut next = fresh.copy();
                    assert_eq!(make(&mut next, -1, false).1, 0, "{about}: after request {refused}");
                    assert!(next.memory() == whole.memory(), "{about}: after request {refused}");
                }
            }
        }
    }
    assert!(refusals > 500, "{refusals}");
    println!("{refusals} requests were refused, each of which was a status");
}
