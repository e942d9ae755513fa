//! Memory between two pages that may not be touched.

use std::ptr;

/// Bytes that may be touched: a multiple of the page size of every machine.
const OPEN: usize = 1 << 19;
/// Bytes on either side that may not: no stride of these tests leads over them.
const CLOSED: usize = 1 << 19;

/// At which of the two closed pages something lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Edge {
    /// Its first byte is the first that is open.
    Start,
    /// Its last byte is the last that is open.
    End,
}

/// An open page between closed ones. It is there until the process ends, for any number of contents in turn.
#[derive(Clone, Copy)]
pub(crate) struct Region {
    open: *mut u8,
}

impl Region {
    pub(crate) fn new() -> Self {
        // SAFETY: new memory, closed as yet.
        let start = unsafe {
            let (flags, length) = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, OPEN + 2 * CLOSED);
            libc::mmap(ptr::null_mut(), length, libc::PROT_NONE, flags, -1, 0)
        };
        assert!(start != libc::MAP_FAILED, "mmap");
        let open = start.wrapping_byte_add(CLOSED);
        // SAFETY: the middle of the mapping above.
        assert_eq!(unsafe { libc::mprotect(open, OPEN, libc::PROT_READ | libc::PROT_WRITE) }, 0, "mprotect");
        Self { open: open.cast() }
    }

    /// The address of a copy of `bytes` at that edge, in place of what was there.
    pub(crate) fn put(self, bytes: &[u8], edge: Edge) -> *mut u8 {
        assert!(bytes.len() <= OPEN);
        let place = match edge {
            Edge::Start => self.open,
            Edge::End => self.open.wrapping_byte_add(OPEN - bytes.len()),
        };
        // SAFETY: the open part, in which the copy has just been seen to fit.
        unsafe { place.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        place
    }

    /// What lies there now: `length` bytes that [`Self::put`] put at `place`.
    pub(crate) fn get(self, place: *const u8, length: usize) -> Vec<u8> {
        assert!(place.addr() >= self.open.addr() && place.addr() + length <= self.open.addr() + OPEN);
        let mut bytes = vec![0; length];
        // SAFETY: within the open part.
        unsafe { place.copy_to_nonoverlapping(bytes.as_mut_ptr(), length) };
        bytes
    }
}
