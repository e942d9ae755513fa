//! Segment lists: which samples a computation runs over.

use std::ops::Range;

use ndarray::{ArrayView2, Axis};

use crate::check::length;
use crate::{Error, memory, stretch};

/// A start that ends a segment list: lists of several lengths are stacked in one array with it.
const END: i64 = -1;

/// A checked list of segments of a signal of `T` samples, borrowed from an array `[k, 2]`.
///
/// Each row is `start, stop`. A row whose start is -1 ends the list; what follows it is not looked
/// at. Segments may touch, overlap or be empty, and each is padded on its own: a predictor has no
/// memory across the start of a segment, also where two touch.
#[derive(Clone, Copy, Debug)]
pub struct Segments<'a> {
    rows: ArrayView2<'a, i64>,
    samples: usize,
}

impl<'a> Segments<'a> {
    /// Checks that each row satisfies `0 <= start <= stop <= samples`. `argument` is the name of
    /// the list in error messages.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if the rows do not have two columns, [`Error::Segment`] for the first row
    /// that is not a segment.
    ///
    /// ```
    /// # use ndarray::array;
    /// # use trfboost_kernel::Segments;
    /// let rows = array![[0, 10], [10, 25], [-1, 0]];
    /// let segments = Segments::new("split_train", rows.view(), 30)?;
    /// assert_eq!(segments.iter().collect::<Vec<_>>(), [0..10, 10..25]);
    ///
    /// let error = Segments::new("split_train", rows.view(), 20).unwrap_err();
    /// assert_eq!(error.to_string(), "split_train: row 1 is (10, 25), expected 0 <= start <= stop <= 20");
    /// # Ok::<(), trfboost_kernel::Error>(())
    /// ```
    pub fn new(argument: &'static str, rows: ArrayView2<'a, i64>, samples: usize) -> Result<Self, Error> {
        length(argument, 1, rows.ncols(), 2, "start, stop")?;
        let distinct = stretch::distinct(rows, Axis(0));
        let end = distinct.column(0).iter().position(|&start| start == END);
        let (mut rows, _) = rows.split_at(Axis(0), end.unwrap_or(rows.nrows()));
        let distinct = stretch::distinct(rows, Axis(0));
        for (row, segment) in distinct.outer_iter().enumerate() {
            let (start, stop) = (segment[0], segment[1]);
            let fits = usize::try_from(stop).is_ok_and(|stop| stop <= samples);
            if start < 0 || start > stop || !fits {
                return Err(Error::Segment { argument, row, start, stop, samples });
            }
        }
        // One empty segment, over and over: nothing, which need not be walked.
        if distinct.nrows() == 1 && distinct[[0, 0]] == distinct[[0, 1]] {
            rows = distinct;
        }
        Ok(Self { rows, samples })
    }

    /// The same, borrowed for a shorter time. (The lifetime of an `ArrayView` does not shrink by
    /// itself, so that two of these from different places need this to stand in one struct.)
    #[must_use]
    pub fn reborrow<'b>(self) -> Segments<'b>
    where
        'a: 'b,
    {
        Segments { rows: self.rows.reborrow(), samples: self.samples }
    }

    /// The number of samples `T` of the signal that the segments are in.
    #[must_use]
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// The segments, in order.
    pub fn iter(&self) -> impl Iterator<Item = Range<usize>> + use<'a> {
        // `new` has seen that each number lies in 0..=samples, so that neither cast changes it.
        let rows = self.rows;
        (0..rows.nrows()).map(move |row| rows[[row, 0]] as usize..rows[[row, 1]] as usize)
    }

    /// The segments that have samples, by rising start; `None` if two of them overlap.
    pub(crate) fn disjoint(&self) -> Result<Option<Vec<Range<usize>>>, Error> {
        let mut segments = memory::collected(self.iter().filter(|segment| !segment.is_empty()))?;
        segments.sort_unstable_by_key(|segment| segment.start);
        Ok(segments.windows(2).all(|pair| pair[0].end <= pair[1].start).then_some(segments))
    }
}

/// One way of dividing a recording.
#[derive(Clone, Copy, Debug)]
pub struct Split<'a> {
    /// Segments on which steps are chosen.
    pub train: Segments<'a>,
    /// Segments on which the error says when to stop.
    pub validate: Segments<'a>,
    /// Segments in which the residual is kept up to date, usually those of both.
    pub train_and_validate: Segments<'a>,
}

impl<'a> Split<'a> {
    /// The same, borrowed for a shorter time. (The lifetime of an `ArrayView` does not shrink by
    /// itself, so that two of these from different places need this to stand in one struct.)
    #[must_use]
    pub fn reborrow<'b>(self) -> Split<'b>
    where
        'a: 'b,
    {
        Split {
            train: self.train.reborrow(),
            validate: self.validate.reborrow(),
            train_and_validate: self.train_and_validate.reborrow(),
        }
    }

    /// The three lists and their names as arguments.
    pub(crate) fn named_lists(&self) -> [(&'static str, Segments<'a>); 3] {
        [
            ("split_train", self.train),
            ("split_validate", self.validate),
            ("split_train_and_validate", self.train_and_validate),
        ]
    }
}
