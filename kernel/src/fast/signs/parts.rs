//! Which errors a sample counts in: what lets one pass over the residual also sum its errors.

use std::ops::Range;

use crate::{Error, Split, memory};

/// Samples side by side that count alike.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    pub(super) samples: Range<usize>,
    /// How often they count in the training error and in that of the validation segments.
    pub(super) counts: Magnitudes,
    /// Whether steps change them.
    pub(super) updated: bool,
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

/// The parts of a recording, in order.
pub(super) fn parts(split: &Split<'_>, samples: usize) -> Result<Vec<Part>, Error> {
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
        if sample > start && (sample == samples || *change != [0.0; 3]) {
            let [train, validate, updated] = counts;
            let counts = Magnitudes { train, validate };
            memory::push(&mut parts, Part { samples: start..sample, counts, updated: updated > 0.0 })?;
            start = sample;
        }
        counts.iter_mut().zip(change).for_each(|(count, change)| *count += change);
    }
    Ok(parts)
}

/// Those that have samples in a range, with these samples.
pub(super) fn within(parts: &[Part], range: Range<usize>) -> impl Iterator<Item = (Range<usize>, Magnitudes)> {
    let first = parts.partition_point(|part| part.samples.end <= range.start);
    let met = parts[first..].iter().take_while(move |part| part.samples.start < range.end);
    met.map(move |part| (part.samples.start.max(range.start)..part.samples.end.min(range.end), part.counts))
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
        let parts = parts(&Split { train, validate, train_and_validate }, 12).unwrap();
        let found: Vec<_> = parts
            .iter()
            .map(|part| (part.samples.clone(), part.counts.train, part.counts.validate, part.updated))
            .collect();
        let expected = [
            (0..3, 1.0, 0.0, true),
            (3..4, 0.0, 1.0, true),
            (4..5, 0.0, 2.0, true),
            (5..6, 0.0, 1.0, true),
            (6..9, 1.0, 0.0, true),
            (9..10, 0.0, 0.0, true),
            (10..11, 0.0, 0.0, false),
            (11..12, 0.0, 1.0, false),
        ];
        assert_eq!(found, expected);

        let met = |range| within(&parts, range).map(|(samples, _)| samples).collect::<Vec<_>>();
        assert_eq!(met(2..5), [2..3, 3..4, 4..5]);
        assert_eq!(met(7..8), vec![7..8]);
        assert_eq!(met(3..3), []);
        assert_eq!(met(11..12), vec![11..12]);
    }
}
