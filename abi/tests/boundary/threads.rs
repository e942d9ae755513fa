//! Several threads, several processes' worth of calls at once.

use std::ffi::c_void;
use std::sync::Barrier;
use std::{ptr, thread};

use crate::call::{self, Call, Variant};
use crate::placed::{CONTIGUOUS, LAYOUTS};

#[test]
fn threads_that_call_at_once_do_not_disturb_each_other() {
    let memory_after = |layout| {
        call::all(&|_| layout).map(|mut call| {
            assert_eq!(call.make().status, 0);
            call.memory()
        })
    };
    let alone = LAYOUTS.map(memory_after);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..64)
            .map(|index| {
                let layout = index % LAYOUTS.len();
                scope.spawn(move || (layout, [(); 5].map(|()| memory_after(LAYOUTS[layout]))))
            })
            .collect();
        for thread in threads {
            let (layout, repeats) = thread.join().expect("no panic");
            repeats.iter().for_each(|memory| assert!(*memory == alone[layout]));
        }
    });
}

/// Where threads wait for each other while they are in a call.
struct Meeting<'a> {
    all: &'a Barrier,
    came: bool,
}

impl Meeting<'_> {
    fn come(&mut self) {
        if !self.came {
            self.came = true;
            self.all.wait();
        }
    }
}

unsafe extern "C" fn come(user: *mut c_void, _: i64, _: i64) -> i32 {
    // SAFETY: `made_together` put it there and does not use it during the call.
    unsafe { &mut *user.cast::<Meeting<'_>>() }.come();
    0
}

/// Makes a call of runs, which goes on when as many threads as `all` is for are in theirs.
fn made_together(mut call: Call, all: &Barrier) -> Vec<u64> {
    let mut meeting = Meeting { all, came: false };
    call.progress = Some(come);
    call.user = ptr::from_mut(&mut meeting).cast();
    let status = call.make().status;
    let met = meeting.came;
    meeting.come(); // lest the others wait for ever
    assert!(status == 0 && met, "{status}, {met}");
    call.memory()
}

#[test]
fn sixty_four_threads_that_are_in_a_call_at_once_have_the_bits_of_one() {
    let alone: Vec<_> = call::variants().into_iter().map(memory_after).collect();
    let barrier = Barrier::new(64);
    let work = || {
        for (variant, alone) in call::variants().into_iter().zip(&alone) {
            let call = variant.call();
            match call.signature.name {
                "trfb_boosting_runs" => assert!(made_together(call, &barrier) == *alone),
                _ => assert!(memory_after(variant) == *alone),
            }
        }
    };
    thread::scope(|scope| (0..64).for_each(|_| drop(scope.spawn(work))));
}

#[test]
fn refusals_on_many_threads_are_each_callers_own() {
    thread::scope(|scope| {
        for row in 0..8 {
            scope.spawn(move || {
                for _ in 0..200 {
                    let mut call = call::error(&|_| CONTIGUOUS);
                    call.array_mut("indexes").write(|index, old: i64| if index == 3 { 41 + row } else { old });
                    let outcome = call.make();
                    assert_eq!((outcome.status, outcome.details.actual), (17, 1));
                    let sentence = format!("indexes: row 1 is (20, {}), expected 0 <= start <= stop <= 40", 41 + row);
                    assert_eq!(outcome.sentence(), sentence);
                }
            });
        }
    });
}

unsafe extern "C" fn cancel(_: *mut c_void, _: i64, _: i64) -> i32 {
    1
}

#[test]
fn a_small_stack_is_enough_for_every_call() {
    let alone: Vec<_> = call::variants().into_iter().map(memory_after).collect();
    let refused = || {
        call::variants().into_iter().for_each(|variant| {
            let mut call = variant.call();
            if call.signature.name == "trfb_boosting_runs" {
                let mut cancelled = call.copy();
                cancelled.progress = Some(cancel);
                assert_eq!(cancelled.make().status, 23);
            }
            let last = *call.names().last().expect("an array");
            call.view(last).dtype = 0x6602;
            assert_eq!(call.make().status, 6);
        });
    };
    let work = move || {
        refused();
        call::variants().into_iter().map(memory_after).collect::<Vec<_>>()
    };
    let small = thread::Builder::new().stack_size(64 << 10).spawn(work).expect("a thread");
    assert!(small.join().expect("no panic") == alone);
}

fn memory_after(variant: Variant) -> Vec<u64> {
    let mut call = variant.call();
    assert_eq!(call.make().status, 0);
    call.memory()
}
