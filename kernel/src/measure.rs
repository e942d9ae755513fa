//! What a fit minimises.

/// The error of a residual: the sum, over samples, of its absolute values or of its squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum ErrorMeasure {
    /// Sum of absolute values. Less moved by outliers; Eelbrain's default.
    L1 = 1,
    /// Sum of squares.
    L2 = 2,
}

impl ErrorMeasure {
    /// The measure that Eelbrain, and the C header, call `code`: 1 is l1, 2 is l2.
    ///
    /// ```
    /// # use trfboost_kernel::ErrorMeasure;
    /// assert_eq!(ErrorMeasure::from_code(2), Some(ErrorMeasure::L2));
    /// assert_eq!(ErrorMeasure::from_code(0), None);
    /// ```
    #[must_use]
    pub fn from_code(code: i32) -> Option<Self> {
        [Self::L1, Self::L2].into_iter().find(|measure| *measure as i32 == code)
    }
}

/// What one sample adds to an error. A type rather than a value, so that loops over samples are
/// compiled for one measure each.
pub(crate) trait Measure {
    fn of(residual: f64) -> f64;
}

/// [`ErrorMeasure::L1`].
pub(crate) struct Absolute;

/// [`ErrorMeasure::L2`].
pub(crate) struct Square;

impl Measure for Absolute {
    fn of(residual: f64) -> f64 {
        residual.abs()
    }
}

impl Measure for Square {
    fn of(residual: f64) -> f64 {
        residual * residual
    }
}
