//! How far an estimate can be from the reference's number.
//!
//! Notation: `u = 2^-53`; `m` is the number of training samples, at most `2^32`; `F` is the number of
//! flips since `G` was summed afresh, and of sums that it was made of then; `V >= Σ |v|` for every lag of
//! a predictor; a hat is for what was computed. `k` roundings are within `γ(k) = k u / (1 - k u)`
//! relative. With `F <= 2^36` (the engine sums afresh long before) every `γ(k)` below is less than
//! `1.0001 k u`.
//!
//! **E**: at most `m` terms, exact, in any order: `|Ê - E| <= γ(m) E`. (Over the validation segments samples
//! may count several times, and the sum over those that are side by side is multiplied by how often. A term
//! then goes through the additions of its part, that product, and the additions of the parts: no more than
//! `m + 1` roundings, for which [`of_sum`] has room.)
//!
//! **G**: terms are `± v` at first and `± 2 v` per flip, both exact, fused or not. Each addition
//! rounds its result. Summed afresh, in whatever order, that is within `γ(m) V`, and a sum of `k` such
//! sums within `γ(m + k) V`. An addition later rounds a sum that is `G` itself, at most `V`, but for the
//! errors so far: `u V` each, to first order. Together `|Ĝ - G| <= γ(m + F) V`.
//!
//! **R**: a term `max(0, σ s δ v - |y|)` rounds `δ v` and the difference: it is within
//! `2 u δ |v|` and `u²` more of its exact value, also where one of the two is 0. All terms are at
//! most `δ |v|`, and each sample has one at most, so that the sum of at most `m` of them is within
//! `γ(m + 3) δ V`. (`K δ` is rounded, too: a sample that is missed by that has a term of at most
//! `u δ |v|`.) Leaving terms out makes a lower bound of a lower bound.
//!
//! **Storage**: `G` and `R` are those of `v` as it is stored, in single precision. Each sample's `v` is
//! rounded by at most `2^-24 |v|`, or by `2^-150` where it is tiny, and `|y - σ δ v|` moves by no more
//! than `δ` times that: `e` by at most `δ (2^-24 V + 2^-150 m)` ([`Bound::storage`]), whatever the
//! signs and however many flips. Everything else on this page is about `v` as stored.
//!
//! **The estimate** `Ê - δ |Ĝ| + 2 R̂` rounds the product and two sums, whose parts are at most
//! `E + δ V + 2 δ V`: at most `u (δ V) + 2 u (E + 3 δ V)`.
//!
//! **The reference's number** `ê` rounds `d = δ v`, the difference, and the running sum of `m`
//! terms: `|d - δ v| <= u δ |v|`, and so `|ê - e| <= u δ V + γ(m + 1) (e + u δ V)`, with
//! `e <= E + δ V`.
//!
//! Together, with `Ê` for `E`: `|ê - estimate| <= 1.001 u (m + F + 16) (2 E + 4 δ V)`, which is
//! [`Bound::arithmetic`], with 3 for 2, and [`Bound::storage`] on top of it. For the error of the residual itself, `|ê - Ê| <= 2 γ(m) E`.
//!
//! **Small numbers.** Sums and differences below 2^-1022 are exact; products lose up to 2^-1075 each,
//! and there are no more than four per sample. [`TINY`] per sample is far above it.
//!
//! **Large numbers.** If `3 E + 4 δ V` is finite, so is everything above. If not, there is no bound
//! ([`Bound::is_safe`]), and the engine computes all options.

/// Half the distance from 1 to the next number: the relative error of one rounding.
const UNIT: f64 = f64::EPSILON / 2.0;

/// What a sample may lose in products below the normal range, with much room: 2^-1022.
const TINY: f64 = f64::MIN_POSITIVE;

/// For terms of second order, the estimated `E` and the roundings of the bound itself.
const ROOM: f64 = 1.001;

/// The relative error of a number stored in single precision.
const STORED: f64 = f32::EPSILON as f64 / 2.0;

/// Its error below the normal range, with room: the smallest step there is.
const STORED_TINY: f64 = f32::MIN_POSITIVE as f64 * f32::EPSILON as f64;

/// What is known of the estimates of one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    /// `m + F + 16`.
    terms: f64,
    /// `E`, as estimated.
    error: f64,
}

impl Bound {
    pub(super) fn new(samples: usize, flips: usize, error: f64) -> Self {
        Self { terms: (samples + flips + 16) as f64, error }
    }

    /// How far the estimate of an option's error is from the reference's number. `sum` is `V`.
    pub(super) fn option(&self, delta: f64, sum: f64) -> f64 {
        self.arithmetic(delta, sum) + self.storage(delta, sum)
    }

    /// The part that is due to additions and products.
    pub(super) fn arithmetic(&self, delta: f64, sum: f64) -> f64 {
        ROOM * UNIT * self.terms * (3.0 * self.error + 4.0 * delta * sum) + TINY * self.terms
    }

    /// The part that is due to the predictors' rounding.
    fn storage(&self, delta: f64, sum: f64) -> f64 {
        ROOM * delta * (STORED * sum + STORED_TINY * self.terms)
    }

    /// Whether [`Self::option`] holds for predictors of at most this `V`.
    pub(super) fn is_safe(&self, delta: f64, sum: f64) -> bool {
        (ROOM * (3.0 * self.error + 4.0 * delta * sum)).is_finite()
    }
}

/// `V`, from a predictor's stored magnitudes: above their sum, and above that of what they were
/// before they were rounded. There are at most `2^32`.
pub(super) fn sum_of_stored(row: &[f32]) -> f64 {
    const SUM_ROOM: f64 = 1.0 + 1e-6; // the sum's roundings, at most 2^-21, and the numbers' own, 2^-24
    // Running sums none of which waits for another.
    let mut sums = [0.0; 8];
    let chunks = row.chunks_exact(sums.len());
    let rest: f64 = chunks.remainder().iter().map(|x| f64::from(x.abs())).sum();
    chunks.for_each(|chunk| sums.iter_mut().zip(chunk).for_each(|(sum, x)| *sum += f64::from(x.abs())));
    (sums.into_iter().sum::<f64>() + rest) * SUM_ROOM + STORED_TINY * row.len() as f64
}

/// Between which numbers the reference's running sum of `samples` magnitudes lies, from any other
/// sum of them. Not finite if the sum is not.
pub(super) fn of_sum(samples: usize, sum: f64) -> (f64, f64) {
    let off = ROOM * UNIT * 2.0 * (samples + 16) as f64 * sum;
    (sum - off, sum + off)
}
