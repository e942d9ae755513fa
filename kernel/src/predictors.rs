//! The signals that a filter is applied to.

use ndarray::{ArrayView1, ArrayView2};

use crate::Error;
use crate::check::length;
use crate::error::X_PADS;

/// Predictors and what they are outside of a segment, borrowed.
#[derive(Clone, Copy, Debug)]
pub struct Predictors<'a> {
    x: ArrayView2<'a, f64>,
    pads: ArrayView1<'a, f64>,
}

impl<'a> Predictors<'a> {
    /// `x` is `[n, T]`, one predictor per row, in any layout. `x_pads` is `[n]`: the value that a
    /// lag sees where it reaches beyond a segment, in the unit of `x` (0 for a predictor that is
    /// silent there, its mean otherwise).
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if there is not one pad per predictor.
    pub fn new(x: ArrayView2<'a, f64>, x_pads: ArrayView1<'a, f64>) -> Result<Self, Error> {
        length(X_PADS, 0, x_pads.len(), x.nrows(), "x")?;
        Ok(Self { x, pads: x_pads })
    }

    /// The same, borrowed for a shorter time. (The lifetime of an `ArrayView` does not shrink by
    /// itself, so that two of these from different places need this to stand in one struct.)
    #[must_use]
    pub fn reborrow<'b>(self) -> Predictors<'b>
    where
        'a: 'b,
    {
        Predictors { x: self.x.reborrow(), pads: self.pads.reborrow() }
    }

    /// The number of predictors `n`.
    #[must_use]
    pub fn len(&self) -> usize {
        self.x.nrows()
    }

    /// Whether there is no predictor.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.x.nrows() == 0
    }

    /// The number of samples `T` of each predictor.
    #[must_use]
    pub fn samples(&self) -> usize {
        self.x.ncols()
    }

    /// All predictors, `[n, T]`.
    #[must_use]
    pub fn x(&self) -> ArrayView2<'a, f64> {
        self.x
    }

    /// All pads, `[n]`.
    #[must_use]
    pub fn pads(&self) -> ArrayView1<'a, f64> {
        self.pads
    }

    /// One predictor and its pad.
    pub(crate) fn padded(&self, predictor: usize) -> Padded<'a> {
        Padded { x: self.x.index_axis_move(ndarray::Axis(0), predictor), pad: self.pads[predictor] }
    }
}

/// One predictor, `[T]`, and its value outside of a segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Padded<'a> {
    pub(crate) x: ArrayView1<'a, f64>,
    pub(crate) pad: f64,
}
