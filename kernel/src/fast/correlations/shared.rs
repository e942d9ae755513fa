//! What the fits of a call share.

use std::sync::atomic::{AtomicUsize, Ordering};

use ndarray::ArrayView1;

use super::bound;
use super::first::{FirstSums, Sums};
use super::gram::{self, Once};
use super::section::{Basis, List, Margins};
use super::spectra::Spectra;
use crate::team::{Ask, Team};
use crate::{Error, Lags, Predictors, Settings, Split, memory};

/// How many bytes of products are kept, for all splits of a call together. What does not fit is
/// computed again whenever it is needed. 16 predictors at 60 lags need 15 MB per split if all of
/// their options are ever chosen, and half a megabyte for their long sums.
const MEMORY: usize = 256 << 20;

/// The predictors, laid out, and their products as far as a fit has asked for them.
pub(crate) struct Shared<'a> {
    pub(super) basis: Basis<'a>,
    splits: Vec<Option<Products>>,
    /// How many different segments there are.
    sections: usize,
    /// Bytes of products that may still be kept.
    budget: AtomicUsize,
}

/// What does not hang on the signal, for one split.
pub(super) struct Products {
    pub(super) train: List,
    pub(super) validate: List,
    /// Long sums of all predictors, over each of the two lists, if they are made together.
    all_long_sums: Once<[Vec<Vec<f64>>; 2]>,
    /// Long sums of each predictor, if they are made one by one.
    long_sums: Vec<Once<[Vec<f64>; 2]>>,
    spectra: Option<[Spectra; 2]>,
    /// Whether there is room for long sums.
    keeps_long_sums: bool,
    /// Products of each option with every other, over `train` and then over `validate`.
    columns: Vec<Once<Vec<f64>>>,
}

impl<'a> Shared<'a> {
    /// `None` if the estimates' bounds do not hold for any of the splits.
    ///
    /// `predictors` have contiguous rows.
    pub(crate) fn new(
        predictors: Predictors<'a>,
        lags: &Lags<'_>,
        splits: &[Split<'_>],
        settings: &Settings,
        team: Team<'a>,
    ) -> Result<Option<Self>, Error> {
        Self::with_budget(predictors, lags, splits, settings, team, MEMORY)
    }

    /// With room for `budget` bytes of products.
    pub(crate) fn with_budget(
        predictors: Predictors<'a>,
        lags: &Lags<'_>,
        splits: &[Split<'_>],
        settings: &Settings,
        team: Team<'a>,
        budget: usize,
    ) -> Result<Option<Self>, Error> {
        if !bound::is_safe_step(settings.delta) || !bound::is_safe_step(settings.mindelta) || !is_compact(lags, splits)
        {
            return Ok(None);
        }
        let basis = Basis::new(predictors, lags, team)?;
        let mut margins = Margins::default();
        let budget = AtomicUsize::new(budget);
        let mut shared = Self { basis, splits: memory::with_capacity(splits.len())?, sections: 0, budget };
        for split in splits {
            let products = Products::new(&shared.basis, &mut margins, split)?;
            let products = products.map(|of| Products { keeps_long_sums: shared.takes(shared.long_sums()), ..of });
            shared.splits.push(products);
        }
        shared.sections = margins.len();
        shared.basis.margins = margins;
        let some = shared.splits.iter().any(Option::is_some);
        Ok(some.then_some(shared))
    }

    /// What the fits of one signal share.
    pub(crate) fn first_sums<'b>(&self, signal: ArrayView1<'b, f64>, fits: usize) -> Result<FirstSums<'b>, Error> {
        FirstSums::new(signal, fits, self.sections, &self.basis)
    }

    /// What the fits of one split share. `None` if the estimates' bounds do not hold for it.
    pub(super) fn of_split(&self, split: usize) -> Option<&Products> {
        self.splits[split].as_ref()
    }

    /// The products of an option with every other, over the training and then over the validation
    /// segments: those that are kept, else computed into `scratch`.
    pub(super) fn column<'b>(
        &self,
        products: &'b Products,
        option: (usize, usize),
        scratch: &'b mut Vec<f64>,
    ) -> Result<&'b [f64], Error> {
        let kept = &products.columns[self.basis.index(option.0, option.1)];
        if let Some(column) = kept.get() {
            return Ok(column);
        }
        let count = 2 * self.basis.options();
        if self.takes(count * size_of::<f64>()) {
            return kept
                .get_or_make(|| {
                    let mut column = memory::filled(count, 0.0)?;
                    self.write_column(products, option, &mut column)?;
                    Ok(column)
                })
                .map(Vec::as_slice);
        }
        if scratch.is_empty() {
            *scratch = memory::filled(count, 0.0)?;
        }
        self.write_column(products, option, scratch)?;
        Ok(scratch)
    }

    /// Makes what the columns of a predictor are made from, the long part of making one.
    pub(super) fn prepare(&self, products: &Products, predictor: usize, ask: &mut Ask<'_>) -> Result<(), Error> {
        products.long_sums(&self.basis, predictor, ask).map(|_| ())
    }

    /// Whether long sums of a split are made by way of spectra.
    #[cfg(test)]
    pub(crate) fn has_spectra(&self, split: usize) -> bool {
        self.of_split(split).is_some_and(|products| products.spectra.is_some())
    }

    fn write_column(&self, products: &Products, option: (usize, usize), column: &mut [f64]) -> Result<(), Error> {
        let Self { basis, .. } = self;
        // Made by `prepare`, unless a step is taken that was never chosen, as in tests.
        let long_sums = products.long_sums(basis, option.0, &mut || Ok(()))?;
        let (train, validate) = column.split_at_mut(basis.options());
        gram::column(basis, &products.train, long_sums.map(|[over_train, _]| over_train), option, train);
        gram::column(basis, &products.validate, long_sums.map(|[_, over_validate]| over_validate), option, validate);
        Ok(())
    }

    /// Bytes of all long sums of one split.
    fn long_sums(&self) -> usize {
        let count = self.basis.pads.len();
        2 * count * count * self.basis.reach.differences().count() * size_of::<f64>()
    }

    /// Takes bytes from the budget, if it has them. (Two threads that make the same column at the
    /// same time both pay for it: the budget is a limit, not a record.)
    fn takes(&self, bytes: usize) -> bool {
        let rest = |budget: usize| budget.checked_sub(bytes);
        self.budget.fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest).is_ok()
    }
}

impl Products {
    fn new(basis: &Basis<'_>, margins: &mut Margins, split: &Split<'_>) -> Result<Option<Self>, Error> {
        let updated = &split.train_and_validate;
        let Some(train) = List::new(basis, margins, &split.train, updated)? else { return Ok(None) };
        let Some(validate) = List::new(basis, margins, &split.validate, updated)? else { return Ok(None) };
        let mut long_sums = memory::with_capacity(basis.pads.len())?;
        long_sums.extend((0..basis.pads.len()).map(|_| Once::new()));
        let mut columns = memory::with_capacity(basis.options())?;
        columns.extend((0..basis.options()).map(|_| Once::new()));
        let spectra = [Spectra::new(basis, &train)?, Spectra::new(basis, &validate)?];
        let together: usize = spectra.iter().map(Spectra::cost).sum();
        let one_by_one = gram::cost(basis, &train) + gram::cost(basis, &validate);
        let is_small = spectra[0].is_small();
        let spectra = (is_small && together < one_by_one).then_some(spectra);
        let (all_long_sums, keeps_long_sums) = (Once::new(), true);
        Ok(Some(Self { train, validate, all_long_sums, long_sums, spectra, keeps_long_sums, columns }))
    }

    /// What a signal's estimates begin with, over the training and over the validation segments. Where
    /// nothing is kept of the signal, and long sums have not been made but will be, the two are made
    /// together.
    pub(super) fn first_sums(
        &self,
        basis: &Basis<'_>,
        first: &mut FirstSums<'_>,
        ask: &mut Ask<'_>,
    ) -> Result<[Sums; 2], Error> {
        let Self { train, validate, .. } = self;
        let mut found = None;
        if let Some([over_train, over_validate]) = &self.spectra
            && self.keeps_long_sums
            && !first.is_kept()
            && Spectra::correlates(basis)
        {
            let signal = Some(first.values());
            self.all_long_sums.get_or_make(|| {
                let over_train = over_train.find(basis, train, signal, ask)?;
                let over_validate = over_validate.find(basis, validate, signal, ask)?;
                found = Some([over_train.correlations, over_validate.correlations]);
                Ok([over_train.long_sums, over_validate.long_sums])
            })?;
        }
        // Unless they had been made before, or another thread was sooner.
        if let Some([over_train, over_validate]) = found {
            return Ok([first.with_long(basis, train, over_train), first.with_long(basis, validate, over_validate)]);
        }
        Ok([first.over(basis, train, ask)?, first.over(basis, validate, ask)?])
    }

    /// The long sums of a predictor, over the training and over the validation segments, if they
    /// are kept.
    fn long_sums(&self, basis: &Basis<'_>, predictor: usize, ask: &mut Ask<'_>) -> Result<Option<[&[f64]; 2]>, Error> {
        let Self { train, validate, .. } = self;
        if !self.keeps_long_sums {
            return Ok(None);
        }
        if let Some([over_train, over_validate]) = &self.spectra {
            let all = self.all_long_sums.get_or_make(|| {
                let over_train = over_train.find(basis, train, None, ask)?;
                Ok([over_train.long_sums, over_validate.find(basis, validate, None, ask)?.long_sums])
            })?;
            return Ok(Some([&all[0][predictor], &all[1][predictor]]));
        }
        let one = self.long_sums[predictor].get_or_make(|| {
            Ok([gram::long_sums(basis, train, predictor, ask)?, gram::long_sums(basis, validate, predictor, ask)?])
        })?;
        Ok(Some([&one[0], &one[1]]))
    }
}

/// Whether lags are of the size of the segments and their ranges alike, so that windows of all lags
/// of all predictors are little longer than what is asked for, and margins little longer than what
/// they enclose.
fn is_compact(lags: &Lags<'_>, splits: &[Split<'_>]) -> bool {
    let longest = splits.iter().flat_map(|split| split.train.iter()).map(|segment| segment.len()).max().unwrap_or(0);
    let (first, end) = (lags.i_start(), lags.i_start() + lags.columns() as i64);
    let options: i64 = (0..lags.len()).map(|predictor| lags.of(predictor)).map(|(start, stop)| stop - start).sum();
    let window = lags.len() as i64 * (end - first);
    first.unsigned_abs().max(end.unsigned_abs()) <= longest as u64 && window <= 4 * options + 256
}
