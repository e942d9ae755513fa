//! Several threads for the parts of one computation.
//!
//! Where there are fewer fits than threads, those left over help inside of a fit. They are started for
//! one computation and joined before it returns, so that nothing outlives a call, and they come from where
//! the call has its threads from ([`Threads`]). The calling thread works beside them; it alone asks the
//! caller whether to go on, and tells the others. The parts are the same however many threads there turn
//! out to be, and so are the results, to the bit.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::fit::poll::{INTERVAL, or_cancelled};
use crate::threads::Threads;
use crate::{Error, memory};

/// Asked now and then during a long computation; an error ends it.
pub(crate) type Ask<'a> = dyn FnMut() -> Result<(), Error> + 'a;

/// How many threads a computation may take, and where they come from.
#[derive(Clone, Copy)]
pub(crate) struct Team<'a> {
    source: &'a dyn Threads,
    threads: usize,
}

impl<'a> Team<'a> {
    pub(crate) fn of(source: &'a dyn Threads, threads: usize) -> Self {
        Self { source, threads: threads.max(1) }
    }

    /// Divides the numbers up to `count` among the threads, no more than `most` of them, and returns
    /// what they made, in order. The first error, in order of the parts, is that of all.
    ///
    /// A thread that the system refuses is done without: the others take its part.
    pub(crate) fn divide<T: Send>(
        self,
        count: usize,
        most: usize,
        ask: &mut Ask<'_>,
        work: impl Fn(Range<usize>, &mut Ask<'_>) -> Result<T, Error> + Sync,
    ) -> Result<Vec<T>, Error> {
        let parts = self.threads.min(most).min(count).max(1);
        let part = |index: usize| index * count / parts..(index + 1) * count / parts;
        let job = Job::new(parts)?;
        let help = || {
            let _end = EndOnDrop(&job);
            while let Some(index) = job.take() {
                job.store(index, work(part(index), &mut || job.stopped()));
            }
        };
        let mut outcome = Ok(());
        let mut lead = |helpers| {
            // Whatever ends this closure, a panic included, ends the others first: they are waited for.
            let _stop = StopOnDrop(&job.stop);
            outcome = job.lead(helpers, ask, |index, ask| work(part(index), ask));
        };
        if parts == 1 || !self.source.run(parts - 1, &help, &mut lead) {
            lead(0);
        }
        outcome?;
        let Board { results, .. } = job.board.into_inner().unwrap_or_else(PoisonError::into_inner);
        memory::all_of(results.into_iter().flatten())
    }
}

/// What the threads of a computation share. (A lock and not a channel: it needs no memory.)
struct Job<T> {
    /// Which part is next. Relaxed, as `stop` is: results are handed over under a lock.
    next: AtomicUsize,
    parts: usize,
    stop: AtomicBool,
    board: Mutex<Board<T>>,
    changed: Condvar,
}

struct Board<T> {
    /// By part. Once one of them failed no more are begun; those before it were.
    results: Vec<Option<Result<T, Error>>>,
    /// How many helping threads have nothing more to do.
    ended: usize,
}

impl<T> Job<T> {
    fn new(parts: usize) -> Result<Self, Error> {
        let mut results = memory::with_capacity(parts)?;
        results.resize_with(parts, || None);
        let board = Mutex::new(Board { results, ended: 0 });
        Ok(Self { next: AtomicUsize::new(0), parts, stop: AtomicBool::new(false), board, changed: Condvar::new() })
    }

    fn take(&self) -> Option<usize> {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        (index < self.parts).then_some(index)
    }

    fn store(&self, index: usize, result: Result<T, Error>) {
        if result.is_err() {
            self.next.store(self.parts, Ordering::Relaxed);
        }
        self.board().results[index] = Some(result);
    }

    /// What a helping thread is told when it asks.
    fn stopped(&self) -> Result<(), Error> {
        or_cancelled(match self.stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
    }

    /// Does parts beside so many helping threads, then waits for these, and asks several times a second.
    fn lead(
        &self,
        helpers: usize,
        ask: &mut Ask<'_>,
        work: impl Fn(usize, &mut Ask<'_>) -> Result<T, Error>,
    ) -> Result<(), Error> {
        while let Some(index) = self.take() {
            match work(index, ask) {
                Err(Error::Cancelled) => return Err(Error::Cancelled),
                result => self.store(index, result),
            }
        }
        loop {
            let waiting = |board: &mut Board<T>| board.ended < helpers;
            let waited = self.changed.wait_timeout_while(self.board(), INTERVAL, waiting);
            let (board, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            drop(board);
            if !timeout.timed_out() {
                return Ok(());
            }
            ask()?;
        }
    }

    /// A thread that panicked while it held the lock is told of by whoever waits for it.
    fn board(&self) -> MutexGuard<'_, Board<T>> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Notes that a helping thread has ended, also if it panics.
struct EndOnDrop<'a, T>(&'a Job<T>);

impl<T> Drop for EndOnDrop<'_, T> {
    fn drop(&mut self) {
        self.0.board().ended += 1;
        self.0.changed.notify_one();
    }
}

struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::threads::{AtMost, Standard};

    #[test]
    fn every_number_is_in_one_part_and_results_come_in_order() {
        for (threads, started) in (1..=8).flat_map(|threads| [0, 1, 2, 8].map(|started| (threads, started))) {
            for count in 0..20 {
                let source = AtMost(started);
                let team = Team::of(&source, threads);
                let parts = team.divide(count, 5, &mut || Ok(()), |part, _| Ok(part.collect::<Vec<_>>())).unwrap();
                assert_eq!(parts.len(), threads.min(5).min(count).max(1));
                assert_eq!(parts.concat(), (0..count).collect::<Vec<_>>(), "{started} of {threads} threads");
            }
        }
    }

    #[test]
    fn only_the_calling_thread_asks_the_caller_and_a_no_ends_all() {
        let caller = thread::current().id();
        let mut asked = 0;
        let mut ask = || {
            assert_eq!(thread::current().id(), caller);
            asked += 1;
            if asked < 3 { Ok(()) } else { Err(Error::Cancelled) }
        };
        // Each part would go on for ever.
        let endless = |_, ask: &mut Ask<'_>| -> Result<(), Error> {
            loop {
                ask()?;
                thread::yield_now();
            }
        };
        assert_eq!(Team::of(&Standard, 4).divide(4, 4, &mut ask, endless), Err(Error::Cancelled));
        assert_eq!(asked, 3);
    }

    #[test]
    fn the_caller_is_asked_while_it_waits_for_the_others() {
        let mut asked = 0;
        let mut ask = || {
            asked += 1;
            if asked < 3 { Ok(()) } else { Err(Error::Cancelled) }
        };
        let (caller, helped) = (thread::current().id(), AtomicBool::new(false));
        let work = |_, ask: &mut Ask<'_>| -> Result<(), Error> {
            if thread::current().id() == caller {
                // Not before the other has begun, or it would find nothing to do.
                while !helped.load(Ordering::SeqCst) {
                    thread::yield_now();
                }
                return Ok(());
            }
            helped.store(true, Ordering::SeqCst);
            loop {
                ask()?;
                thread::yield_now();
            }
        };
        assert_eq!(Team::of(&Standard, 2).divide(2, 2, &mut ask, work), Err(Error::Cancelled));
    }

    #[test]
    fn the_first_error_is_that_of_all() {
        let failure = |part: Range<usize>, _: &mut Ask<'_>| match part.start {
            0 => Ok(()),
            bytes => Err(Error::OutOfMemory { bytes: bytes as u64 }),
        };
        for started in 0..=3 {
            let found = Team::of(&AtMost(started), 4).divide(4, 4, &mut || Ok(()), failure);
            assert_eq!(found, Err(Error::OutOfMemory { bytes: 1 }), "{started} threads");
        }
    }
}
