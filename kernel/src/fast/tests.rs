//! Each engine against the reference: same filters, same histories, same ends, to the bit.

use std::ops::ControlFlow;

use ndarray::array;
use proptest::prelude::*;

use super::correlations::{Correlations, Shared};
use crate::fit::descent::descend;
use crate::problem::{Problem, cases, problems};
use crate::reference::engine::Reference;
use crate::{Error, ErrorMeasure, Fit, Settings};

/// What a fit came to, as bits, so that NaN equals itself.
fn bits(fit: &Fit, history: bool) -> Vec<u64> {
    let mut bits: Vec<u64> = fit.h.iter().map(|value| value.to_bits()).collect();
    bits.extend([fit.stop as u64, fit.best_step.map_or(u64::MAX, |step| step)]);
    for entry in &fit.history {
        bits.extend([entry.i_step, entry.i_stim, entry.i_time].map(|number| number as u64));
        bits.push(entry.delta.to_bits());
        if history {
            bits.extend([entry.e_test.to_bits(), entry.e_train.to_bits()]);
        }
    }
    bits
}

fn by_reference(problem: &Problem) -> Result<Fit, Error> {
    let lags = problem.lags();
    let mut engine =
        Reference::new(problem.y.row(0), problem.predictors(), lags, problem.split(), problem.settings.error)?;
    descend(&mut engine, &lags, &problem.settings, &mut |_| ControlFlow::Continue(()))
}

/// `None` if the engine does not take the problem.
fn by_correlations(problem: &Problem, history: bool) -> Option<Result<Fit, Error>> {
    let (lags, split) = (problem.lags(), problem.split());
    let shared = Shared::new(problem.predictors(), &lags, &[split], &problem.settings).unwrap()?;
    let mut engine = Correlations::new(&shared, problem.y.row(0), &lags, (0, split), history).unwrap()?;
    Some(descend(&mut engine, &lags, &problem.settings, &mut |_| ControlFlow::Continue(())))
}

fn assert_same(problem: &Problem) -> Result<bool, TestCaseError> {
    let expected = by_reference(problem);
    for history in [true, false] {
        let Some(found) = by_correlations(problem, history) else { return Ok(false) };
        match (&found, &expected) {
            (Ok(found), Ok(expected)) => prop_assert_eq!(bits(found, history), bits(expected, history)),
            (Err(found), Err(expected)) => prop_assert_eq!(found, expected),
            _ => prop_assert!(false, "{:?} against {:?}", found, expected),
        }
    }
    Ok(true)
}

proptest! {
    #![proptest_config(cases(256))]
    #[test]
    fn correlations_give_the_references_bits(problem in problems()) {
        let settings = Settings { error: ErrorMeasure::L2, ..problem.settings };
        let problem = Problem { settings, ..problem };
        prop_assert!(assert_same(&problem)?);
    }

    /// As for a recording that is cut into pieces for cross-validation only: segments that touch
    /// are padded apart when errors are summed, but updated as one.
    #[test]
    fn so_they_do_where_segments_are_updated_as_one(problem in problems()) {
        let settings = Settings { error: ErrorMeasure::L2, ..problem.settings };
        let both = array![[0, problem.samples() as i64]];
        let problem = Problem { settings, both, ..problem };
        prop_assert!(assert_same(&problem)?);
    }
}
