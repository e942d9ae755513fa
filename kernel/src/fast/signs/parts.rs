//! Samples that are alike: in the errors that they count in, which lets one pass over the residual also sum
//! its errors, and in where they are laid out.

use std::ops::Range;

use super::shared::NONE;
use crate::{Error, Split, memory};

/// Samples side by side that count alike, and have positions side by side.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    pub(super) samples: Range<usize>,
    /// How often they count in the training error and in that of the validation segments.
    pub(super) counts: Magnitudes,
    /// Whether steps change them.
    pub(super) updated: bool,
    /// The position of the first, [`NONE`] if they are not trained on.
    pub(super) position: u32,
}

impl Part {
    /// The samples that are in a range as well; it has some of them.
    fn within(&self, range: &Range<usize>) -> Self {
        let samples = self.samples.start.max(range.start)..self.samples.end.min(range.end);
        let position = if self.is_trained() { self.position_of(samples.start) } else { NONE };
        Self { samples, position, ..self.clone() }
    }

    pub(super) fn is_trained(&self) -> bool {
        self.position != NONE
    }

    /// The position of one of the samples, if they have any.
    #[inline(always)]
    pub(super) fn position_of(&self, sample: usize) -> u32 {
        self.position + (sample - self.samples.start) as u32
    }
}

/// A number for the training segments and one for the validation segments: sums of magnitudes, or what
/// each counts in them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Magnitudes {
    pub(super) train: f64,
    pub(super) validate: f64,
}

impl Magnitudes {
    /// Adds a sum of magnitudes as often as it counts.
    pub(super) fn add(&mut self, sum: f64, counts: Self) {
        self.train += counts.train * sum;
        self.validate += counts.validate * sum;
    }
}

/// The parts of a recording, in order. `position_of` is of each sample.
pub(super) fn parts(split: &Split<'_>, position_of: &[u32]) -> Result<Vec<Part>, Error> {
    let samples = position_of.len();
    // By how much a count differs from that of the sample before.
    let mut changes = memory::filled(samples + 1, [0.0; 3])?;
    let lists = [split.train, split.validate, split.train_and_validate];
    for (which, segments) in lists.iter().enumerate() {
        for segment in segments.iter().filter(|segment| !segment.is_empty()) {
            changes[segment.start][which] += 1.0;
            changes[segment.end][which] -= 1.0;
        }
    }
    let (mut parts, mut start, mut counts) = (Vec::new(), 0, [0.0; 3]);
    for (sample, change) in changes.iter().enumerate() {
        // Where samples begin or cease to be trained on, a count changes.
        let goes_on = |sample: usize| [position_of[sample - 1].saturating_add(1), NONE].contains(&position_of[sample]);
        if sample > start && (sample == samples || *change != [0.0; 3] || !goes_on(sample)) {
            let [train, validate, updated] = counts;
            let (counts, position) = (Magnitudes { train, validate }, position_of[start]);
            memory::push(&mut parts, Part { samples: start..sample, counts, updated: updated > 0.0, position })?;
            start = sample;
        }
        counts.iter_mut().zip(change).for_each(|(count, change)| *count += change);
    }
    Ok(parts)
}

/// Those that have samples in a range, as far as they are in it.
pub(super) fn within(parts: &[Part], range: Range<usize>) -> impl Iterator<Item = Part> {
    let first = parts.partition_point(|part| part.samples.end <= range.start);
    let next = range.end;
    parts[first..].iter().take_while(move |part| part.samples.start < next).map(move |part| part.within(&range))
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;
    use crate::Segments;

    #[test]
    fn samples_are_divided_by_what_they_count_in() {
        let (train, validate, both) =
            (array![[6, 9], [0, 3], [5, 5]], array![[3, 6], [4, 5], [11, 12]], array![[0, 6], [6, 10]]);
        let segments = [&train, &validate, &both].map(|rows| Segments::new("split", rows.view(), 12).unwrap());
        let [train, validate, train_and_validate] = segments;
        let position_of = [0, 1, 20, NONE, NONE, NONE, 6, 7, 8, NONE, NONE, NONE];
        let parts = parts(&Split { train, validate, train_and_validate }, &position_of).unwrap();
        let found: Vec<_> = parts
            .iter()
            .map(|part| (part.samples.clone(), part.counts.train, part.counts.validate, part.updated))
            .collect();
        let positions: Vec<_> = parts.iter().map(|part| part.position).collect();
        assert_eq!(positions, [0, 20, NONE, NONE, NONE, 6, NONE, NONE, NONE]);
        let expected = [
            (0..2, 1.0, 0.0, true),
            (2..3, 1.0, 0.0, true),
            (3..4, 0.0, 1.0, true),
            (4..5, 0.0, 2.0, true),
            (5..6, 0.0, 1.0, true),
            (6..9, 1.0, 0.0, true),
            (9..10, 0.0, 0.0, true),
            (10..11, 0.0, 0.0, false),
            (11..12, 0.0, 1.0, false),
        ];
        assert_eq!(found, expected);

        let met = |range| within(&parts, range).map(|part| (part.samples, part.position)).collect::<Vec<_>>();
        assert_eq!(met(1..5), [(1..2, 1), (2..3, 20), (3..4, NONE), (4..5, NONE)]);
        assert_eq!(met(7..8), [(7..8, 7)]);
        assert_eq!(met(3..3), []);
        assert_eq!(met(11..12), [(11..12, NONE)]);
    }
}
