//! Where the threads of a call come from.

use std::num::NonZero;
use std::thread;

/// Starts threads for one call. [`Standard`] does it by the standard library.
///
/// A trait, because the standard library aborts the process if memory runs out while it starts a thread.
/// A caller for whom that is too much brings threads of its own.
pub trait Threads: Sync {
    /// How many threads can run at once.
    fn processors(&self) -> usize;

    /// Runs `job` on `count` threads, or on as many as can be started, and `meanwhile`, which is told how
    /// many these are, on this one. Returns when all have ended, and panics if one of them did. `false`, and
    /// nothing has run, if not one could be started.
    fn run(&self, count: usize, job: &(dyn Fn() + Sync), meanwhile: &mut dyn FnMut(usize)) -> bool;
}

/// The threads of the standard library.
#[derive(Clone, Copy, Debug, Default)]
pub struct Standard;

impl Threads for Standard {
    fn processors(&self) -> usize {
        thread::available_parallelism().map_or(1, NonZero::get)
    }

    fn run(&self, count: usize, job: &(dyn Fn() + Sync), meanwhile: &mut dyn FnMut(usize)) -> bool {
        thread::scope(|scope| {
            let start = || thread::Builder::new().spawn_scoped(scope, job);
            let started = (0..count).map_while(|_| start().ok()).count();
            if started > 0 {
                meanwhile(started);
            }
            started > 0
        })
    }
}

/// Threads of a system that starts no more than so many.
#[cfg(test)]
pub(crate) struct AtMost(pub(crate) usize);

#[cfg(test)]
impl Threads for AtMost {
    fn processors(&self) -> usize {
        4
    }

    fn run(&self, count: usize, job: &(dyn Fn() + Sync), meanwhile: &mut dyn FnMut(usize)) -> bool {
        self.0 > 0 && Standard.run(count.min(self.0), job, meanwhile)
    }
}
