//! `generate_options`: the table of a step's options, for callers who choose for themselves.

use ndarray::{ArrayView1, ArrayViewMut2};

use crate::check::{lags_of, length, positive};
use crate::sweep::{LagErrors, Terms};
use crate::vectors::Path;
use crate::{Error, ErrorMeasure, Lags, Predictors, Segments, memory};

/// What a step may do: which predictors at which lags, by how much, and where that is judged.
#[derive(Clone, Copy, Debug)]
pub struct Sweep<'a> {
    /// The predictors, `n` of `T` samples.
    pub predictors: Predictors<'a>,
    /// `[n]`, 0 for a predictor that is not used.
    pub active: ArrayView1<'a, i8>,
    /// The lags of each predictor.
    pub lags: Lags<'a>,
    /// The lag of column 0 of the results.
    pub i_start: i64,
    /// The segments over which errors are summed.
    pub indexes: Segments<'a>,
    /// How they are summed.
    pub error: ErrorMeasure,
    /// The size of the step, in the unit of the residual per unit of `x`.
    pub delta: f64,
}

/// The error of adding or subtracting `delta` at each lag of each predictor.
///
/// For each active predictor `i` and each of its lags `s`, column `s - i_start` of row `i` of
/// `new_error` gets the smaller of the errors of `y_error - delta x` and of `y_error + delta x`,
/// `x` being shifted by `s`, and `new_sign` gets -1 if only the second is smaller, else 1 (also on
/// a tie, and for NaN, which is written as it comes). Both are `[n, L]`; other cells are not
/// touched. `y_error` is `[T]`. The best option is the first smallest error in row order.
///
/// # Errors
///
/// [`Error::Length`] if lengths do not agree, [`Error::LagColumn`] if a predictor has a lag
/// without a column, [`Error::Value`] if `delta` is not finite and above 0,
/// [`Error::OutOfMemory`].
///
/// ```
/// # use ndarray::{Array2, array};
/// # use trfboost_kernel::{ErrorMeasure, Lags, Predictors, Segments, Sweep, generate_options};
/// // The signal follows the predictor after one sample.
/// let (x, pads) = (array![[0.0, 0.0, 1.0, 0.0, 0.0, 0.0]], array![0.0]);
/// let y_error = array![0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
/// let (start, stop, rows) = (array![0], array![2], array![[0, 6]]);
/// let active = array![1];
/// let sweep = Sweep {
///     predictors: Predictors::new(x.view(), pads.view())?,
///     active: active.view(),
///     lags: Lags::new(start.view(), stop.view())?,
///     i_start: 0,
///     indexes: Segments::new("indexes", rows.view(), 6)?,
///     error: ErrorMeasure::L2,
///     delta: 0.5,
/// };
/// let (mut new_error, mut new_sign) = (Array2::zeros((1, 2)), Array2::zeros((1, 2)));
/// generate_options(y_error.view(), &sweep, new_error.view_mut(), new_sign.view_mut())?;
/// assert_eq!(new_error, array![[1.25, 0.25]]);
/// # Ok::<(), trfboost_kernel::Error>(())
/// ```
pub fn generate_options(
    y_error: ArrayView1<'_, f64>,
    sweep: &Sweep<'_>,
    new_error: ArrayViewMut2<'_, f64>,
    new_sign: ArrayViewMut2<'_, i8>,
) -> Result<(), Error> {
    sweep.check(y_error.len(), new_error.dim(), new_sign.dim())?;
    generate_options_on(Path::best(), y_error, sweep, new_error, new_sign)
}

/// [`generate_options`] for arguments that agree.
fn generate_options_on(
    path: Path,
    y_error: ArrayView1<'_, f64>,
    sweep: &Sweep<'_>,
    mut new_error: ArrayViewMut2<'_, f64>,
    mut new_sign: ArrayViewMut2<'_, i8>,
) -> Result<(), Error> {
    if new_error.is_empty() {
        return Ok(()); // however many predictors there are
    }
    let terms = Terms { y_error, segments: sweep.indexes.reborrow(), error: sweep.error, delta: sweep.delta };
    // Memory can run out at any predictor, and then no cell may have been written.
    let mut found = memory::with_capacity(sweep.cells().count())?;
    let mut errors = LagErrors::default();
    for predictor in sweep.active_predictors() {
        errors.compute(path, &terms, sweep.predictors.padded(predictor), sweep.lags.of(predictor))?;
        found.extend(errors.better());
    }
    for (cell, better) in sweep.cells().zip(found) {
        new_error[cell] = better.error;
        new_sign[cell] = better.sign;
    }
    Ok(())
}

impl Sweep<'_> {
    fn active_predictors(&self) -> impl Iterator<Item = usize> {
        let active = self.active;
        (0..self.predictors.len()).filter(move |&predictor| active[predictor] != 0)
    }

    /// The predictor and column of each option, in row order. [`check`](Self::check) has seen that they exist.
    fn cells(&self) -> impl Iterator<Item = [usize; 2]> {
        self.active_predictors().flat_map(move |predictor| {
            let (start, stop) = self.lags.of(predictor);
            (start..stop).map(move |lag| [predictor, (lag - self.i_start) as usize])
        })
    }

    fn check(&self, samples: usize, errors: (usize, usize), signs: (usize, usize)) -> Result<(), Error> {
        let count = self.predictors.len();
        length("x", 1, self.predictors.samples(), samples, "y_error")?;
        length("indexes", 0, self.indexes.samples(), samples, "y_error")?;
        length("x_active", 0, self.active.len(), count, "x")?;
        lags_of(&self.predictors, &self.lags)?;
        length("new_error", 0, errors.0, count, "x")?;
        length("new_sign", 0, signs.0, errors.0, "new_error")?;
        length("new_sign", 1, signs.1, errors.1, "new_error")?;
        positive("delta", self.delta)?;
        // Also for predictors that are switched off: whether a call is well formed does not hang on
        // the state of a fit.
        let mut lags = self.lags.distinct().enumerate();
        lags.try_for_each(|(predictor, lags)| self.check_columns(predictor, lags, errors.1))
    }

    /// Each lag of the predictor has a column.
    fn check_columns(&self, predictor: usize, (start, stop): (i64, i64), columns: usize) -> Result<(), Error> {
        // In 128 bits no difference of lags overflows.
        let (first, end) = (i128::from(start) - i128::from(self.i_start), i128::from(stop) - i128::from(self.i_start));
        let argument = if first < 0 { "i_start_by_x" } else { "i_stop_by_x" };
        if start == stop || (first >= 0 && end <= columns as i128) {
            Ok(())
        } else {
            let i_start = self.i_start;
            Err(Error::LagColumn { argument, predictor, start, stop, i_start, columns })
        }
    }
}
