//! How far an estimate can be from the reference's number.
//!
//! Notation: `u = 2^-53`; `m` is the number of terms of the longest sum that is involved, samples
//! and the rows of margins together; norms are over the samples of the segment list at hand;
//! `R ≥ ‖v‖` for every lag of a predictor, be it padded as in the list at hand or as in
//! `train_and_validate`; `N ≥ ‖y‖` for the residual that the reference has. Each sum of `k` rounded
//! terms is within `(k + c) u` of the sum of magnitudes, and by Cauchy and Schwarz a sum of
//! products of two signals has magnitudes of at most the product of their norms. [`Precision::sum`]
//! stands for `(k + c) u` with room for every `c` below and for terms of order `u²`.
//!
//! **Correlations** are within `β R` of those of the reference's residual, with one `β` for all
//! options. Summed afresh: `β = sum N`. A step of `δ` on an option with norm `R_u` adds
//! - `δ sum R_u`, since each product `g` is within `sum R_u R` of its exact value;
//! - `‖η‖ ≤ u (δ R_u + N')`, the rounding of the reference's own update `y' = y - δ u + η`;
//! - `u (2 δ R_u + N + β)`, the rounding of `c - δ g`, in which `|c| ≤ (N + β) R`.
//!
//! **The sum of squares** `E` is off by `ε`. Summed afresh `ε = sum N²`; a step adds the error of
//! `2 δ c`, that is `2 δ β R_u`, that of `δ² q`, that is `δ² sum R_u²`, the rounding of the update,
//! `2 N' ‖η‖ + ‖η‖²`, and a few roundings of terms that are each at most `(N + δ R_u)²`. Where a
//! step takes off another signal than the option it is, `c` and `q` are corrected by short sums of
//! magnitudes of at most `2 N R_u` and `2 R_u²`, off by `sum` times that.
//!
//! **The reference's number** for an option rounds `δ v`, the difference, its square and `m` sums:
//! it is within `sum (N + δ R)²` of the real `Σ (y ∓ δ v)²`. Likewise `sum N²` for a residual.
//!
//! **Small numbers.** Products below 2^-1022 lose more than `u` of themselves, 2^-1074 each at
//! most. [`is_safe`] admits norms of 0 and of 1e-70 to 1e70 and steps of 1e-40 to 1e40 only. Then
//! `δ β R` is above 1e-200 unless a norm is 0, in which case the products are exactly 0, and what
//! is lost, `m` times 2^-1074 times at most 1e110, is far below it; sums of squares of small
//! residuals may lose `m` times 2^-1074, for which [`TINY`] is added. And nothing overflows: after
//! a million steps a residual is below 1e117.

use std::ops::RangeInclusive;

/// Half the distance from 1 to the next number: the relative error of one rounding.
const UNIT: f64 = f64::EPSILON / 2.0;

/// What every bound of an error is raised by, for numbers near the smallest.
const TINY: f64 = 1e-290;

/// Bounds are computed with rounding, too: each by a handful of operations on numbers that are not
/// negative, for which this is far more than enough.
const ROOM: f64 = 1.0 + 1.0 / 1024.0;

const NORMS: RangeInclusive<f64> = 1e-70..=1e70;
const STEPS: RangeInclusive<f64> = 1e-40..=1e40;

/// Whether the bounds hold for a signal or predictor of this norm.
pub(super) fn is_safe(norm: f64) -> bool {
    norm == 0.0 || NORMS.contains(&norm)
}

/// Whether the bounds hold for steps of this size.
pub(super) fn is_safe_step(delta: f64) -> bool {
    STEPS.contains(&delta)
}

/// The relative error of sums over one list of segments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Precision {
    sum: f64,
}

impl Precision {
    /// For sums of this many terms. The factor 4 is for products `g` and squares `q`, which are put
    /// together from a long sum and two corrections at the ends of segments, each of at most the
    /// magnitude of the whole.
    pub(super) fn of_terms(terms: usize) -> Self {
        Self { sum: (4.0 * terms as f64 + 64.0) * UNIT * ROOM }
    }

    /// As if sums were that much more precise than they are.
    #[cfg(test)]
    pub(super) fn scaled(self, factor: f64) -> Self {
        Self { sum: self.sum * factor }
    }

    /// No less than the norm of a signal, from the sum of its squares as computed.
    pub(super) fn norm(self, squares: f64) -> f64 {
        squares.sqrt() * (1.0 + self.sum) * ROOM
    }

    /// How far a sum of products of signals with these norms is from its exact value.
    pub(super) fn products(self, norm: f64, other: f64) -> f64 {
        self.sum * norm * other * ROOM
    }

    /// How far the reference's sum of squares is from the exact one of a signal with this norm, and
    /// an exact one from a plain sum.
    pub(super) fn squares(self, norm: f64) -> f64 {
        self.sum * norm * norm * ROOM + TINY
    }
}

/// How far what is carried along is off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drift {
    /// `β`: correlations are within this times `R`.
    pub(super) correlation: f64,
    /// `ε`: the sum of squares is within this.
    pub(super) squares: f64,
    /// `N`: no less than the norm of the residual.
    pub(super) norm: f64,
}

impl Drift {
    /// Of correlations and squares that were summed afresh.
    pub(super) fn fresh(precision: Precision, norm: f64) -> Self {
        Self { correlation: precision.products(norm, 1.0), squares: precision.squares(norm), norm }
    }

    /// After a step of `delta` on an option of norm `stepped`; `squares` is the sum of squares that
    /// is now carried along, into which corrections at `edges` may have gone.
    pub(super) fn step(&mut self, precision: Precision, delta: f64, stepped: f64, squares: f64, edges: bool) {
        let Self { correlation, norm, .. } = *self;
        let change = delta.abs() * stepped;
        let reach = norm + change; // no less than the norm of the residual after the step
        let rounding = UNIT * (change + reach) * ROOM;
        self.squares += 2.0 * change * correlation
            + precision.products(change, change)
            + rounding * (2.0 * reach + rounding)
            + 16.0 * UNIT * reach * reach;
        if edges {
            self.squares += precision.products(norm, 4.0 * change) + precision.products(change, change);
        }
        self.squares *= ROOM_PER_STEP;
        self.correlation +=
            precision.products(change, 1.0) + rounding + UNIT * (2.0 * change + norm + correlation) * ROOM;
        self.correlation *= ROOM_PER_STEP;
        self.norm = reach.min((squares + self.squares).max(0.0).sqrt()) * ROOM_PER_STEP;
    }

    /// How far the estimate of an option's error, `E - gain`, is off, that of `E` left aside: this
    /// is the same for all options.
    pub(super) fn option(&self, precision: Precision, delta: f64, norm: f64) -> f64 {
        let change = delta * norm;
        let reach = self.norm + change;
        (2.0 * change * self.correlation + precision.squares(reach) + 32.0 * UNIT * reach * reach) * ROOM
    }

    /// How far the sum of squares that is carried along can be from the reference's.
    pub(super) fn error(&self, precision: Precision) -> f64 {
        (self.squares + precision.squares(self.norm)) * ROOM
    }
}

/// As [`ROOM`], for numbers that are carried along: a million steps may raise them by no more than
/// a part in a thousand.
const ROOM_PER_STEP: f64 = 1.0 + 8.0 * f64::EPSILON;

#[cfg(test)]
mod tests {
    use super::*;

    /// Each term of a step's bound by itself, all else being next to nothing: `sum`, the drift before
    /// the step, `delta` and `R_u`, whether there are edges, and what `ε` and `β` have to be at least.
    #[test]
    fn no_term_of_a_step_is_missing() {
        let precise = Precision { sum: 0.0 };
        let coarse = Precision { sum: 1e-3 };
        let drift = |correlation, norm| Drift { correlation, squares: 0.0, norm };
        let reach = 5.0 + 2.0 * 3.0;
        let eta = UNIT * (6.0 + reach);
        let cases = [
            ("2 δ β R_u: the error of c", precise, drift(0.25, 0.0), false, 2.0 * 2.0 * 0.25 * 3.0, 0.25),
            ("δ² sum R_u²: the error of q", coarse, drift(0.0, 0.0), false, 4.0 * 1e-3 * 9.0, 2.0 * 1e-3 * 3.0),
            ("2 N' ‖η‖: the rounding of the update", precise, drift(0.0, 5.0), false, 2.0 * reach * eta, eta),
            ("4 sum N δ R_u: edges, c", coarse, drift(0.0, 5.0), true, 1e-3 * (4.0 * 5.0 * 6.0 + 2.0 * 36.0), 6e-3),
            ("u β: the rounding of c - δ g", precise, drift(1e9, 0.0), false, 0.0, 1e9 * (1.0 + UNIT)),
            ("u N: the same", precise, drift(0.0, 1e9), false, 0.0, UNIT * (1e9 + 1e9)),
        ];
        for (name, precision, before, edges, squares, correlation) in cases {
            let mut after = before;
            after.step(precision, -2.0, 3.0, before.norm * before.norm, edges);
            assert!(after.squares >= squares, "{name}: {} < {squares}", after.squares);
            assert!(after.correlation >= correlation, "{name}: {} < {correlation}", after.correlation);
            // And little more: a bound that is far too wide would hide a term that is missing.
            assert!(squares == 0.0 || after.squares < 1.5 * squares + 1e-12, "{name}: {}", after.squares);
        }
    }

    /// An estimate `Σ` that is off by exactly what the drift admits makes an error that the bounds of
    /// an option and of the sum of squares have to cover, with numbers that are exact.
    #[test]
    fn no_term_of_an_estimate_is_missing() {
        let drift = Drift { correlation: 0.5, squares: 0.125, norm: 4.0 };
        let (precise, coarse) = (Precision { sum: 0.0 }, Precision { sum: 1e-3 });
        assert!(drift.option(precise, 2.0, 3.0) >= 2.0 * 2.0 * 0.5 * 3.0);
        let without = Drift { correlation: 0.0, ..drift };
        assert!(without.option(coarse, 2.0, 3.0) >= 1e-3 * 10.0 * 10.0);
        assert!(drift.error(precise) >= 0.125);
        assert!(drift.error(coarse) >= 0.125 + 1e-3 * 16.0);
        assert!(Drift::fresh(coarse, 4.0).correlation >= 4e-3 && Drift::fresh(coarse, 4.0).squares >= 16e-3);
    }

    /// The norm is that of the residual after the step, by whichever way it is known better.
    #[test]
    fn a_norm_follows_the_sum_of_squares_and_what_it_may_be_off() {
        let mut drift = Drift { correlation: 0.0, squares: 1.0, norm: 4.0 };
        drift.step(Precision { sum: 0.0 }, 2.0, 3.0, 8.0, false);
        assert!(drift.norm >= 3.0 && drift.norm < 3.0 + 1e-9, "{}", drift.norm);
        drift.step(Precision { sum: 0.0 }, 2.0, 3.0, 1e6, false);
        assert!(drift.norm >= 9.0 && drift.norm < 9.0 + 1e-9, "{}", drift.norm);
    }
}
