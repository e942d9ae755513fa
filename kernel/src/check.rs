//! Checks that several functions share: lengths that agree, numbers that are finite.

use std::ops::Range;

use ndarray::{ArrayView1, ArrayView2, Axis};

use crate::error::X_PADS;
use crate::{Error, Lags, Predictors, Split, memory, planted, stretch};

/// Axis `axis` of `argument` has the length that `fixed_by` asks for.
pub(crate) fn length(
    argument: &'static str,
    axis: usize,
    actual: usize,
    expected: usize,
    fixed_by: &'static str,
) -> Result<(), Error> {
    planted::here();
    if actual == expected { Ok(()) } else { Err(Error::Length { argument, axis, expected, actual, fixed_by }) }
}

/// The lags are those of the predictors.
pub(crate) fn lags_of(predictors: &Predictors<'_>, lags: &Lags<'_>) -> Result<(), Error> {
    length("i_start_by_x", 0, lags.len(), predictors.len(), "x")
}

/// A step size or its lower limit: finite and above zero.
pub(crate) fn positive(argument: &'static str, value: f64) -> Result<(), Error> {
    if value.is_finite() && value > 0.0 {
        Ok(())
    } else {
        Err(Error::Value { argument, expected: "a finite number > 0", actual: value })
    }
}

/// Each sample that one of the splits reads, once: the union of their segments, in order.
///
/// The splits of a cross-validation cover the same samples again and again, and a recording can be
/// long, so that looking at each list in turn would cost more than the look itself.
pub(crate) fn samples_read(splits: &[Split<'_>]) -> Result<Vec<Range<usize>>, Error> {
    let lists = || splits.iter().flat_map(Split::named_lists);
    let segments = || lists().flat_map(|(_, list)| list.iter());
    let mut ranges = memory::with_capacity(segments().count())?;
    ranges.extend(segments());
    ranges.sort_unstable_by_key(|range| range.start);
    ranges.dedup_by(|next, range| {
        let joins = next.start <= range.end;
        if joins {
            range.end = range.end.max(next.end);
        }
        joins
    });
    Ok(ranges)
}

/// The pads are finite, and so are the predictors in the samples that are read.
pub(crate) fn finite_predictors(predictors: &Predictors<'_>, read: &[Range<usize>]) -> Result<(), Error> {
    let pads = stretch::distinct(predictors.pads(), Axis(0));
    let every_pad = 0..pads.len();
    finite(X_PADS, None, pads, std::slice::from_ref(&every_pad))?;
    finite_rows("x", predictors.x(), read)
}

/// Each row is finite in the samples that are read.
pub(crate) fn finite_rows(
    argument: &'static str,
    rows: ArrayView2<'_, f64>,
    read: &[Range<usize>],
) -> Result<(), Error> {
    let rows = stretch::distinct(rows, Axis(0));
    rows.outer_iter().enumerate().try_for_each(|(row, values)| finite(argument, Some(row), values, read))
}

/// The values are finite in the ranges.
pub(crate) fn finite(
    argument: &'static str,
    row: Option<usize>,
    values: ArrayView1<'_, f64>,
    ranges: &[Range<usize>],
) -> Result<(), Error> {
    for range in ranges {
        let inside = stretch::distinct(stretch::of(values, range.clone()), Axis(0));
        if all_finite(inside) {
            continue;
        }
        if let Some(offset) = inside.iter().position(|value| !value.is_finite()) {
            return Err(Error::NotFinite { argument, row, index: range.start + offset, value: inside[offset] });
        }
    }
    Ok(())
}

/// Without a stop on the way, which makes it a loop for vectors.
fn all_finite(values: ArrayView1<'_, f64>) -> bool {
    let both = |all: bool, value: &f64| all & value.is_finite();
    values.to_slice().map_or_else(|| values.iter().fold(true, both), |slice| slice.iter().fold(true, both))
}
