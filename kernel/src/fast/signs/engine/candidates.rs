//! Which options may be the best, from estimates.

use super::{ALIGNMENT, Bound, NONE, Near, Room, Signs, active_of, sign_of, windows};

/// An option that is not excluded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) predictor: usize,
    /// Its place among the predictor's sums.
    pub(super) place: usize,
    pub(super) sign: f64,
    /// The estimate of its error; a lower bound while it is not complete.
    pub(super) error: f64,
    pub(super) off: f64,
    pub(super) complete: bool,
}

impl Candidate {
    fn option(&self) -> (usize, usize, bool) {
        (self.predictor, self.place, self.sign < 0.0)
    }
}

impl Signs<'_, '_> {
    /// The sum `R` of an option.
    fn excess(&self, predictor: usize, place: usize, scale: f64) -> f64 {
        let Self { shared, train, .. } = self;
        let row = shared.row(predictor);
        let largest_lag = shared.largest_lag(predictor);
        let window = |position: u32| (i64::from(position) - largest_lag) as usize + place;
        let of = |near: &Near| {
            let towards = near.sign * (scale * row[window(near.position)]);
            0.0_f64.max(towards - near.magnitude)
        };
        let near = sum_of(&self.nearest, of) + sum_of(&self.near, of);
        // The samples beyond reach at which the predictor is large.
        let lag = largest_lag - place as i64;
        let beyond = |&large: &u32| {
            let position = (i64::from(large) + lag) as usize; // if it is negative, none that exists
            let sample = train.sample_at.get(position).copied().unwrap_or(NONE);
            if sample == NONE {
                return 0.0;
            }
            let y = self.residual[sample as usize];
            let excess = sign_of(y) * (scale * row[large as usize]) - y.abs();
            if y.abs() > self.reach { 0.0_f64.max(excess) } else { 0.0 }
        };
        near + sum_of(&shared.large[predictor], beyond)
    }

    /// Evaluates an option completely.
    pub(super) fn complete(&self, candidate: &mut Candidate, bound: &Bound, error: f64, delta: f64) {
        let Candidate { predictor, place, sign, .. } = *candidate;
        let sum = self.sums[predictor * self.width + place];
        let excess = self.excess(predictor, place, sign * delta);
        candidate.error = error - sign * (delta * sum) + 2.0 * excess;
        candidate.off = bound.option(delta, self.shared.sums[predictor]);
        candidate.complete = true;
    }

    /// The option with the largest `|G|`.
    fn most_promising(&self, active: &[bool]) -> Option<Candidate> {
        let mut best: Option<(f64, usize, usize)> = None;
        for predictor in active_of(active) {
            let sums = &self.sums[predictor * self.width..][..self.shared.count(predictor)];
            let largest = sums.iter().fold(0.0_f64, |largest, sum| largest.max(sum.abs()));
            if !sums.is_empty() && best.is_none_or(|(best, ..)| largest > best) {
                let place = sums.iter().position(|sum| sum.abs() == largest)?;
                best = Some((largest, predictor, place));
            }
        }
        let (_, predictor, place) = best?;
        let sign = sign_of(self.sums[predictor * self.width + place]);
        Some(Candidate { predictor, place, sign, error: 0.0, off: 0.0, complete: false })
    }

    /// All options that may have the smallest error, completely evaluated. `None` if there is no
    /// option at all.
    pub(super) fn collect_candidates(&mut self, active: &[bool], delta: f64, bound: &Bound, error: f64) -> Option<()> {
        let mut first = self.most_promising(active)?;
        self.complete(&mut first, bound, error, delta);
        let mut threshold = first.error + first.off;
        let mut candidates = std::mem::take(&mut self.room.candidates);
        candidates.clear();
        for predictor in active_of(active) {
            self.collect_of_predictor(
                predictor,
                (delta, error, bound.option(delta, self.shared.sums[predictor])),
                threshold,
                &mut candidates,
            );
        }
        candidates.sort_unstable_by(|a, b| a.error.total_cmp(&b.error));
        for candidate in &mut candidates {
            if candidate.error - candidate.off > threshold {
                continue;
            }
            match candidate.option() == first.option() {
                true => *candidate = first,
                false => self.complete(candidate, bound, error, delta),
            }
            threshold = threshold.min(candidate.error + candidate.off);
        }
        candidates.retain(|candidate| candidate.complete && candidate.error - candidate.off <= threshold);
        self.room.candidates = candidates;
        Some(())
    }

    /// Appends the options of a predictor whose lower bound is not above the threshold.
    fn collect_of_predictor(
        &mut self,
        predictor: usize,
        (delta, error, off): (f64, f64, f64),
        threshold: f64,
        candidates: &mut Vec<Candidate>,
    ) {
        let Self { shared, nearest, sums, width, room: Room { scales, excess, .. }, .. } = self;
        let sums = &sums[predictor * *width..][..shared.count(predictor)];
        let may_be = |sum: &f64| error - delta * sum.abs() - off <= threshold;
        let (Some(first), Some(last)) = (sums.iter().position(may_be), sums.iter().rposition(may_be)) else { return };
        let first = first / ALIGNMENT * ALIGNMENT;
        let lanes = (last + 1 - first).next_multiple_of(ALIGNMENT);
        let (scales, excess) = (&mut scales[..lanes], &mut excess[..lanes]);
        excess.fill(0.0);
        scales.fill(0.0);
        scales.iter_mut().zip(&sums[first..]).for_each(|(scale, &sum)| *scale = delta * sign_of(sum));
        let largest_lag = shared.largest_lag(predictor) - first as i64;
        windows::add_excess(shared.path, excess, shared.row(predictor), largest_lag, scales, nearest);
        for (place, &sum) in sums.iter().enumerate().take(last + 1).skip(first) {
            let candidate = Candidate { predictor, place, sign: sign_of(sum), error: 0.0, off, complete: false };
            let with_excess = error - delta * sum.abs() + 2.0 * excess[place - first];
            // Of the other sign only this much is known.
            let other = error + delta * sum.abs();
            for (sign, error) in [(candidate.sign, with_excess), (-candidate.sign, other)] {
                if error - off <= threshold {
                    candidates.push(Candidate { sign, error, ..candidate });
                }
            }
        }
    }
}

/// A sum in four accumulators, none of which waits for another.
fn sum_of<T>(terms: &[T], of: impl Fn(&T) -> f64) -> f64 {
    let mut sums = [0.0; 4];
    let mut chunks = terms.chunks_exact(sums.len());
    for chunk in &mut chunks {
        sums.iter_mut().zip(chunk).for_each(|(sum, term)| *sum += of(term));
    }
    sums.into_iter().sum::<f64>() + chunks.remainder().iter().map(of).sum::<f64>()
}
