//! Threads for one call, started so that running out of memory is an answer.
//!
//! The standard library aborts the process if memory runs out while it starts a thread. Threads of POSIX
//! either start or do not; and what ours do from there on takes memory politely, which the kernel sees to.
//! They are no more than a stack and a function: no name, no handle, nothing that has to be kept for later.
//! Elsewhere than on Linux the standard library's have to do.

use trfboost_kernel::Threads;

/// Where the kernel has threads from.
#[cfg(not(target_os = "linux"))]
pub(crate) const SOURCE: Option<&'static dyn Threads> = None;
#[cfg(target_os = "linux")]
pub(crate) const SOURCE: Option<&'static dyn Threads> = Some(&posix::Posix);

#[cfg(target_os = "linux")]
mod posix {
    use std::ffi::c_void;
    use std::mem::{self, MaybeUninit};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::ptr;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, Ordering};

    use trfboost_kernel::{Standard, Threads};

    /// What the standard library gives its threads.
    const STACK: usize = 2 << 20;

    pub(super) struct Posix;

    impl Threads for Posix {
        /// Asked of the system each time, since a process may be confined to fewer. The quota of a container
        /// is found out once: the standard library reads files for it.
        fn processors(&self) -> usize {
            static QUOTA: OnceLock<usize> = OnceLock::new();
            let allowed = allowed_processors();
            let quota = QUOTA.get_or_init(|| {
                let standard = Standard.processors();
                if allowed.is_some_and(|allowed| standard >= allowed) { usize::MAX } else { standard }
            });
            allowed.map_or(*quota, |allowed| allowed.min(*quota)).max(1)
        }

        fn run(&self, count: usize, job: &(dyn Fn() + Sync), meanwhile: &mut dyn FnMut(usize)) -> bool {
            let work = Work { job, panicked: AtomicBool::new(false) };
            let mut started = Started(Vec::new());
            if started.0.try_reserve_exact(count).is_err() {
                return false;
            }
            while started.0.len() < count
                && let Some(thread) = start(&work)
            {
                started.0.push(thread);
            }
            if started.0.is_empty() {
                return false;
            }
            meanwhile(started.0.len());
            drop(started); // waits for them
            assert!(!work.panicked.load(Ordering::Relaxed), "a thread panicked");
            true
        }
    }

    /// On how many processors this process may run, if there are not too many to be told.
    fn allowed_processors() -> Option<usize> {
        let mut set = MaybeUninit::<libc::cpu_set_t>::zeroed();
        // SAFETY: a set of zeros is one, of the size that is told; it is written by the call.
        let set = unsafe {
            let status = libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), set.as_mut_ptr());
            (status == 0).then(|| set.assume_init())?
        };
        // SAFETY: only looks at the set.
        usize::try_from(unsafe { libc::CPU_COUNT(&set) }).ok()
    }

    /// What threads do, and whether one of them panicked.
    struct Work<'a> {
        job: &'a (dyn Fn() + Sync),
        panicked: AtomicBool,
    }

    /// Threads that are waited for, whatever happens: they borrow from whoever started them.
    struct Started(Vec<libc::pthread_t>);

    impl Drop for Started {
        fn drop(&mut self) {
            for &thread in &self.0 {
                // SAFETY: started by `start`, and waited for here and nowhere else.
                unsafe { libc::pthread_join(thread, ptr::null_mut()) };
            }
        }
    }

    /// Starts a thread, if the system can. Whoever calls this waits for it before `work` goes.
    fn start(work: &Work<'_>) -> Option<libc::pthread_t> {
        let (mut attributes, mut thread) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        // SAFETY: attributes are initialised before they are used and destroyed after; `work` is shared
        // between threads, which it may be (`Sync`), and outlives this one, which `Started` waits for.
        unsafe {
            if libc::pthread_attr_init(attributes.as_mut_ptr()) != 0 {
                return None;
            }
            libc::pthread_attr_setstacksize(attributes.as_mut_ptr(), STACK);
            let argument = ptr::from_ref(work).cast_mut().cast();
            let status = libc::pthread_create(thread.as_mut_ptr(), attributes.as_ptr(), begin, argument);
            libc::pthread_attr_destroy(attributes.as_mut_ptr());
            (status == 0).then(|| thread.assume_init())
        }
    }

    /// Where a thread begins.
    extern "C" fn begin(work: *mut c_void) -> *mut c_void {
        // SAFETY: `start` passes a `Work` that is there until this thread was waited for.
        let work = unsafe { &*work.cast::<Work<'_>>() };
        if let Err(payload) = catch_unwind(AssertUnwindSafe(work.job)) {
            mem::forget(payload); // dropping it might panic in turn
            work.panicked.store(true, Ordering::Relaxed);
        }
        ptr::null_mut()
    }

    #[cfg(test)]
    mod tests {
        use std::sync::atomic::AtomicUsize;

        use super::*;

        #[test]
        fn all_threads_run_beside_the_calling_one_and_are_waited_for() {
            let (ran, mut told) = (AtomicUsize::new(0), 0);
            let job = || {
                ran.fetch_add(1, Ordering::SeqCst);
            };
            assert!(Posix.run(5, &job, &mut |started| told = started));
            assert_eq!((ran.into_inner(), told), (5, 5));
        }

        #[test]
        fn a_panic_on_a_thread_is_one_of_the_call() {
            let run = || Posix.run(3, &|| panic!("on a thread"), &mut |_| {});
            assert!(catch_unwind(run).is_err());
        }

        #[test]
        fn processors_are_those_of_the_standard_library() {
            assert_eq!(Posix.processors(), Standard.processors());
        }
    }
}
