//! Which entries selective stopping undoes.

/// Entries of a history, the first of which moved nothing, as far as selective stopping looks at
/// them.
pub(super) trait Judged {
    /// The number of entries.
    fn len(&self) -> usize;

    /// Predictor and column that an entry changed, unless it changed nothing.
    fn moved(&self, index: usize) -> Option<(usize, usize)>;

    /// Whether the validation error of one entry is above that of another.
    fn is_above(&mut self, index: usize, other: usize) -> bool;
}

/// The last entry made the validation error rise. If its predictor has now done so `limit` times
/// without a fall in between, the index of the earliest of these steps: it and all that follow are
/// to be undone. Otherwise `None`.
///
/// Walks back from the last entry. An earlier entry of the same predictor either made the error
/// rise too, and counts, or made it fall, and ends the walk. So does an entry with an error above
/// that of the last one (since then the error has improved), and the start of the history.
///
/// An entry that moved nothing switches nothing off.
pub(super) fn first_to_undo(history: &mut impl Judged, limit: usize) -> Option<usize> {
    let last = history.len().checked_sub(1)?;
    let (predictor, _) = history.moved(last)?;
    let mut rises = 1;
    let mut index = last;
    while rises < limit {
        index = index.checked_sub(1)?;
        if index + 1 < last && history.is_above(index, last) {
            return None;
        }
        if history.moved(index).is_some_and(|(moved, _)| moved == predictor) {
            let rose = index > 0 && history.is_above(index, index - 1);
            if !rose {
                return None;
            }
            rises += 1;
        }
    }
    Some(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Predictors (-1: nothing moved) and validation errors.
    struct History(Vec<(i64, f64)>);

    impl Judged for History {
        fn len(&self) -> usize {
            self.0.len()
        }

        fn moved(&self, index: usize) -> Option<(usize, usize)> {
            usize::try_from(self.0[index].0).ok().map(|predictor| (predictor, 0))
        }

        fn is_above(&mut self, index: usize, other: usize) -> bool {
            self.0[index].1 > self.0[other].1
        }
    }

    /// Entries with these predictors and validation errors, after the first entry.
    fn history(first_error: f64, steps: &[(i64, f64)]) -> History {
        History([(-1, first_error)].iter().chain(steps).copied().collect())
    }

    /// Its name, the limit, the first error, the steps, and what is undone.
    type Case = (&'static str, usize, f64, &'static [(i64, f64)], Option<usize>);

    #[test]
    fn steps_are_undone_from_the_earliest_that_counted() {
        let cases: [Case; 9] = [
            ("one rise, limit 1", 1, 10.0, &[(0, 9.0), (0, 9.5)], Some(2)),
            ("one rise, limit 2: the fall before ends the walk", 2, 10.0, &[(0, 9.0), (0, 9.5)], None),
            ("two rises in a row", 2, 10.0, &[(0, 9.0), (0, 9.5), (0, 9.7)], Some(2)),
            ("another predictor's step between goes too", 2, 10.0, &[(0, 9.0), (0, 9.5), (1, 9.4), (0, 9.7)], Some(2)),
            ("three rises", 3, 10.0, &[(0, 9.0), (0, 9.1), (0, 9.2), (0, 9.3)], Some(2)),
            ("an error above the present one: improved since", 2, 9.8, &[(0, 9.9), (1, 9.0), (0, 9.5)], None),
            ("the start of the history", 2, 9.0, &[(1, 9.1), (0, 9.5)], None),
            ("a halving moved nothing", 1, 10.0, &[(0, 9.0), (-1, 9.5)], None),
            ("no step at all", 1, 10.0, &[], None),
        ];
        for (name, limit, first_error, steps, expected) in cases {
            assert_eq!(first_to_undo(&mut history(first_error, steps), limit), expected, "{name}");
        }
    }
}
