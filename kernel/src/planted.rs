//! Places where a test can have this crate panic, as a defect of it would.
//!
//! They are where all functions and all of their threads come by. Only with the feature `planted-panic`, which is
//! for tests of what contains panics, is anything there.

/// Has whichever thread comes by so many times later panic, once; `None`: none.
#[cfg(feature = "planted-panic")]
pub fn plant(after: Option<u64>) {
    armed::LEFT.store(after.unwrap_or(armed::NEVER), std::sync::atomic::Ordering::SeqCst);
}

#[cfg(feature = "planted-panic")]
mod armed {
    use std::sync::atomic::{AtomicU64, Ordering};

    pub(super) const NEVER: u64 = u64::MAX;
    pub(super) static LEFT: AtomicU64 = AtomicU64::new(NEVER);

    pub(super) fn come_by() {
        let one_less = |left| (left != NEVER).then(|| if left == 0 { NEVER } else { left - 1 });
        let left = LEFT.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less);
        assert!(left != Ok(0), "a defect, planted by a test");
    }
}

/// Where one is planted.
#[inline(always)]
pub(crate) fn here() {
    #[cfg(feature = "planted-panic")]
    armed::come_by();
}
