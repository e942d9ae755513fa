//! What is carried along from step to step for one list of segments.

use ndarray::ArrayView1;

use super::bound::Drift;
use super::section::{Basis, List, Squares};
use crate::fast::accumulate::accumulate;
use crate::{Error, memory};

/// Estimates for the present residual over a list of segments.
pub(super) struct State<'a> {
    list: &'a List,
    /// `c` for each of the sums of a window.
    pub(super) correlations: Vec<f64>,
    /// `E`.
    pub(super) squares: f64,
    pub(super) drift: Drift,
}

impl<'a> State<'a> {
    /// `None` if the bounds do not hold for this residual.
    pub(super) fn new(basis: &Basis<'_>, list: &'a List, residual: ArrayView1<'_, f64>) -> Result<Option<Self>, Error> {
        let correlations = memory::filled(basis.options(), 0.0)?;
        let drift = Drift::fresh(list.precision, 0.0);
        let mut state = Self { list, correlations, squares: 0.0, drift };
        Ok(state.refresh(basis, residual)?.then_some(state))
    }

    /// Sums everything afresh. `false` if the bounds do not hold for this residual.
    pub(super) fn refresh(&mut self, basis: &Basis<'_>, residual: ArrayView1<'_, f64>) -> Result<bool, Error> {
        self.correlations.fill(0.0);
        let mut values = memory::with_capacity(residual.len())?;
        let mut squares = Squares::default();
        for section in &self.list.sections {
            values.clear();
            values.extend(residual.iter().skip(section.samples.start).take(section.samples.len()));
            squares.add(Squares::of(&values));
            section.padded.windows(&basis.packed, section.range(), &basis.reach.lags(), |samples, rows| {
                let offset = |sample: i64| (sample - section.samples.start as i64) as usize;
                let weights = values[offset(samples.start)..offset(samples.end)].iter().copied();
                accumulate(basis.path, &mut self.correlations, rows, basis.pads.len(), weights);
            });
        }
        let norm = self.list.precision.norm(squares.sum);
        self.squares = squares.sum;
        self.drift = Drift::fresh(self.list.precision, norm);
        Ok(!squares.is_lost() && super::bound::is_safe(norm))
    }

    /// After `delta` times an option was taken off the residual. `products` are those of the option
    /// with every other.
    pub(super) fn step(
        &mut self,
        basis: &Basis<'_>,
        (predictor, column): (usize, usize),
        delta: f64,
        products: &[f64],
    ) {
        let index = basis.index(predictor, column);
        let gain = 2.0 * delta * self.correlations[index] - delta * delta * self.list.squares[index];
        self.squares -= gain;
        for (correlation, product) in self.correlations.iter_mut().zip(products) {
            *correlation -= delta * product;
        }
        self.drift.step(self.list.precision, delta, self.list.norms[predictor], self.squares);
    }

    /// Where the reference's sum of squares over this list lies.
    pub(super) fn error(&self) -> (f64, f64) {
        let off = self.drift.error(self.list.precision);
        (self.squares - off, self.squares + off)
    }
}
