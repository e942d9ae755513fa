//! Several threads, several processes' worth of calls at once.

use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread;

use crate::call::{self, Variant};
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

#[test]
fn sixty_four_threads_that_begin_together_have_the_bits_of_one() {
    let alone: Vec<_> = call::variants().into_iter().map(memory_after).collect();
    let (barrier, inside, most) = (Barrier::new(64), AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        for (variant, alone) in call::variants().into_iter().zip(&alone) {
            barrier.wait();
            most.fetch_max(inside.fetch_add(1, SeqCst) + 1, SeqCst);
            assert!(memory_after(variant) == *alone);
            inside.fetch_sub(1, SeqCst);
        }
    };
    thread::scope(|scope| (0..64).for_each(|_| drop(scope.spawn(work))));
    assert!(most.into_inner() > 8);
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

#[test]
fn a_small_stack_is_enough_for_every_call() {
    let alone: Vec<_> = call::variants().into_iter().map(memory_after).collect();
    let refused = || {
        call::variants().into_iter().for_each(|variant| {
            let mut call = variant.call();
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
