//! The samples near zero.

use super::kept::{Kept, Offers};
use super::sign_of;
use super::windows::Near;
use crate::Error;

/// Training samples with `|y| <= reach`.
#[derive(Default)]
pub(super) struct NearZero {
    /// `K δ`.
    pub(super) reach: f64,
    /// Those with `|y| <= reach / 4`, and the others.
    pub(super) nearest: Kept<Near>,
    pub(super) others: Kept<Near>,
}

impl NearZero {
    /// Starts again.
    pub(super) fn clear(&mut self, reach: f64) {
        self.reach = reach;
        self.nearest.clear();
        self.others.clear();
    }

    /// Makes room for `more` offers.
    pub(super) fn expect(&mut self, more: usize) -> Result<(), Error> {
        self.nearest.expect(more)?;
        self.others.expect(more)
    }

    /// Takes offers, up to [`NearOffers::finish`].
    pub(super) fn offers(&mut self) -> NearOffers<'_> {
        NearOffers { reach: self.reach, nearest: self.nearest.offers(), others: self.others.offers() }
    }
}

/// Offers of samples that may be near.
pub(super) struct NearOffers<'a> {
    reach: f64,
    nearest: Offers<'a, Near>,
    others: Offers<'a, Near>,
}

impl NearOffers<'_> {
    /// Notes a sample if it is near.
    #[inline(always)]
    pub(super) fn offer(&mut self, position: u32, y: f64) {
        let magnitude = y.abs();
        let near = Near { position, sign: sign_of(y), magnitude };
        let nearest = magnitude <= 0.25 * self.reach;
        self.nearest.offer(near, nearest);
        self.others.offer(near, !nearest & (magnitude <= self.reach));
    }

    pub(super) fn finish(self) {
        self.nearest.finish();
        self.others.finish();
    }
}
