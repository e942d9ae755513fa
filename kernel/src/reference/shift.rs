//! The shifted predictor.
//!
//! Within a segment `[a, b)` and for lag `s`, sample `t` sees `x[t - s]` if `a <= t - s < b`, else
//! the pad. A lag longer than the segment therefore sees the pad only. (Eelbrain 0.41.2 runs out
//! of the segment there.)

use std::ops::Range;

use ndarray::ArrayView1;

use crate::predictors::Padded;
use crate::stretch;

/// The samples of a segment, divided by what they see at one lag.
#[derive(Debug, PartialEq)]
pub(crate) struct Shift {
    /// Samples before the valid ones: they see the pad. Empty if the lag is negative.
    before: Range<usize>,
    /// Samples after the valid ones, likewise. Empty if the lag is positive.
    after: Range<usize>,
    /// Samples that see the predictor.
    valid: Range<usize>,
    /// The samples of the predictor that these see.
    seen: Range<usize>,
}

impl Shift {
    pub(crate) fn new(segment: &Range<usize>, lag: i64) -> Self {
        let Range { start, end } = *segment;
        // A lag beyond the segment leaves as little to see as one of just its length.
        let distance = usize::try_from(lag.unsigned_abs()).map_or(segment.len(), |lag| lag.min(segment.len()));
        if lag >= 0 {
            let valid = start + distance..end;
            Self { before: start..valid.start, after: end..end, seen: start..end - distance, valid }
        } else {
            let valid = start..end - distance;
            Self { before: start..start, after: valid.end..end, seen: start + distance..end, valid }
        }
    }

    /// The stretches of samples in the order of the reference, each with what it sees.
    pub(crate) fn stretches<'a>(self, predictor: Padded<'a>) -> [(Range<usize>, Seen<'a>); 3] {
        let pad = Seen::Pad(predictor.pad);
        let seen = Seen::Predictor(stretch::of(predictor.x, self.seen));
        [(self.before, pad), (self.after, pad), (self.valid, seen)]
    }
}

/// What a stretch of samples sees.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Seen<'a> {
    /// One number, all along.
    Pad(f64),
    /// One number for each sample.
    Predictor(ArrayView1<'a, f64>),
}

impl Seen<'_> {
    /// What some of the samples see, counted from the first of the stretch.
    pub(crate) fn within(self, samples: Range<usize>) -> Self {
        match self {
            Self::Pad(pad) => Self::Pad(pad),
            Self::Predictor(x) => Self::Predictor(stretch::of(x, samples)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Shift;

    #[test]
    fn a_lag_divides_a_segment_in_three() {
        // segment, lag, before, after, valid, seen
        let cases = [
            (3..9, 0, 3..3, 9..9, 3..9, 3..9),
            (3..9, 2, 3..5, 9..9, 5..9, 3..7),
            (3..9, -2, 3..3, 7..9, 3..7, 5..9),
            (3..9, 6, 3..9, 9..9, 9..9, 3..3),
            (3..9, -6, 3..3, 3..9, 3..3, 9..9),
            (3..9, 7, 3..9, 9..9, 9..9, 3..3),
            (3..9, i64::MAX, 3..9, 9..9, 9..9, 3..3),
            (3..9, i64::MIN, 3..3, 3..9, 3..3, 9..9),
            (4..4, 1, 4..4, 4..4, 4..4, 4..4),
        ];
        for (segment, lag, before, after, valid, seen) in cases {
            let expected = Shift { before, after, valid, seen };
            assert_eq!(Shift::new(&segment, lag), expected, "segment {segment:?}, lag {lag}");
        }
    }
}
