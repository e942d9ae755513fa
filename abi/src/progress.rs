//! The caller's progress callback.

use std::ffi::c_void;
use std::ops::ControlFlow;

use crate::signature::Progress;

/// A callback and what it is to be called with.
#[derive(Clone, Copy)]
pub(crate) struct Callback {
    function: Option<Progress>,
    user: *mut c_void,
}

impl Callback {
    /// # Safety
    ///
    /// `function`, if given, may be called with `user` as long as this value lives, on the thread
    /// that made it, and returns.
    pub(crate) unsafe fn new(function: Option<Progress>, user: *mut c_void) -> Self {
        Self { function, user }
    }

    /// Tells the caller how far the work is, and asks whether to go on.
    pub(crate) fn call(&self, done: u64, total: u64) -> ControlFlow<()> {
        let Some(function) = self.function else {
            return ControlFlow::Continue(());
        };
        // SAFETY: the promise made to `new`; a raw pointer keeps this value on its thread.
        match unsafe { function(self.user, done as i64, total as i64) } {
            0 => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    }
}
