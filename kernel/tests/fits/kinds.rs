//! What is hostile about a problem, seen in the problem itself and not in how it was made.

use std::ops::Range;

use crate::hostile;
use crate::problem::Problem;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    SegmentShorterThanALag,
    EmptySegment,
    NoTrainingSample,
    OverlappingSegments,
    LagsBeyondTheSignal,
    NegativeLags,
    Huge,
    Subnormal,
    ConstantPredictor,
    PredictorTwice,
    NotFiniteOutside,
}

impl Kind {
    pub(crate) const ALL: [Self; 11] = [
        Self::SegmentShorterThanALag,
        Self::EmptySegment,
        Self::NoTrainingSample,
        Self::OverlappingSegments,
        Self::LagsBeyondTheSignal,
        Self::NegativeLags,
        Self::Huge,
        Self::Subnormal,
        Self::ConstantPredictor,
        Self::PredictorTwice,
        Self::NotFiniteOutside,
    ];

    /// Whether a problem is of this kind.
    pub(crate) fn is_of(self, problem: &Problem) -> bool {
        let samples = problem.samples() as i64;
        let train: Vec<_> = problem.split().train.iter().collect();
        let lag = |lag: &i64| (0..problem.x.nrows()).any(|row| (problem.start[row]..problem.stop[row]).contains(lag));
        let any_lag = |range: Range<i64>| range.into_iter().any(|number| lag(&number));
        let numbers = || problem.y.iter().chain(&problem.x).filter(|number| number.is_finite());
        let rows = || problem.x.outer_iter();
        match self {
            Self::SegmentShorterThanALag => train.iter().any(|segment| {
                let length = segment.len() as i64;
                !segment.is_empty() && (any_lag(length..samples + 9) || any_lag(-samples - 8..1 - length))
            }),
            Self::EmptySegment => train.iter().any(Range::is_empty),
            Self::NoTrainingSample => train.iter().all(Range::is_empty),
            Self::OverlappingSegments => {
                let apart = |a: &Range<usize>, b: &Range<usize>| a.end <= b.start || b.end <= a.start;
                train.iter().enumerate().any(|(index, a)| train[..index].iter().any(|b| !apart(a, b)))
            }
            Self::LagsBeyondTheSignal => {
                let lags = problem.start.iter().zip(&problem.stop).filter(|(start, stop)| start < stop);
                lags.clone().any(|(&start, &stop)| stop > samples || start < -samples)
            }
            Self::NegativeLags => {
                problem.start.iter().zip(&problem.stop).any(|(&start, stop)| start < *stop && start < 0)
            }
            Self::Huge => numbers().any(|number| number.abs() > 1e150),
            Self::Subnormal => numbers().any(|number| number.is_subnormal()),
            Self::ConstantPredictor => rows().any(|row| row.iter().all(|number| *number == row[0])),
            Self::PredictorTwice => rows().enumerate().any(|(index, row)| rows().take(index).any(|other| other == row)),
            Self::NotFiniteOutside => problem.y.iter().chain(&problem.x).any(|number| !number.is_finite()),
        }
    }
}

/// A generator that lost a kind would leave everything green.
#[test]
fn problems_are_of_every_kind() {
    let seeds = 0..1500;
    let problems: Vec<_> = seeds.map(hostile::problem).collect();
    let count = |kind: Kind| problems.iter().filter(|problem| kind.is_of(problem)).count();
    let counts = Kind::ALL.map(|kind| (kind, count(kind)));
    assert!(counts.iter().all(|(_, count)| *count > 50), "{counts:?}");
}
