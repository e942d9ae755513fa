//! Which vector instructions run.
//!
//! Vector code is written once, over [`pulp::Simd`], and compiled for each instruction set. A
//! [`Path`] is one that this machine has. All of them lead to the same bits: where these matter, lanes
//! never exchange numbers and nothing is fused. (Estimates may differ in their last bits, which their
//! bounds allow for.)

use std::sync::OnceLock;

use pulp::{Arch, WithSimd};

use crate::planted;

#[cfg(test)]
thread_local! {
    /// Set by [`Path::as_widest`].
    static WIDEST: std::cell::Cell<Option<Path>> = const { std::cell::Cell::new(None) };
}

/// An instruction set that this machine has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path(Arch);

impl Path {
    /// The widest. Asked of the processor once: in a virtual machine the question is slow.
    pub(crate) fn best() -> Self {
        #[cfg(test)]
        if let Some(path) = WIDEST.get() {
            return path;
        }
        static BEST: OnceLock<Arch> = OnceLock::new();
        Self(*BEST.get_or_init(Arch::new))
    }

    /// The instruction set.
    pub(crate) fn arch(self) -> Arch {
        self.0
    }

    /// All of them, so that tests can run each.
    #[cfg(test)]
    pub(crate) fn all() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        let wider = [pulp::x86::V3::try_new().map(Arch::V3), pulp::x86::V4::try_new().map(Arch::V4)];
        #[cfg(not(target_arch = "x86_64"))]
        let wider: [Option<Arch>; 0] = [];
        std::iter::once(Arch::Scalar).chain(wider.into_iter().flatten()).map(Self).collect()
    }

    /// Does `work` as on a machine on which this is the widest: what starts on this thread, and chooses for
    /// itself.
    #[cfg(test)]
    pub(crate) fn as_widest<T>(self, work: impl FnOnce() -> T) -> T {
        let before = WIDEST.replace(Some(self));
        let done = work();
        WIDEST.set(before);
        done
    }

    /// Runs `operation` with these instructions. Its `with_simd`, and whatever that calls once per
    /// sample, has to be `#[inline(always)]`: a function that is called instead of inlined is
    /// compiled without them.
    #[inline]
    pub(crate) fn run<O: WithSimd>(self, operation: O) -> O::Output {
        planted::here();
        self.0.dispatch(operation)
    }
}
