//! What the fits of a call share.

use std::ops::Range;

use super::bound;
use super::first::FirstSums;
use super::parts::{Part, parts};
use super::windows::{ALIGNMENT, Large};
use crate::vectors::Path;
use crate::{Error, Lags, Predictors, Split, memory};

/// No sample, no position.
pub(super) const NONE: u32 = u32::MAX;

/// The share of samples that are listed as large.
const LARGE: f64 = 0.015;

/// If no more than this share differs from 0, all of it is listed: lists of impulses tell all, and
/// no sample is near.
const SPARSE: f64 = 0.05;

/// How many positions there may be per sample. Segments much shorter than the lags exceed it.
const GROWTH: usize = 6;

/// The predictors, laid out for sums over the windows of training samples.
///
/// First comes the whole recording, for all splits: there lie the samples whose windows stay within
/// their segment. Then come the ends of each segment of any split, with pads beyond them, as many as
/// lags reach; of a short segment, all. A *position* is a place in that layout.
pub(crate) struct Shared<'a> {
    pub(super) predictors: Predictors<'a>,
    /// The lags of each predictor.
    pub(super) lags: Vec<Range<i64>>,
    /// `[n, positions]`, in half the width: what sums over windows cost is memory that is read.
    rows: Vec<f32>,
    positions: usize,
    /// `K`.
    pub(super) limit: f64,
    /// For each predictor, no less than the sum of its magnitudes at any lag, rounded or not.
    pub(super) sums: Vec<f64>,
    /// How many sums are laid out for a predictor, one for each lag and some more.
    pub(super) width: usize,
    /// How many different training segments there are.
    pub(super) segments: usize,
    splits: Vec<Option<Train>>,
    pub(super) path: Path,
}

/// The training samples of a split.
pub(super) struct Train {
    /// The sample at each position, [`NONE`] in pads and in segments of other splits.
    pub(super) sample_at: Vec<u32>,
    pub(super) segments: Vec<Range<usize>>,
    /// The place of each segment among those of all splits.
    pub(super) places: Vec<usize>,
    pub(super) samples: usize,
    /// How many samples the validation error has.
    pub(super) validated: usize,
    /// Of the recording, in order.
    pub(super) parts: Vec<Part>,
    /// By predictor.
    pub(super) large: Vec<Met>,
}

/// The large numbers of a predictor that training samples meet at some lag.
pub(super) struct Met {
    /// Those whose samples stand side by side in the recording, for all lags, up to a multiple of
    /// [`ALIGNMENT`].
    pub(super) whole: Vec<Large>,
    pub(super) others: Vec<Large>,
}

impl<'a> Shared<'a> {
    /// `None` if no split is laid out well by this, or a predictor exceeds the range of its row.
    /// `predictors` have contiguous rows.
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
        let lags =
            memory::collected((0..lags.len()).map(|predictor| lags.of(predictor)).map(|(start, stop)| start..stop))?;
        let mut trains = memory::all_of(splits.iter().map(|split| Train::new(split, predictors.samples())))?;
        let Some(layout) = Layout::new(&lags, &trains, predictors.samples())? else { return Ok(None) };
        for (train, split) in trains.iter_mut().zip(splits) {
            train.as_mut().map_or(Ok(()), |train| layout.place(train, split))?;
        }
        let mut rows = memory::with_capacity(layout.positions * predictors.len())?;
        (0..predictors.len()).for_each(|predictor| layout.lay(&predictors, predictor, &mut rows));
        if rows.iter().any(|x| !x.is_finite()) {
            return Ok(None);
        }
        let row = |predictor: usize| &rows[predictor * layout.positions..][..layout.positions];
        let limit = limit(&rows)?;
        for (predictor, lags) in lags.iter().enumerate() {
            let large = large(row(predictor), limit)?;
            for train in trains.iter_mut().flatten() {
                let met = layout.met_by(train, &large, lags)?;
                memory::push(&mut train.large, met)?;
            }
        }
        let sum = |predictor| bound::sum_of_stored(row(predictor));
        let count = |lags: &Range<i64>| (lags.end - lags.start) as usize;
        Ok(Some(Self {
            sums: memory::collected((0..predictors.len()).map(sum))?,
            positions: layout.positions,
            width: lags.iter().map(count).max().unwrap_or(0).next_multiple_of(ALIGNMENT),
            segments: layout.segments.len(),
            predictors,
            lags,
            rows,
            limit,
            splits: trains,
            path,
        }))
    }

    /// What the fits of one signal share, if there are so many.
    pub(crate) fn first_sums(&self, fits: usize) -> Result<FirstSums, Error> {
        FirstSums::new(self, fits)
    }

    /// How many sums are laid out.
    pub(super) fn sums_of_all(&self) -> usize {
        self.lags.len() * self.width
    }

    /// The sums of each predictor, up to a multiple of [`ALIGNMENT`], out of those of all, `[n, width]`.
    pub(super) fn of_predictors<'s>(&self, sums: &'s mut [f64]) -> impl Iterator<Item = (usize, &'s mut [f64])> {
        // If no predictor has a lag, there are no sums either.
        let of_each = sums.chunks_exact_mut(self.width.max(1)).enumerate();
        of_each.map(|(predictor, sums)| (predictor, &mut sums[..self.count(predictor).next_multiple_of(ALIGNMENT)]))
    }

    pub(super) fn train(&self, split: usize) -> Option<&Train> {
        self.splits[split].as_ref()
    }

    pub(super) fn row(&self, predictor: usize) -> &[f32] {
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

/// The numbers of a row above `K`.
fn large(row: &[f32], limit: f64) -> Result<Vec<Large>, Error> {
    let large = (0..).zip(row).map(|(position, &x)| Large { position, value: f64::from(x) });
    memory::collected(large.filter(|large| large.value.abs() > limit))
}

/// `K`: the magnitude that [`LARGE`] of the numbers exceed, about, from a sample of them.
fn limit(rows: &[f32]) -> Result<f64, Error> {
    const SAMPLE: usize = 8192;
    let step = (rows.len() / SAMPLE).max(1);
    let mut sample = memory::collected(rows.iter().step_by(step).map(|x| f64::from(x.abs())))?;
    if sample.is_empty() {
        return Ok(0.0);
    }
    let mut exceeded_by = |share: f64| {
        let rank = ((1.0 - share) * (sample.len() - 1) as f64) as usize;
        *sample.select_nth_unstable_by(rank, f64::total_cmp).1
    };
    Ok(if exceeded_by(SPARSE) == 0.0 { 0.0 } else { exceeded_by(LARGE) })
}

impl Train {
    /// `None` unless no sample is trained on twice or updated twice, and each that is trained on is
    /// updated: then what is carried from step to step changes where the residual does.
    fn new(split: &Split<'_>, samples: usize) -> Result<Option<Self>, Error> {
        let (Some(segments), Some(blocks)) = (split.train.disjoint()?, split.train_and_validate.disjoint()?) else {
            return Ok(None);
        };
        let count = segments.iter().map(Range::len).sum();
        if samples >= NONE as usize || count == 0 {
            return Ok(None);
        }
        let mut updated = memory::filled(samples, false)?;
        blocks.into_iter().for_each(|block| updated[block].fill(true));
        if segments.iter().any(|segment| updated[segment.clone()].contains(&false)) {
            return Ok(None);
        }
        let (sample_at, places, parts, large) = (Vec::new(), Vec::new(), Vec::new(), Vec::new()); // see `Layout`
        let validated = split.validate.iter().map(|segment| segment.len()).sum();
        Ok(Some(Self { sample_at, segments, places, samples: count, validated, parts, large }))
    }
}

/// Where the samples of each segment of any split lie.
struct Layout {
    /// In order.
    segments: Vec<Range<usize>>,
    /// The pieces of all segments, in the order of `segments`; those of segment `i` are
    /// `of_segment[i]`.
    pieces: Vec<Piece>,
    of_segment: Vec<Range<usize>>,
    /// The length of the recording.
    samples: usize,
    positions: usize,
    /// How far windows reach back and ahead of a sample.
    before: usize,
    after: usize,
}

/// Consecutive samples with pads.
struct Piece {
    /// The samples whose windows are within this piece.
    serves: Range<usize>,
    /// The samples that are laid in, and how many pads before and after them.
    holds: Range<usize>,
    before: usize,
    after: usize,
    /// The position of the first pad.
    start: usize,
}

/// How many pads windows reach beyond a segment, before and after it.
fn beyond(lags: &[Range<i64>]) -> Option<(usize, usize)> {
    let used = || lags.iter().filter(|lags| !lags.is_empty());
    let before = usize::try_from(used().map(|lags| lags.end - 1).max()?.max(0)).ok()?;
    let after = usize::try_from(used().map(|lags| lags.start.saturating_neg()).max()?.max(0)).ok()?;
    let together = before.checked_add(after)?;
    (together < NONE as usize).then_some((before, after))
}

impl Layout {
    /// `None` if it would be too long.
    fn new(lags: &[Range<i64>], trains: &[Option<Train>], samples: usize) -> Result<Option<Self>, Error> {
        let Some((before, after)) = beyond(lags) else { return Ok(None) };
        let reach = before + after;
        let segments = trains.iter().flatten().flat_map(|train| train.segments.iter().cloned());
        let mut segments = memory::collected(segments)?;
        segments.sort_unstable_by_key(|segment| (segment.start, segment.end));
        segments.dedup();

        let limit = samples.saturating_mul(GROWTH).min(NONE as usize - ALIGNMENT);
        let mut pieces = memory::with_capacity(2 * segments.len())?;
        let (mut of_segment, mut positions) = (memory::with_capacity(segments.len())?, samples);
        for Range { start, end } in segments.iter().cloned() {
            let first_piece = pieces.len();
            let mut lay = |serves: Range<usize>, holds: Range<usize>, before, after| {
                let length = before + holds.len() + after;
                pieces.push(Piece { serves, holds, before, after, start: positions });
                positions += length;
            };
            if end - start <= 2 * reach {
                lay(start..end, start..end, before, after);
            } else {
                lay(start..start + before, start..start + reach, before, 0);
                lay(end - after..end, end - reach..end, 0, after);
            }
            of_segment.push(first_piece..pieces.len());
            if positions > limit {
                return Ok(None);
            }
        }
        // What the lanes past the last lag read.
        positions += ALIGNMENT;
        Ok((!segments.is_empty()).then_some(Self { segments, pieces, of_segment, samples, positions, before, after }))
    }

    /// The samples of a segment whose windows are in the recording.
    fn inside(&self, segment: &Range<usize>) -> Range<usize> {
        match segment.len() <= 2 * (self.before + self.after) {
            true => segment.end..segment.end,
            false => segment.start + self.before..segment.end - self.after,
        }
    }

    /// The large numbers of a predictor that training samples meet.
    fn met_by(&self, train: &Train, large: &[Large], lags: &Range<i64>) -> Result<Met, Error> {
        let largest_lag = lags.end - 1;
        let padded = ((lags.end - lags.start) as usize).next_multiple_of(ALIGNMENT) as i64;
        let is_whole = |large: &Large| {
            let last = i64::from(large.position) + largest_lag;
            let stand_in = |inside: Range<usize>| last + 1 - padded >= inside.start as i64 && last < inside.end as i64;
            train.segments.iter().any(|segment| stand_in(self.inside(segment)))
        };
        let is_met = |large: &Large| {
            let mut positions = lags.clone().map(|lag| i64::from(large.position) + lag); // if negative, none that exists
            positions.any(|at| train.sample_at.get(at as usize).is_some_and(|&sample| sample != NONE))
        };
        let whole = memory::collected(large.iter().copied().filter(is_whole))?;
        let others = large.iter().copied().filter(|large| !is_whole(large) && is_met(large));
        Ok(Met { whole, others: memory::collected(others)? })
    }

    fn place(&self, train: &mut Train, split: &Split<'_>) -> Result<(), Error> {
        train.sample_at = memory::filled(self.positions, NONE)?;
        let mut position_of = memory::filled(self.samples, NONE)?;
        for segment in &train.segments {
            let key = (segment.start, segment.end);
            let index = self.segments.binary_search_by_key(&key, |segment| (segment.start, segment.end));
            let index = index.expect("laid out");
            memory::push(&mut train.places, index)?;
            let pieces = &self.pieces[self.of_segment[index].clone()];
            // In the recording, if it is not in a piece.
            segment.clone().for_each(|sample| position_of[sample] = sample as u32);
            for piece in pieces {
                let shift = piece.start + piece.before;
                for sample in piece.serves.clone() {
                    // `new` has seen that it fits.
                    position_of[sample] = (sample - piece.holds.start + shift) as u32;
                }
            }
            for sample in segment.clone() {
                train.sample_at[position_of[sample] as usize] = sample as u32;
            }
        }
        train.parts = parts(split, &position_of)?;
        Ok(())
    }

    /// Appends the row of a predictor.
    fn lay(&self, predictors: &Predictors<'_>, predictor: usize, rows: &mut Vec<f32>) {
        let padded = predictors.padded(predictor);
        let x = padded.x.to_slice().expect("contiguous rows");
        // Samples that are not trained on are left out: they may be anything.
        let start = rows.len();
        for segment in &self.segments {
            let there = rows.len() - start;
            rows.extend(std::iter::repeat_n(0.0, segment.start.saturating_sub(there)));
            rows.extend(x[segment.end.min(segment.start.max(there))..segment.end].iter().map(|&x| x as f32));
        }
        rows.extend(std::iter::repeat_n(0.0, self.samples - (rows.len() - start)));
        for piece in &self.pieces {
            rows.extend(std::iter::repeat_n(padded.pad as f32, piece.before));
            rows.extend(x[piece.holds.clone()].iter().map(|&x| x as f32));
            rows.extend(std::iter::repeat_n(padded.pad as f32, piece.after));
        }
        rows.extend(std::iter::repeat_n(0.0, ALIGNMENT));
    }
}
