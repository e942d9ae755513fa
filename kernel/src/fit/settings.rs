//! How a fit goes about it.

use crate::ErrorMeasure;

/// The settings of a fit, with the names and defaults of Eelbrain's `boosting`.
///
/// ```
/// # use trfboost_kernel::{ErrorMeasure, Settings};
/// let settings = Settings::new(0.005).mindelta(0.001).error(ErrorMeasure::L2).selective_stopping(1);
/// assert_eq!(Settings::new(0.005).mindelta, 0.005);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// Size of a step, finite and above 0. Small steps give finer filters and take longer.
    pub delta: f64,
    /// When no step lowers the training error, `delta` is halved as long as it stays at or above
    /// this. Finite and above 0; `delta` itself by default, so that it is never halved.
    pub mindelta: f64,
    /// What is minimised; [`ErrorMeasure::L1`] by default.
    pub error: ErrorMeasure,
    /// 0, the default: the fit stops when the validation error rises. `m` > 0: the predictor of
    /// the step is switched off after it made the validation error rise `m` times without a fall
    /// in between, these steps are undone, and the fit goes on with the others.
    pub selective_stopping: usize,
}

impl Settings {
    /// Settings with this step size, and defaults for the rest.
    #[must_use]
    pub fn new(delta: f64) -> Self {
        Self { delta, mindelta: delta, error: ErrorMeasure::L1, selective_stopping: 0 }
    }

    /// With [`mindelta`](Self::mindelta).
    #[must_use]
    pub fn mindelta(self, mindelta: f64) -> Self {
        Self { mindelta, ..self }
    }

    /// With [`error`](Self::error).
    #[must_use]
    pub fn error(self, error: ErrorMeasure) -> Self {
        Self { error, ..self }
    }

    /// With [`selective_stopping`](Self::selective_stopping).
    #[must_use]
    pub fn selective_stopping(self, selective_stopping: usize) -> Self {
        Self { selective_stopping, ..self }
    }
}
