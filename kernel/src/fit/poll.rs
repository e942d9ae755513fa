//! How a fit is watched and cancelled.
//!
//! A fit can take from a millisecond to hours, so that it asks often, and whoever answers decides
//! by the clock how often the question reaches the caller.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::{Error, planted};

/// Asked by a fit, with the number of steps so far, whether to go on.
pub(crate) type Poll<'a> = dyn FnMut(u64) -> ControlFlow<()> + 'a;

/// How long the caller's progress function waits between calls: short enough that Ctrl-C, which a
/// Python caller sees in that function only, feels immediate; long enough to cost nothing.
pub(crate) const INTERVAL: Duration = Duration::from_millis(20);

/// What a cancelled fit returns.
pub(crate) fn or_cancelled(answer: ControlFlow<()>) -> Result<(), Error> {
    planted::here();
    match answer {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::Cancelled),
    }
}

/// Says when [`INTERVAL`] has passed.
pub(crate) struct Throttle {
    last: Instant,
}

impl Throttle {
    pub(crate) fn new() -> Self {
        Self { last: Instant::now() }
    }

    pub(crate) fn is_due(&mut self) -> bool {
        let due = planted::asks_always() || self.last.elapsed() >= INTERVAL;
        if due {
            self.last = Instant::now();
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_throttle_is_due_when_the_interval_has_passed_since_it_was_last() {
        let begin = Instant::now();
        // Nothing passes until then.
        let mut throttle = Throttle { last: begin + Duration::from_secs(3600) };
        assert!(!throttle.is_due());
        throttle.last = begin.checked_sub(INTERVAL).unwrap();
        assert!(throttle.is_due());
        assert!(throttle.last >= begin, "the next interval begins now");
    }
}
