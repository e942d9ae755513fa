//! What can be wrong with a call, and how that is said.
//!
//! One enum for the whole crate. Arguments are named as in the functions' documentation, and as in
//! Eelbrain, because the person who reads the sentence is often two languages away from this code.

use std::fmt;

/// Why a function of this crate returned no result. The sentence begins with the argument's name.
///
/// Nothing was written to any output when one of these comes back.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Two arguments do not agree about a length.
    #[error("{argument}: axis {axis} has length {actual}, expected {expected} as in {fixed_by}")]
    Length {
        /// The argument at fault.
        argument: &'static str,
        /// Its axis.
        axis: usize,
        /// The length that the axis should have.
        expected: usize,
        /// The length that it has.
        actual: usize,
        /// The argument, or rule, that the expected length comes from.
        fixed_by: &'static str,
    },
    /// A number outside of its range.
    #[error("{argument}: is {}, expected {expected}", Short(*actual))]
    Value {
        /// The argument at fault.
        argument: &'static str,
        /// The range, in words.
        expected: &'static str,
        /// The number that came.
        actual: f64,
    },
    /// A row of a segment list that is not a segment of the signal.
    #[error("{argument}: row {row} is ({start}, {stop}), expected 0 <= start <= stop <= {samples}")]
    Segment {
        /// The segment list.
        argument: &'static str,
        /// The row in it.
        row: usize,
        /// Its first sample.
        start: i64,
        /// One past its last sample.
        stop: i64,
        /// The number of samples, `T`.
        samples: usize,
    },
    /// A predictor whose lags end before they start.
    #[error("i_stop_by_x: is {stop} for predictor {predictor}, expected at least i_start_by_x, which is {start}")]
    LagRange {
        /// The predictor.
        predictor: usize,
        /// Its first lag.
        start: i64,
        /// One past its last lag.
        stop: i64,
    },
    /// Lags so far apart that their number cannot be represented.
    #[error("i_stop_by_x: lags {first} to {stop} are more than a filter can have")]
    LagSpan {
        /// The first predictor with the largest lag.
        predictor: usize,
        /// The smallest lag.
        first: i64,
        /// One past the largest lag.
        stop: i64,
    },
    /// A lag of a predictor for which the output has no column.
    #[error(
        "{argument}: lags {start}..{stop} of predictor {predictor} do not fit new_error, \
         whose {columns} columns begin at lag i_start = {i_start}"
    )]
    LagColumn {
        /// `i_start_by_x` or `i_stop_by_x`.
        argument: &'static str,
        /// The predictor.
        predictor: usize,
        /// Its first lag.
        start: i64,
        /// One past its last lag.
        stop: i64,
        /// The lag of column 0.
        i_start: i64,
        /// The number of columns.
        columns: usize,
    },
    /// NaN or infinity where a fit reads numbers.
    #[error("{argument}: {} is {value}, expected finite numbers{}", Place(argument, *row, *index), remedy(argument))]
    NotFinite {
        /// The argument at fault.
        argument: &'static str,
        /// The row, for arguments of two dimensions.
        row: Option<usize>,
        /// The sample (for `x_pads` the predictor).
        index: usize,
        /// The number.
        value: f64,
    },
    /// A fit without a predictor that has a lag.
    #[error("i_stop_by_x: no predictor has a lag, so that there is nothing to choose from")]
    NoOption,
    /// All options of a step overflow.
    #[error("y: the error of every option is infinite at step {step}; scale y and x, for example to unit variance")]
    NoFiniteError {
        /// The step, from 0.
        step: u64,
    },
    /// A fit that would not end.
    #[error(
        "delta: is {}, and {steps} steps do not end the fit; use a larger delta, and look for predictors that are all 0",
        Short(*delta)
    )]
    TooManySteps {
        /// The step size at the start.
        delta: f64,
        /// The number of steps allowed.
        steps: u64,
    },
    /// The progress callback asked to stop.
    #[error("progress: cancelled by the caller")]
    Cancelled,
    /// Memory that could not be had.
    #[error("out of memory: {bytes} bytes were needed; use fewer lags (they are in samples) or less data")]
    OutOfMemory {
        /// The size of the request; `u64::MAX` if it is larger than can be represented.
        bytes: u64,
    },
}

impl Error {
    /// The name of the argument at fault, where there is one.
    #[must_use]
    pub fn argument(&self) -> Option<&'static str> {
        match *self {
            Self::Length { argument, .. }
            | Self::Value { argument, .. }
            | Self::Segment { argument, .. }
            | Self::LagColumn { argument, .. }
            | Self::NotFinite { argument, .. } => Some(argument),
            Self::LagRange { .. } | Self::LagSpan { .. } | Self::NoOption => Some("i_stop_by_x"),
            Self::NoFiniteError { .. } => Some("y"),
            Self::TooManySteps { .. } => Some("delta"),
            Self::Cancelled => Some("progress"),
            Self::OutOfMemory { .. } => None,
        }
    }
}

/// The name of the pads, whose elements belong to predictors and not to samples.
pub(crate) const X_PADS: &str = "x_pads";

/// Where in an argument a number stands.
struct Place<'a>(&'a str, Option<usize>, usize);

impl fmt::Display for Place<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(argument, row, index) = *self;
        match row {
            Some(row) => write!(formatter, "row {row}, sample {index}"),
            None if argument == X_PADS => write!(formatter, "the pad of predictor {index}"),
            None => write!(formatter, "sample {index}"),
        }
    }
}

/// A number in its shortest form: one of 1e-300 has 300 zeros otherwise.
struct Short(f64);

impl fmt::Display for Short {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(number) = *self;
        // Not far from 1, where an exponent would make it no shorter, or harder to read.
        let plain = number == 0.0 || (1e-4..1e16).contains(&number.abs());
        if plain { fmt::Display::fmt(&number, formatter) } else { fmt::LowerExp::fmt(&number, formatter) }
    }
}

/// What the reader can do about a number that is not finite.
fn remedy(argument: &str) -> &'static str {
    if argument == X_PADS { "" } else { "; leave bad samples out of the segments, or replace them" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_in_sentences() {
        let numbers = [0.0, -1.0, 0.005, 1e-300, -f64::MIN_POSITIVE, f64::MAX, 123_456.75, f64::NAN, f64::NEG_INFINITY];
        let told = numbers.map(|actual| Error::Value { argument: "delta", expected: "more", actual }.to_string());
        let expected = [
            "0",
            "-1",
            "0.005",
            "1e-300",
            "-2.2250738585072014e-308",
            "1.7976931348623157e308",
            "123456.75",
            "NaN",
            "-inf",
        ];
        assert_eq!(told, expected.map(|number| format!("delta: is {number}, expected more")));
        let told = Error::TooManySteps { delta: 1e-300, steps: 999_999 }.to_string();
        assert!(told.starts_with("delta: is 1e-300, and 999999 steps do not end the fit"), "{told}");
    }
}
