//! Lists that grow without branching.
//!
//! Which samples are near zero, or have changed their sign, no processor can predict; a branch on it
//! costs more than the rest of the work. So every item is written, and stays if it is counted.

use crate::{Error, memory};

/// What was offered and stays.
#[derive(Default)]
pub(super) struct Kept<T> {
    items: Vec<T>,
    count: usize,
}

impl<T: Copy + Default> Kept<T> {
    /// Makes room for `more` offers.
    pub(super) fn expect(&mut self, more: usize) -> Result<(), Error> {
        // One place beyond the last that stays is written.
        let needed = self.count + more + 1;
        if self.items.len() < needed {
            let mut items = memory::filled(needed.next_power_of_two(), T::default())?;
            items[..self.count].copy_from_slice(self);
            self.items = items;
        }
        Ok(())
    }

    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Takes offers, up to [`Offers::finish`].
    #[inline(always)]
    pub(super) fn offers(&mut self) -> Offers<'_, T> {
        let Self { items, count } = self;
        Offers { items, next: *count, count }
    }
}

/// Offers that are being made. The count is a number of its own meanwhile: in the list, where items are
/// written that might be it for all the compiler knows, each offer would wait for the one before.
pub(super) struct Offers<'a, T> {
    items: &'a mut [T],
    next: usize,
    count: &'a mut usize,
}

impl<T: Copy> Offers<'_, T> {
    #[inline(always)]
    pub(super) fn offer(&mut self, item: T, stays: bool) {
        self.items[self.next] = item;
        self.next += usize::from(stays);
    }

    /// Offers the first `count` of some items. All count as offers.
    #[inline(always)]
    pub(super) fn offer_some<const N: usize>(&mut self, items: [T; N], count: usize) {
        self.items[self.next..][..N].copy_from_slice(&items);
        self.next += count;
    }

    #[inline(always)]
    pub(super) fn finish(self) {
        *self.count = self.next;
    }
}

impl<T> std::ops::Deref for Kept<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items[..self.count]
    }
}
