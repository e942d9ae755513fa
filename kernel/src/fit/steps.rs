//! The steps that a fit can take, and whether they change anything.
//!
//! Where nothing is trained on, where a predictor is all zero, or a lag longer than every segment, there are
//! steps that no error can tell from doing nothing. Nothing lowers the error any more, nor does a tie raise it:
//! by the rules such a step is taken, and taken again, up to the limit.

use std::ops::Range;

use crate::predictors::Predictors;
use crate::reference::shift::{Seen, Shift};
use crate::{Lags, Split};

/// What steps are made of, and where they act.
#[derive(Clone, Copy)]
pub(crate) struct Steps<'a> {
    predictors: Predictors<'a>,
    lags: Lags<'a>,
    split: Split<'a>,
}

impl<'a> Steps<'a> {
    pub(crate) fn new(predictors: Predictors<'a>, lags: Lags<'a>, split: Split<'a>) -> Self {
        Self { predictors, lags, split }
    }

    pub(super) fn lags(&self) -> &Lags<'a> {
        &self.lags
    }

    /// Whether a step changes a sample that errors are summed over, before rounding.
    pub(super) fn matters(&self, predictor: usize, column: usize, delta: f64) -> bool {
        let (lag, padded) = (self.lags.i_start() + column as i64, self.predictors.padded(predictor));
        self.split.train_and_validate.iter().any(|segment| {
            let mut stretches = Shift::new(&segment, lag).stretches(padded).into_iter();
            stretches.any(|(samples, seen)| {
                let start = samples.start;
                self.judged(&samples).any(|judged| moves(seen.within(judged.start - start..judged.end - start), delta))
            })
        })
    }

    /// The parts of a stretch of samples that errors are summed over.
    fn judged(&self, samples: &Range<usize>) -> impl Iterator<Item = Range<usize>> + use<'a> {
        let (samples, Split { train, validate, .. }) = (samples.clone(), self.split);
        let both = train.iter().chain(validate.iter());
        let parts = both.map(move |judged| judged.start.max(samples.start)..judged.end.min(samples.end));
        parts.filter(|part| !part.is_empty())
    }
}

/// Whether there is anything but zeros to take off.
fn moves(seen: Seen<'_>, delta: f64) -> bool {
    let moves = |value: f64| delta * value != 0.0;
    match seen {
        Seen::Pad(pad) => moves(pad),
        Seen::Predictor(x) => x.iter().any(|&x| moves(x)),
    }
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;
    use crate::Segments;

    #[test]
    fn a_step_matters_where_an_error_is_summed_and_something_is_there() {
        let (x, pads) = (array![[0.0, 0.0, 1.0, 0.0, 0.0, 0.0], [0.0; 6], [0.0; 6]], array![0.0, 0.5, 5e-324]);
        let (start, stop) = (array![-1, -1, -1], array![9, 9, 9]);
        // The sample that lags move: 2 + lag. Sample 4 is in no sum.
        let lists = [array![[0, 2]], array![[3, 4], [5, 6], [5, 5]], array![[0, 6]], array![[0, 2], [3, 6]]];
        let [train, validate, whole, pieces] =
            [0, 1, 2, 3].map(|index| Segments::new("split", lists[index].view(), 6).unwrap());
        let (predictors, lags) =
            (Predictors::new(x.view(), pads.view()).unwrap(), Lags::new(start.view(), stop.view()).unwrap());
        let matter = |both, predictor, delta| {
            let steps = Steps::new(predictors, lags, Split { train, validate, train_and_validate: both });
            (0..8)
                .filter(|&column| steps.matters(predictor, column, delta))
                .map(|column| column as i64 - 1)
                .collect::<Vec<_>>()
        };
        assert_eq!(matter(whole, 0, -0.1), [-1, 1, 3]);
        assert_eq!(matter(pieces, 0, -0.1), [], "the 1 is in none of these segments");
        assert_eq!(matter(whole, 1, 0.1), [-1, 1, 2, 3, 4, 5, 6]);
        assert_eq!(matter(whole, 2, 0.1), [], "the product is 0");
        assert_eq!(matter(whole, 2, 1.0).len(), 7);
    }
}
