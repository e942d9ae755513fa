//! One filter, by coordinate descent with early stopping.
//!
//! - [`settings`]: how a fit goes about it.
//! - [`history`]: what it did, entry by entry, and why it stopped.
//! - [`engine`]: the questions that a fit asks of the data, as a trait. The reference arithmetic
//!   answers them; so can anything faster that gives the same answers to the bit.
//! - [`descent`]: the state machine that asks them. There is one, whoever answers.
//! - [`steps`]: the steps that it can take, and whether they change anything.
//! - [`selective`]: which entries selective stopping undoes.
//! - [`poll`]: how a fit is watched and cancelled.

pub(crate) mod descent;
pub(crate) mod engine;
mod history;
pub(crate) mod poll;
mod selective;
mod settings;
pub(crate) mod steps;

use std::ops::ControlFlow;

use ndarray::ArrayView1;

pub use history::{Entry, Fit, Stop};
pub use settings::Settings;

use crate::fast::Plan;
use crate::team::Team;
use crate::threads::Standard;
use crate::{Error, Lags, Predictors, Split, check, memory};
use poll::Throttle;

/// Estimates one filter.
///
/// `y` is `[T]`, the signal to predict. Its unit is that of `delta` times that of `x`, so that both
/// are usually scaled to unit variance (or mean absolute value) first. Starting from a filter of
/// zeros, each step adds ± `delta` at the one predictor and lag that lowers the error over
/// `split.train` most; when none lowers it, `delta` is halved, down to `mindelta`. The fit stops
/// when the error over `split.validate` rises (see [`Settings::selective_stopping`]), when nothing
/// lowers the training error, or when the best step is the opposite of the last. The filter is then
/// that of the step with the smallest validation error.
///
/// `progress` is called several times a second, on this thread, with the number of steps so far,
/// and cancels the fit with [`ControlFlow::Break`].
///
/// # Errors
///
/// - [`Error::Length`] if lengths do not agree.
/// - [`Error::Value`] if `delta` or `mindelta` is not finite and above 0.
/// - [`Error::NotFinite`] for NaN or infinity in the pads, or in `y` or `x` inside of a segment.
/// - [`Error::NoOption`] if no predictor has a lag.
/// - [`Error::NoFiniteError`] if every option of a step overflows.
/// - [`Error::TooManySteps`] after 999 999 steps, or as soon as it is certain that there will be so many: a
///   step that changes nothing (no sample is in a segment, a predictor is all 0) is taken again and again.
/// - [`Error::Cancelled`], [`Error::OutOfMemory`].
///
/// The [crate's documentation](crate) has an example.
pub fn boosting_fit(
    y: ArrayView1<'_, f64>,
    predictors: &Predictors<'_>,
    lags: &Lags<'_>,
    split: &Split<'_>,
    settings: &Settings,
    progress: Option<&mut dyn FnMut(u64) -> ControlFlow<()>>,
) -> Result<Fit, Error> {
    let splits = std::slice::from_ref(split);
    check_arguments(y.len(), predictors, lags, splits, settings)?;
    check_some_option(lags)?;
    let read = check::samples_read(splits)?;
    check::finite_predictors(predictors, &read)?;
    check::finite("y", None, y, &read)?;

    let x = memory::contiguous_rows(predictors.x())?;
    let predictors = Predictors::new(x.view(), predictors.pads())?;
    let mut throttle = Throttle::new();
    let mut progress = progress;
    let mut poll = |steps| match &mut progress {
        Some(progress) if throttle.is_due() => progress(steps),
        _ => ControlFlow::Continue(()),
    };
    let plan = Plan::new(predictors.reborrow(), lags.reborrow(), splits, settings, Team::of(&Standard, 1))?;
    plan.fit(&mut plan.signal(y, 1)?, 0, true, &mut poll)
}

/// What does not hang on the values of `y` and `x`.
pub(crate) fn check_arguments(
    samples: usize,
    predictors: &Predictors<'_>,
    lags: &Lags<'_>,
    splits: &[Split<'_>],
    settings: &Settings,
) -> Result<(), Error> {
    check::length("x", 1, predictors.samples(), samples, "y")?;
    check::lags_of(predictors, lags)?;
    check::positive("delta", settings.delta)?;
    check::positive("mindelta", settings.mindelta)?;
    let segments = splits.iter().flat_map(Split::named_lists);
    segments.into_iter().try_for_each(|(name, list)| check::length(name, 0, list.samples(), samples, "y"))
}

/// There is something to choose from.
pub(crate) fn check_some_option(lags: &Lags<'_>) -> Result<(), Error> {
    if lags.distinct().any(|(start, stop)| start < stop) { Ok(()) } else { Err(Error::NoOption) }
}
