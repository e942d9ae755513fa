//! The l2 engine: options judged by their correlations with the residual.
//!
//! For an option with predictor `v` (shifted by its lag, pads included) and a residual `y`, over
//! the training samples,
//!
//! ```text
//! e(±) = Σ (y ∓ δ v)² = E ∓ 2 δ c + δ² q,    E = Σ y²,  c = Σ y v,  q = Σ v²
//! ```
//!
//! so that the option with the largest gain `2 δ |c| - δ² q` has the smallest error. A step on
//! another option `u` makes `y' = y - δ u`, and so
//!
//! ```text
//! c' = c - δ g,  E' = E - 2 δ c(u) + δ² q(u),    g = Σ u v
//! ```
//!
//! The products `g` do not depend on the signal: they are computed once for the options that are
//! chosen ([`gram`]), and shared by all signals of a split. A step then costs a pass over the
//! options, not over the samples. The validation error is carried along in the same way, with the
//! correlations over the validation segments ([`state`]). What both begin with ([`first`]) is shared by
//! the fits of a signal.
//!
//! What is carried along is an estimate. [`bound`] says how far it can be from the number that the
//! reference computes, and the engine ([`engine`]) discards only what that excludes: if one option
//! is left, it is the reference's choice, and if there are more, all of them are computed in the
//! reference's arithmetic on the replayed residual, in row order. [`section`] says which inputs
//! this is for.

mod bound;
mod engine;
mod first;
mod gram;
mod section;
mod shared;
mod spectra;
mod state;
#[cfg(test)]
mod tests;

pub(crate) use engine::Correlations;
pub(crate) use first::FirstSums;
pub(crate) use shared::Shared;
