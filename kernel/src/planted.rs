//! Places where a test can have this crate panic, as a defect of it would, or ask its caller whether to go on at each
//! occasion instead of every so many milliseconds.
//!
//! They are where all functions and all of their threads come by. Only with the feature `planted`, which is for tests
//! of what contains panics and of cancelling, is anything there.

/// Has whichever thread comes by so many times later panic, once; `None`: none.
#[cfg(feature = "planted")]
pub fn plant(after: Option<u64>) {
    armed::LEFT.store(after.unwrap_or(armed::NEVER), std::sync::atomic::Ordering::SeqCst);
}

/// Has callers asked at each occasion, or, as ever, now and then.
#[cfg(feature = "planted")]
pub fn ask_always(always: bool) {
    armed::ASKS_ALWAYS.store(always, std::sync::atomic::Ordering::SeqCst);
}

#[cfg(feature = "planted")]
mod armed {
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

    pub(super) const NEVER: u64 = u64::MAX;
    pub(super) static LEFT: AtomicU64 = AtomicU64::new(NEVER);
    pub(super) static ASKS_ALWAYS: AtomicBool = AtomicBool::new(false);

    pub(super) fn come_by() {
        let one_less = |left| (left != NEVER).then(|| if left == 0 { NEVER } else { left - 1 });
        let left = LEFT.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less);
        assert!(left != Ok(0), "a defect, planted by a test");
    }
}

/// Where a panic is planted.
#[inline(always)]
pub(crate) fn here() {
    #[cfg(feature = "planted")]
    armed::come_by();
}

/// Whether the caller is to be asked whatever the clock says.
#[inline(always)]
pub(crate) fn asks_always() -> bool {
    #[cfg(feature = "planted")]
    return armed::ASKS_ALWAYS.load(std::sync::atomic::Ordering::SeqCst);
    #[cfg(not(feature = "planted"))]
    false
}
