//! The lags at which each predictor may act.

use ndarray::{ArrayView1, Axis};

use crate::check::length;
use crate::{Error, stretch};

/// Checked lag ranges, one per predictor, in samples: predictor `i` acts at the lags
/// `i_start_by_x[i] <= s < i_stop_by_x[i]`. Negative lags let the signal precede the predictor.
#[derive(Clone, Copy, Debug)]
pub struct Lags<'a> {
    start: ArrayView1<'a, i64>,
    stop: ArrayView1<'a, i64>,
}

impl<'a> Lags<'a> {
    /// Checks that both arrays have one element per predictor and that no range ends before it
    /// starts. A range may be empty.
    ///
    /// # Errors
    ///
    /// [`Error::Length`], [`Error::LagRange`], and [`Error::LagSpan`] if the number of columns of
    /// the filter cannot be represented.
    ///
    /// ```
    /// # use ndarray::array;
    /// # use trfboost_kernel::Lags;
    /// let (start, stop) = (array![-10, 0], array![50, 30]);
    /// let lags = Lags::new(start.view(), stop.view())?;
    /// assert_eq!((lags.i_start(), lags.columns()), (-10, 60));
    /// # Ok::<(), trfboost_kernel::Error>(())
    /// ```
    pub fn new(i_start_by_x: ArrayView1<'a, i64>, i_stop_by_x: ArrayView1<'a, i64>) -> Result<Self, Error> {
        length("i_stop_by_x", 0, i_stop_by_x.len(), i_start_by_x.len(), "i_start_by_x")?;
        let lags = Self { start: i_start_by_x, stop: i_stop_by_x };
        if let Some((predictor, (start, stop))) = lags.distinct().enumerate().find(|(_, (start, stop))| start > stop) {
            return Err(Error::LagRange { predictor, start, stop });
        }
        let (first, stop) = (lags.i_start(), lags.i_stop());
        let span = stop.checked_sub(first).and_then(|span| isize::try_from(span).ok());
        let last = || lags.distinct().position(|(_, end)| end == stop).unwrap_or(0);
        span.map(|_| lags).ok_or_else(|| Error::LagSpan { predictor: last(), first, stop })
    }

    /// First lag of each predictor, and one past its last; of one predictor, if all of them have the
    /// same in the same memory.
    pub(crate) fn distinct(&self) -> impl Iterator<Item = (i64, i64)> + use<'a> {
        let lags = *self;
        let all_alike = [lags.start, lags.stop].iter().all(|array| stretch::distinct(*array, Axis(0)).len() == 1);
        let count = if all_alike { 1 } else { lags.len() };
        (0..count).map(move |predictor| lags.of(predictor))
    }

    /// The same, borrowed for a shorter time. (The lifetime of an `ArrayView` does not shrink by
    /// itself, so that two of these from different places need this to stand in one struct.)
    #[must_use]
    pub fn reborrow<'b>(self) -> Lags<'b>
    where
        'a: 'b,
    {
        Lags { start: self.start.reborrow(), stop: self.stop.reborrow() }
    }

    /// The number of predictors.
    #[must_use]
    pub fn len(&self) -> usize {
        self.start.len()
    }

    /// Whether there is no predictor.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.start.is_empty()
    }

    /// First lag of one predictor, and one past its last.
    ///
    /// # Panics
    ///
    /// If there is no such predictor.
    #[must_use]
    pub fn of(&self, predictor: usize) -> (i64, i64) {
        (self.start[predictor], self.stop[predictor])
    }

    /// The smallest lag of all: the lag of column 0 of the filter.
    #[must_use]
    pub fn i_start(&self) -> i64 {
        stretch::distinct(self.start, Axis(0)).iter().copied().min().unwrap_or(0)
    }

    /// The number of columns `L` of the filter, from the smallest lag to the largest of all.
    #[must_use]
    pub fn columns(&self) -> usize {
        // `new` has seen that the difference is representable.
        (self.i_stop() - self.i_start()) as usize
    }

    fn i_stop(&self) -> i64 {
        stretch::distinct(self.stop, Axis(0)).iter().copied().max().unwrap_or(0)
    }
}
