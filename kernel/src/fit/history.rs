//! What a fit did, and what came of it.

use ndarray::Array2;

/// One entry of a fit's history. The first stands for the filter of zeros.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// The step that made this entry, from 0; -1 for the first entry. Steps that selective
    /// stopping undid are missing.
    pub i_step: i64,
    /// The predictor; -1 for the first entry and where `delta` was halved.
    pub i_stim: i64,
    /// The column of the filter, that is the lag minus the smallest lag; -1 likewise.
    pub i_time: i64,
    /// What was added to the filter there; 0 if nothing was.
    pub delta: f64,
    /// Error over the validation segments after this step; NaN in a last entry that ended the fit
    /// before this was computed (Eelbrain has some number there that was never set).
    pub e_test: f64,
    /// Error over the training segments after this step. Where nothing was added: the error of the
    /// best option.
    pub e_train: f64,
}

impl Entry {
    /// Predictor and column that this entry changed, unless it changed nothing.
    pub(crate) fn moved(&self) -> Option<(usize, usize)> {
        let place = (usize::try_from(self.i_stim).ok()?, usize::try_from(self.i_time).ok()?);
        (self.delta != 0.0).then_some(place)
    }

    /// Whether adding `delta` at this place (`None`: nowhere) takes back what this entry did.
    pub(crate) fn is_opposite(&self, place: Option<(usize, usize)>, delta: f64) -> bool {
        self.moved().is_some() && self.moved() == place && self.delta == -delta
    }
}

/// Why a fit stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i8)]
pub enum Stop {
    /// Selective stopping switched the last predictor off.
    NoPredictorLeft = 1,
    /// The validation error rose twice in a row, after step 10.
    TestErrorRises = 2,
    /// No option lowers the training error, and `delta` cannot be halved any more.
    NoImprovement = 3,
    /// The best step is the opposite of the last.
    Circles = 4,
}

/// A fitted filter, and how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// `[n, L]`: the filter, in the unit of `y` per unit of `x`. All 0 if the fit failed (Eelbrain
    /// leaves the steps there that made the validation error rise, and masks them later).
    pub h: Array2<f64>,
    /// All entries that were not undone by selective stopping, those after the best included.
    pub history: Vec<Entry>,
    /// Why the fit stopped.
    pub stop: Stop,
    /// `i_step` of the entry with the smallest validation error. `None`: no step made it smaller
    /// than that of the filter of zeros; the fit failed.
    pub best_step: Option<u64>,
}

impl Fit {
    /// Whether the filter of zeros predicted the validation data best.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.best_step.is_none()
    }
}
