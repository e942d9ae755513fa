//! Which options may be the best, from estimates.
//!
//! Options are evaluated by blocks: lags side by side, one lane each. A vector of them costs what one
//! alone does, and the neighbours of a good lag are likely to be candidates too.

use super::{ALIGNMENT, Bound, Room, Signs, active_of, sign_of, windows};
use crate::fast::signs::shared::NONE;

/// An option that is not excluded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) predictor: usize,
    /// Its place among the predictor's sums.
    pub(super) place: usize,
    pub(super) sign: f64,
    /// The estimate of its error, and how far it may be off.
    pub(super) error: f64,
    pub(super) off: f64,
}

/// Options side by side, one for each of [`ALIGNMENT`] places.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub(super) predictor: usize,
    /// The first place, a multiple of [`ALIGNMENT`].
    pub(super) first: usize,
    /// 1 for the signs of `G`, -1 for the opposite ones.
    pub(super) side: f64,
    /// None of its errors is below.
    pub(super) least: f64,
}

/// What an estimate is made from, besides sums.
#[derive(Clone, Copy)]
pub(super) struct Terms {
    pub(super) bound: Bound,
    /// `E`.
    pub(super) error: f64,
    pub(super) delta: f64,
}

impl Signs<'_, '_> {
    /// The estimates of a block's errors. Those of places without a lag mean nothing.
    pub(super) fn errors(&self, block: &Block, terms: &Terms) -> [f64; ALIGNMENT] {
        let Self { shared, train, near, residual, .. } = self;
        let &Block { predictor, first, side, .. } = block;
        let sums: &[f64; ALIGNMENT] =
            self.sums[predictor * self.shared.width + first..].first_chunk().expect("padded sums");
        let mut scales = sums.map(|sum| side * sign_of(sum) * terms.delta);
        let (row, largest_lag) = (shared.row(predictor), shared.largest_lag(predictor) - first as i64);
        let mut excess = [0.0; ALIGNMENT];
        windows::add_excess(shared.path, &mut excess, row, largest_lag, &scales, &near.nearest);
        windows::add_excess(shared.path, &mut excess, row, largest_lag, &scales, &near.others);
        let large = &train.large[predictor];
        for large in &large.others {
            for (place, (excess, scale)) in (0..).zip(excess.iter_mut().zip(scales)) {
                let position = i64::from(large.position) + largest_lag - place; // if negative, none that exists
                let sample = train.sample_at.get(position as usize).copied().unwrap_or(NONE);
                if sample != NONE && residual[sample as usize].abs() > near.reach {
                    let y = residual[sample as usize];
                    *excess += 0.0_f64.max(sign_of(y) * (scale * large.value) - y.abs());
                }
            }
        }
        // What a large number meets rises with the lag, and falls with the place.
        scales.reverse();
        excess.reverse();
        let smallest_lag = largest_lag - (ALIGNMENT as i64 - 1);
        windows::add_beyond(shared.path, &mut excess, residual, near.reach, smallest_lag, &scales, &large.whole);
        excess.reverse();
        let mut errors = excess;
        for (error, (excess, sum)) in errors.iter_mut().zip(excess.into_iter().zip(sums)) {
            *error = terms.error - side * (terms.delta * sum.abs()) + 2.0 * excess;
        }
        errors
    }

    /// Appends the options of a block whose errors may be as low as the threshold, and lowers that.
    fn evaluate(&self, block: &Block, terms: &Terms, threshold: &mut f64, candidates: &mut Vec<Candidate>) {
        let &Block { predictor, first, side, .. } = block;
        let off = terms.bound.option(terms.delta, self.shared.sums[predictor]);
        let sums = &self.sums[predictor * self.shared.width..][first..self.shared.count(predictor)];
        for (place, (error, &sum)) in (first..).zip(self.errors(block, terms).into_iter().zip(sums)) {
            if error - off <= *threshold {
                candidates.push(Candidate { predictor, place, sign: side * sign_of(sum), error, off });
                *threshold = threshold.min(error + off);
            }
        }
    }

    /// The block of the option with the largest `|G|`.
    fn most_promising(&self, active: &[bool]) -> Option<Block> {
        let mut best: Option<(f64, usize, usize)> = None;
        for predictor in active_of(active) {
            let sums = &self.sums[predictor * self.shared.width..][..self.shared.count(predictor)];
            let largest = sums.iter().fold(0.0_f64, |largest, sum| largest.max(sum.abs()));
            if !sums.is_empty() && best.is_none_or(|(best, ..)| largest > best) {
                let place = sums.iter().position(|sum| sum.abs() == largest)?;
                best = Some((largest, predictor, place));
            }
        }
        let (_, predictor, place) = best?;
        Some(Block { predictor, first: place / ALIGNMENT * ALIGNMENT, side: 1.0, least: 0.0 })
    }

    /// All options that may have the smallest error. `None` if there is no option at all.
    pub(super) fn collect_candidates(&mut self, active: &[bool], terms: &Terms) -> Option<()> {
        let best = self.most_promising(active)?;
        let mut threshold = f64::INFINITY;
        let mut candidates = std::mem::take(&mut self.room.candidates);
        candidates.clear();
        self.evaluate(&best, terms, &mut threshold, &mut candidates);
        let mut blocks = std::mem::take(&mut self.room.blocks);
        blocks.clear();
        for predictor in active_of(active) {
            self.collect_blocks(predictor, terms, threshold, &mut blocks);
        }
        blocks.retain(|block| (block.predictor, block.first, block.side) != (best.predictor, best.first, best.side));
        blocks.sort_unstable_by(|a, b| a.least.total_cmp(&b.least));
        for block in &blocks {
            if block.least > threshold {
                break;
            }
            self.evaluate(block, terms, &mut threshold, &mut candidates);
        }
        candidates.retain(|candidate| candidate.error - candidate.off <= threshold);
        (self.room.candidates, self.room.blocks) = (candidates, blocks);
        Some(())
    }

    /// Appends the blocks of a predictor that have an option whose lower bound is not above the
    /// threshold.
    fn collect_blocks(&mut self, predictor: usize, terms: &Terms, threshold: f64, blocks: &mut Vec<Block>) {
        let &Terms { bound, error, delta } = terms;
        let Self { shared, near, sums, room: Room { scales, excess, .. }, .. } = self;
        let off = bound.option(delta, shared.sums[predictor]);
        let sums = &sums[predictor * shared.width..][..shared.count(predictor)];
        let may_be = |sum: &f64| error - delta * sum.abs() - off <= threshold;
        let (Some(first), Some(last)) = (sums.iter().position(may_be), sums.iter().rposition(may_be)) else { return };
        let first = first / ALIGNMENT * ALIGNMENT;
        let lanes = (last + 1 - first).next_multiple_of(ALIGNMENT);
        let (scales, excess) = (&mut scales[..lanes], &mut excess[..lanes]);
        excess.fill(0.0);
        scales.fill(0.0);
        scales.iter_mut().zip(&sums[first..]).for_each(|(scale, &sum)| *scale = delta * sign_of(sum));
        let largest_lag = shared.largest_lag(predictor) - first as i64;
        windows::add_excess(shared.path, excess, shared.row(predictor), largest_lag, scales, &near.nearest);
        let of_blocks = sums[first..].chunks(ALIGNMENT).zip(excess.chunks(ALIGNMENT));
        for (first, (sums, excess)) in (first..).step_by(ALIGNMENT).zip(of_blocks) {
            // Of the opposite signs only so much is known.
            let (mut least, mut opposite) = (f64::INFINITY, f64::INFINITY);
            for (sum, excess) in sums.iter().zip(excess) {
                least = least.min(error - delta * sum.abs() + 2.0 * excess - off);
                opposite = opposite.min(error + delta * sum.abs() - off);
            }
            for (side, least) in [(1.0, least), (-1.0, opposite)] {
                if least <= threshold {
                    blocks.push(Block { predictor, first, side, least });
                }
            }
        }
    }
}
