//! What is carried along from step to step for one list of segments.
//!
//! Where a segment is part of a longer one in `train_and_validate`, its first and last samples see
//! pads when errors are summed, and the samples beyond when the residual is updated. A step then
//! takes off another signal `u` than the option `v` that was judged, and `c(u)` and `q(u)` are
//! those of `v` plus what the two differ by, there. For this the residual of these few samples is
//! kept, in the reference's arithmetic.

use std::ops::Range;

use super::bound::Drift;
use super::first::{FirstSums, Sums};
use super::section::{Basis, List};
use crate::team::Ask;
use crate::{Error, memory};

/// Estimates for the present residual over a list of segments.
pub(super) struct State<'a> {
    list: &'a List,
    /// `c` for each of the sums of a window.
    pub(super) correlations: Vec<f64>,
    /// `E`.
    pub(super) squares: f64,
    pub(super) drift: Drift,
    /// The samples that may be updated with something else than they see.
    edges: Vec<Edge>,
}

/// Consecutive samples of a section, and their residual.
struct Edge {
    section: usize,
    samples: Range<usize>,
    residual: Vec<f64>,
}

impl<'a> State<'a> {
    /// Of a signal with these first sums. `None` if the bounds do not hold for it.
    pub(super) fn new(
        basis: &Basis<'_>,
        list: &'a List,
        signal: &FirstSums<'_>,
        sums: Sums,
    ) -> Result<Option<Self>, Error> {
        let drift = Drift::fresh(list.precision, 0.0);
        let mut edges = Vec::new();
        for (section, of) in list.sections.iter().enumerate() {
            for samples in of.edges(basis).into_iter().filter(|samples| !samples.is_empty()) {
                memory::push(&mut edges, Edge { section, residual: memory::filled(samples.len(), 0.0)?, samples })?;
            }
        }
        let mut state = Self { list, correlations: Vec::new(), squares: 0.0, drift, edges };
        Ok(state.begin(signal, sums).then_some(state))
    }

    /// Sums everything afresh. `false`, and nothing has changed, if the bounds do not hold for this
    /// residual: what is carried along is off by more, but its bounds are good.
    pub(super) fn refresh(
        &mut self,
        basis: &Basis<'_>,
        residual: &mut FirstSums<'_>,
        ask: &mut Ask<'_>,
    ) -> Result<bool, Error> {
        let sums = residual.over(basis, self.list, ask)?;
        Ok(self.begin(residual, sums))
    }

    fn begin(&mut self, residual: &FirstSums<'_>, sums: Sums) -> bool {
        let norm = self.list.precision.norm(sums.squares.sum);
        if sums.squares.is_lost() || !super::bound::is_safe(norm) {
            return false;
        }
        self.squares = sums.squares.sum;
        self.correlations = sums.correlations;
        self.drift = Drift::fresh(self.list.precision, norm);
        let values = residual.values();
        self.edges.iter_mut().for_each(|edge| edge.residual.copy_from_slice(&values[edge.samples.clone()]));
        true
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
        let (mut correlation, mut square) = (self.correlations[index], self.list.squares[index]);
        for edge in &mut self.edges {
            let (more, more_square) = edge.step(basis, self.list, (predictor, column), delta);
            correlation += more;
            square += more_square;
        }
        self.squares += delta * delta * square - 2.0 * delta * correlation;
        for (correlation, product) in self.correlations.iter_mut().zip(products) {
            *correlation -= delta * product;
        }
        let stepped = self.list.norms[predictor];
        self.drift.step(self.list.precision, delta, stepped, self.squares, !self.edges.is_empty());
    }

    /// Where the reference's sum of squares over this list lies.
    pub(super) fn error(&self) -> (f64, f64) {
        let off = self.drift.error(self.list.precision);
        (self.squares - off, self.squares + off)
    }
}

impl Edge {
    /// Updates the residual. Returns what these samples make `c(u)` and `q(u)` larger than `c(v)`
    /// and `q(v)`.
    fn step(&mut self, basis: &Basis<'_>, list: &List, (predictor, column): (usize, usize), delta: f64) -> (f64, f64) {
        let section = &list.sections[self.section];
        let lag = basis.reach.first + column as i64;
        let (mut correlation, mut square) = (0.0, 0.0);
        for (residual, sample) in self.residual.iter_mut().zip(self.samples.clone()) {
            let update = section.update(basis, predictor, lag, sample as i64);
            let seen = section.seen(basis, predictor, lag, sample as i64);
            correlation += *residual * (update - seen);
            square += update * update - seen * seen;
            *residual -= delta * update;
        }
        (correlation, square)
    }
}
