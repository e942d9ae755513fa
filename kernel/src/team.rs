//! Several threads for the parts of one computation.
//!
//! Where there are fewer fits than threads, those left over help inside of a fit. They are started for
//! one computation and joined before it returns, so that nothing outlives a call. The calling thread
//! takes the first part itself; it alone asks the caller whether to go on, and tells the others.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

use crate::fit::poll::{INTERVAL, or_cancelled};
use crate::{Error, memory};

/// Asked now and then during a long computation; an error ends it.
pub(crate) type Ask<'a> = dyn FnMut() -> Result<(), Error> + 'a;

/// How many threads a computation may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Team {
    threads: usize,
}

impl Team {
    pub(crate) fn of(threads: usize) -> Self {
        Self { threads: threads.max(1) }
    }

    /// Divides the numbers up to `count` among the threads, no more than `most` of them, and returns
    /// what they made, in order. The first error, in order of the parts, is that of all.
    ///
    /// A thread that the system refuses is done without.
    pub(crate) fn divide<T: Send>(
        self,
        count: usize,
        most: usize,
        ask: &mut Ask<'_>,
        work: impl Fn(Range<usize>, &mut Ask<'_>) -> Result<T, Error> + Sync,
    ) -> Result<Vec<T>, Error> {
        let parts = self.threads.min(most).min(count).max(1);
        let part = |index: usize| index * count / parts..(index + 1) * count / parts;
        let stop = AtomicBool::new(false);
        let stopped = || match stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let help = |index: usize| work(part(index), &mut || or_cancelled(stopped()));
        if parts == 1 {
            return memory::all_of([work(0..count, ask)]);
        }
        let mut results = memory::with_capacity(parts)?;
        results.resize_with(parts, || None);
        thread::scope(|scope| {
            // Whatever ends this closure ends the others first: the scope waits for them.
            let _stop = StopOnDrop(&stop);
            let (sender, receiver) = mpsc::channel();
            let mut refused = parts;
            for index in 1..parts {
                let (sender, help) = (sender.clone(), &help);
                let send = move || sender.send((index, help(index))).unwrap_or(()); // nobody waits for it any more
                if thread::Builder::new().spawn_scoped(scope, send).is_err() {
                    refused = index;
                    break;
                }
            }
            drop(sender);
            for index in [0].into_iter().chain(refused..parts) {
                results[index] = Some(Ok(work(part(index), ask)?));
            }
            loop {
                match receiver.recv_timeout(INTERVAL) {
                    Ok((index, result)) => results[index] = Some(result),
                    Err(RecvTimeoutError::Timeout) => ask()?,
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
            }
        })?;
        memory::all_of(results.into_iter().flatten())
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
    use super::*;

    #[test]
    fn every_number_is_in_one_part_and_results_come_in_order() {
        for threads in 1..=8 {
            for count in 0..20 {
                let parts = Team::of(threads).divide(count, 5, &mut || Ok(()), |part, _| Ok(part.collect::<Vec<_>>()));
                let parts = parts.unwrap();
                assert_eq!(parts.len(), threads.min(5).min(count).max(1));
                assert_eq!(parts.concat(), (0..count).collect::<Vec<_>>(), "{threads} threads");
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
        assert_eq!(Team::of(4).divide(4, 4, &mut ask, endless), Err(Error::Cancelled));
        assert_eq!(asked, 3);
    }

    #[test]
    fn the_caller_is_asked_while_it_waits_for_the_others() {
        let mut asked = 0;
        let mut ask = || {
            asked += 1;
            if asked < 3 { Ok(()) } else { Err(Error::Cancelled) }
        };
        let work = |part: Range<usize>, ask: &mut Ask<'_>| -> Result<(), Error> {
            if part.start == 0 {
                return Ok(());
            }
            loop {
                ask()?;
                thread::yield_now();
            }
        };
        assert_eq!(Team::of(2).divide(2, 2, &mut ask, work), Err(Error::Cancelled));
    }

    #[test]
    fn the_first_error_is_that_of_all() {
        let failure = |part: Range<usize>, _: &mut Ask<'_>| match part.start {
            0 => Ok(()),
            bytes => Err(Error::OutOfMemory { bytes: bytes as u64 }),
        };
        let found = Team::of(3).divide(3, 3, &mut || Ok(()), failure);
        assert_eq!(found, Err(Error::OutOfMemory { bytes: 1 }));
    }
}
