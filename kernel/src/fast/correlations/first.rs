//! What a signal's estimates begin with: its correlations and squares, section by section.
//!
//! The splits of a cross-validation have most of their sections in common, and what a section adds
//! to `c` and `E` hangs on the section and the signal alone. So these sums are kept for the signal's
//! other fits, and a fit adds up those of its sections. Sums of sums are sums in another order, whose
//! rounding is bounded by the same number of terms (see [`bound`](super::bound): each section counts
//! more terms than it has samples).

use std::borrow::Cow;
use std::ops::Range;

use ndarray::ArrayView1;

use super::section::{Basis, List, Section, Squares};
use crate::fast::accumulate::accumulate;
use crate::team::Ask;
use crate::{Error, memory};

/// How many bytes of sums are kept for a signal. Only recordings in thousands of pieces need more;
/// theirs are summed for each fit.
const MEMORY: usize = 16 << 20;

/// A signal, and the sums of its sections as far as they are kept.
pub(crate) struct FirstSums<'a> {
    values: Cow<'a, [f64]>,
    /// By [`Section::place`]; empty if none are kept.
    of_section: Vec<Option<Sums>>,
}

/// Over the samples of one or more sections.
pub(super) struct Sums {
    /// `E`.
    pub(super) squares: Squares,
    /// `c` for each of the sums of a window.
    pub(super) correlations: Vec<f64>,
}

impl<'a> FirstSums<'a> {
    /// Of a signal `[T]`, of which nothing is kept.
    pub(super) fn of(values: &'a [f64]) -> Self {
        Self { values: values.into(), of_section: Vec::new() }
    }

    /// Of a signal `[T]` for so many fits; `sections` is how many different ones a call has.
    pub(super) fn new(
        signal: ArrayView1<'a, f64>,
        fits: usize,
        sections: usize,
        basis: &Basis<'_>,
    ) -> Result<Self, Error> {
        let values = match signal.to_slice() {
            Some(values) => values.into(),
            None => {
                let mut values = memory::with_capacity(signal.len())?;
                values.extend(signal);
                values.into()
            }
        };
        let is_small = sections.saturating_mul(basis.options()) <= MEMORY / size_of::<f64>();
        let kept = if fits > 1 && is_small { sections } else { 0 };
        let mut of_section = memory::with_capacity(kept)?;
        of_section.resize_with(kept, || None);
        Ok(Self { values, of_section })
    }

    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    /// Whether sums are kept for other fits of the signal.
    pub(super) fn is_kept(&self) -> bool {
        !self.of_section.is_empty()
    }

    /// The sums over a list, the correlations over all sections that are not short being known.
    pub(super) fn with_long(&self, basis: &Basis<'_>, list: &List, correlations: Vec<f64>) -> Sums {
        let mut sums = Sums { squares: Squares::default(), correlations };
        for section in &list.sections {
            if section.is_short(basis) {
                sums.add_stretch(basis, section, section.range(), &self.values);
            } else {
                sums.squares.add(Squares::of(&self.values[section.samples.clone()]));
            }
        }
        sums
    }

    /// The sums over a list.
    pub(super) fn over(&mut self, basis: &Basis<'_>, list: &List, ask: &mut Ask<'_>) -> Result<Sums, Error> {
        if !self.is_kept() {
            return self.summed(basis, list, ask);
        }
        let mut sums = Sums::zero(basis)?;
        for section in &list.sections {
            let kept = &mut self.of_section[section.place];
            if kept.is_none() {
                let mut of_section = Sums::zero(basis)?;
                for samples in section.stretches(basis.options()) {
                    of_section.add_stretch(basis, section, samples, &self.values);
                    ask()?;
                }
                *kept = Some(of_section);
            }
            kept.iter().for_each(|kept| sums.add(kept));
        }
        Ok(sums)
    }

    /// The sums over a list, by all threads.
    fn summed(&self, basis: &Basis<'_>, list: &List, ask: &mut Ask<'_>) -> Result<Sums, Error> {
        let stretches =
            || list.sections.iter().flat_map(|section| section.stretches(basis.options()).map(move |at| (section, at)));
        let count = stretches().count();
        let parts = basis.team.divide(count, count, ask, |part, ask| {
            let mut sums = Sums::zero(basis)?;
            for (section, samples) in stretches().skip(part.start).take(part.len()) {
                sums.add_stretch(basis, section, samples, &self.values);
                ask()?;
            }
            Ok(sums)
        })?;
        let sums = parts.into_iter().reduce(|mut sums, part| {
            sums.add(&part);
            sums
        });
        Ok(sums.expect("there is always a part"))
    }
}

impl Sums {
    fn zero(basis: &Basis<'_>) -> Result<Self, Error> {
        Ok(Self { squares: Squares::default(), correlations: memory::filled(basis.options(), 0.0)? })
    }

    fn add(&mut self, other: &Self) {
        self.squares.add(other.squares);
        self.correlations.iter_mut().zip(&other.correlations).for_each(|(sum, other)| *sum += other);
    }

    fn add_stretch(&mut self, basis: &Basis<'_>, section: &Section, samples: Range<i64>, values: &[f64]) {
        self.squares.add(Squares::of(&values[samples.start as usize..samples.end as usize]));
        basis.padded(section).windows(&basis.packed, samples, &basis.reach.lags(), |samples, rows| {
            let weights = values[samples.start as usize..samples.end as usize].iter().copied();
            accumulate(basis.path, &mut self.correlations, rows, basis.pads.len(), weights);
        });
    }
}
