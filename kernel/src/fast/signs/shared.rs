//! What the fits of a call share.

use std::ops::Range;

use super::windows::ALIGNMENT;
use crate::vectors::Path;
use crate::{Error, Lags, Predictors, Segments, Split, memory};

/// No sample, no position.
pub(super) const NONE: u32 = u32::MAX;

/// The share of samples that are listed as large.
const LARGE: f64 = 0.015;

/// If no more than this share differs from 0, all of it is listed: lists of impulses tell all, and
/// no sample is near.
const SPARSE: f64 = 0.05;

/// How many rows of a packed predictor there may be per sample. Segments much shorter than the
/// lags, or another set of segments in each of many splits, would exceed it.
const GROWTH: usize = 6;

/// The predictors, laid out for sums over the windows of training samples.
///
/// Each training segment of any split, laid in once, has its pads on either side, as many as lags
/// reach. A *position* is a place in that layout.
pub(crate) struct Shared<'a> {
    pub(super) predictors: Predictors<'a>,
    /// The lags of each predictor.
    pub(super) lags: Vec<Range<i64>>,
    /// `[n, positions]`
    rows: Vec<f64>,
    positions: usize,
    /// `K`.
    pub(super) limit: f64,
    /// For each predictor, the positions where it is above `K`.
    pub(super) large: Vec<Vec<u32>>,
    /// For each predictor, no less than the sum of its magnitudes at any lag.
    pub(super) sums: Vec<f64>,
    splits: Vec<Option<Train>>,
    pub(super) path: Path,
}

/// The training samples of a split.
pub(super) struct Train {
    /// The position of each sample, [`NONE`] if it is not trained on.
    pub(super) position_of: Vec<u32>,
    /// The sample at each position, [`NONE`] in pads and in segments of other splits.
    pub(super) sample_at: Vec<u32>,
    pub(super) segments: Vec<Range<usize>>,
    pub(super) samples: usize,
}

impl<'a> Shared<'a> {
    /// `None` if no split is laid out well by this. `predictors` have contiguous rows.
    pub(crate) fn new(
        predictors: Predictors<'a>,
        lags: &Lags<'_>,
        splits: &[Split<'_>],
    ) -> Result<Option<Self>, Error> {
        Self::on(Path::best(), predictors, lags, splits)
    }

    /// With chosen instructions.
    pub(super) fn on(
        path: Path,
        predictors: Predictors<'a>,
        lags: &Lags<'_>,
        splits: &[Split<'_>],
    ) -> Result<Option<Self>, Error> {
        let lags: Vec<_> =
            (0..lags.len()).map(|predictor| lags.of(predictor)).map(|(start, stop)| start..stop).collect();
        let mut trains: Vec<Option<Train>> =
            splits.iter().map(|split| Train::new(split, predictors.samples())).collect::<Result<_, _>>()?;
        let Some(layout) = Layout::new(&lags, &trains, predictors.samples()) else { return Ok(None) };
        trains.iter_mut().flatten().try_for_each(|train| layout.place(train))?;
        let mut rows = memory::with_capacity(layout.positions * predictors.len())?;
        (0..predictors.len()).for_each(|predictor| layout.lay(&predictors, predictor, &mut rows));
        let row = |predictor: usize| &rows[predictor * layout.positions..][..layout.positions];
        let limit = limit(&rows);
        let large = |predictor| (0..).zip(row(predictor)).filter(|(_, x)| x.abs() > limit).map(|(at, _)| at).collect();
        let sum = |predictor| row(predictor).iter().map(|x| x.abs()).sum::<f64>() * SUM_ROOM;
        Ok(Some(Self {
            large: (0..predictors.len()).map(large).collect(),
            sums: (0..predictors.len()).map(sum).collect(),
            positions: layout.positions,
            predictors,
            lags,
            rows,
            limit,
            splits: trains,
            path,
        }))
    }

    pub(super) fn train(&self, split: usize) -> Option<&Train> {
        self.splits[split].as_ref()
    }

    pub(super) fn row(&self, predictor: usize) -> &[f64] {
        &self.rows[predictor * self.positions..][..self.positions]
    }

    /// The largest lag of a predictor, which is the first of its sums.
    pub(super) fn largest_lag(&self, predictor: usize) -> i64 {
        self.lags[predictor].end - 1
    }

    /// How many lags a predictor has.
    pub(super) fn count(&self, predictor: usize) -> usize {
        (self.lags[predictor].end - self.lags[predictor].start) as usize
    }
}

/// Raises a sum of at most `2^32` magnitudes above their exact sum.
const SUM_ROOM: f64 = 1.0 + 1e-6;

/// `K`: the magnitude that [`LARGE`] of the numbers exceed, about, from a sample of them.
fn limit(rows: &[f64]) -> f64 {
    const SAMPLE: usize = 8192;
    let step = (rows.len() / SAMPLE).max(1);
    let mut sample: Vec<f64> = rows.iter().step_by(step).map(|x| x.abs()).collect();
    if sample.is_empty() {
        return 0.0;
    }
    let mut exceeded_by = |share: f64| {
        let rank = ((1.0 - share) * (sample.len() - 1) as f64) as usize;
        *sample.select_nth_unstable_by(rank, f64::total_cmp).1
    };
    if exceeded_by(SPARSE) == 0.0 { 0.0 } else { exceeded_by(LARGE) }
}

impl Train {
    /// `None` unless no sample is trained on twice or updated twice, and each that is trained on is
    /// updated: then what is carried from step to step changes where the residual does.
    fn new(split: &Split<'_>, samples: usize) -> Result<Option<Self>, Error> {
        let mut position_of = memory::filled(samples, NONE)?;
        let mut segments: Vec<Range<usize>> = split.train.iter().filter(|segment| !segment.is_empty()).collect();
        segments.sort_unstable_by_key(|segment| segment.start);
        let count = segments.iter().map(Range::len).sum();
        let fits = samples < NONE as usize && is_disjoint(&split.train) && is_disjoint(&split.train_and_validate);
        if !fits || count == 0 {
            return Ok(None);
        }
        // Marks, to be replaced by positions.
        split.train_and_validate.iter().for_each(|segment| position_of[segment].fill(0));
        let updated = segments.iter().all(|segment| position_of[segment.clone()].iter().all(|&mark| mark == 0));
        position_of.fill(NONE);
        Ok(updated.then_some(Self { position_of, sample_at: Vec::new(), segments, samples: count }))
    }
}

fn is_disjoint(segments: &Segments<'_>) -> bool {
    let mut segments: Vec<_> = segments.iter().filter(|segment| !segment.is_empty()).collect();
    segments.sort_unstable_by_key(|segment| segment.start);
    segments.windows(2).all(|pair| pair[0].end <= pair[1].start)
}

/// Where each segment of any split lies.
struct Layout {
    /// In order, with the position of their first samples.
    segments: Vec<(Range<usize>, usize)>,
    before: usize,
    after: usize,
    positions: usize,
}

impl Layout {
    fn new(lags: &[Range<i64>], trains: &[Option<Train>], samples: usize) -> Option<Self> {
        // As many pads as windows reach beyond a segment.
        let used = || lags.iter().filter(|lags| !lags.is_empty());
        let before = usize::try_from(used().map(|lags| lags.end - 1).max()?.max(0)).ok()?;
        let after = usize::try_from(used().map(|lags| lags.start.saturating_neg()).max()?.max(0)).ok()?;
        let mut segments: Vec<_> = trains.iter().flatten().flat_map(|train| train.segments.iter().cloned()).collect();
        segments.sort_unstable_by_key(|segment| (segment.start, segment.end));
        segments.dedup();
        let limit = samples.checked_mul(GROWTH)?.min(NONE as usize - 1);
        let mut end = 0_usize;
        let mut place = |segment: Range<usize>| {
            let first = end.checked_add(before)?;
            end = first.checked_add(segment.len())?.checked_add(after)?;
            (end <= limit).then_some((segment, first))
        };
        let segments = segments.into_iter().map(&mut place).collect::<Option<Vec<_>>>()?;
        // What the lanes past the last lag read.
        (!segments.is_empty()).then_some(Self { segments, before, after, positions: end + ALIGNMENT })
    }

    fn place(&self, train: &mut Train) -> Result<(), Error> {
        train.sample_at = memory::filled(self.positions, NONE)?;
        for segment in &train.segments {
            let key = (segment.start, segment.end);
            let index = self.segments.binary_search_by_key(&key, |(segment, _)| (segment.start, segment.end));
            let first = index.map(|index| self.segments[index].1).expect("laid out");
            for (sample, position) in segment.clone().zip(first..) {
                train.position_of[sample] = position as u32; // `new` has seen that both fit
                train.sample_at[position] = sample as u32;
            }
        }
        Ok(())
    }

    /// Appends the row of a predictor.
    fn lay(&self, predictors: &Predictors<'_>, predictor: usize, rows: &mut Vec<f64>) {
        let padded = predictors.padded(predictor);
        let x = padded.x.to_slice().expect("contiguous rows");
        for (segment, _) in &self.segments {
            rows.extend(std::iter::repeat_n(padded.pad, self.before));
            rows.extend_from_slice(&x[segment.clone()]);
            rows.extend(std::iter::repeat_n(padded.pad, self.after));
        }
        rows.extend(std::iter::repeat_n(0.0, ALIGNMENT));
    }
}
