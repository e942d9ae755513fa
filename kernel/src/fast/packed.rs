//! Predictors laid out by time.
//!
//! All predictors of a sample stand side by side, so that what a sample sees at all lags of all
//! predictors, its *window*, is one contiguous run: the rows of the samples `t - last_lag` to
//! `t - first_lag`. Within a segment the window is a slice of the packed predictors; near the ends
//! of a segment, where it sees pads, it is a slice of a margin that was laid out with them.
//!
//! Packed once per call, for all signals and splits. Margins belong to a segment and are short.

use std::ops::Range;

use ndarray::{ArrayView1, Axis};

use crate::{Error, Predictors, memory};

/// Numbers that begin at a cache line: a vector that spans two lines takes twice as long to load,
/// and with eight predictors or a multiple all windows begin where their row does.
struct Aligned {
    values: Vec<f64>,
    start: usize,
}

impl Aligned {
    const LINE: usize = 64;

    /// `length` zeros.
    fn zeros(length: usize) -> Result<Self, Error> {
        let mut zeros = Self::with_capacity(length)?;
        zeros.values.resize(zeros.start + length, 0.0);
        Ok(zeros)
    }

    /// None yet, and room for `length`.
    fn with_capacity(length: usize) -> Result<Self, Error> {
        let mut values = memory::with_capacity::<f64>(length + Self::LINE / size_of::<f64>())?;
        // The library may say that it cannot tell, which is usize::MAX.
        let start = values.as_ptr().align_offset(Self::LINE).min(Self::LINE / size_of::<f64>());
        values.resize(start, 0.0);
        Ok(Self { values, start })
    }

    /// Within the room that there is.
    fn extend(&mut self, values: &[f64]) {
        debug_assert!(self.values.len() + values.len() <= self.values.capacity());
        self.values.extend_from_slice(values);
    }

    fn as_slice(&self) -> &[f64] {
        &self.values[self.start..]
    }

    fn as_mut_slice(&mut self) -> &mut [f64] {
        &mut self.values[self.start..]
    }
}

/// How many numbers are packed at a time: 16 KiB.
const BLOCK: usize = 1 << 11;

/// How many predictors are packed at a time: what they have at a sample is written as one.
const LANES: usize = 8;

/// Writes up to eight predictors, from `first` on, into rows of all of them.
fn pack(predictors: &Predictors<'_>, first: usize, samples: Range<usize>, rows: &mut [f64]) {
    let (x, count) = (predictors.x(), predictors.len());
    let of = |predictor: usize| crate::stretch::of(x.index_axis_move(Axis(0), predictor), samples.clone());
    let lanes: [_; LANES] = std::array::from_fn(|lane| of((first + lane).min(count - 1)));
    let inside = LANES.min(count - first);
    if let [Some(a), Some(b), Some(c), Some(d), Some(e), Some(f), Some(g), Some(h)] =
        lanes.each_ref().map(ArrayView1::to_slice)
        && inside == LANES
    {
        // Of a length that the compiler knows: one store for all.
        let all = a.iter().zip(b).zip(c.iter().zip(d)).zip(e.iter().zip(f).zip(g.iter().zip(h)));
        for (row, (((a, b), (c, d)), ((e, f), (g, h)))) in rows.chunks_exact_mut(count).zip(all) {
            row[first..first + LANES].copy_from_slice(&[*a, *b, *c, *d, *e, *f, *g, *h]);
        }
        return;
    }
    for (lane, samples) in lanes.iter().enumerate().take(inside) {
        let column = rows[first + lane..].iter_mut().step_by(count);
        column.zip(samples).for_each(|(packed, &x)| *packed = x);
    }
}

/// All predictors by time, `[T, n]`.
pub(crate) struct Packed {
    rows: Aligned,
    /// The number of predictors `n`, the length of a row.
    count: usize,
}

impl Packed {
    pub(crate) fn new(predictors: &Predictors<'_>) -> Result<Self, Error> {
        let (count, samples) = (predictors.len(), predictors.samples());
        let bytes = Error::OutOfMemory { bytes: u64::MAX };
        let length = count.checked_mul(samples).ok_or(bytes)?;
        let mut rows = Aligned::with_capacity(length)?;
        // In blocks that stay in the first cache, and from there to memory that nobody has cleared before.
        let of_block = (BLOCK / count.max(1)).next_multiple_of(LANES);
        let mut block = memory::filled(of_block * count, 0.0)?;
        for start in (0..samples).step_by(of_block.max(1)) {
            let samples = start..samples.min(start + of_block);
            let block = &mut block[..samples.len() * count];
            for first in (0..count).step_by(LANES) {
                pack(predictors, first, samples.clone(), block);
            }
            rows.extend(block);
        }
        Ok(Self { rows, count })
    }

    /// The rows of some samples.
    pub(crate) fn rows(&self, samples: Range<usize>) -> &[f64] {
        &self.rows.as_slice()[samples.start * self.count..samples.end * self.count]
    }
}

/// A segment of the packed predictors, with pads on either side.
pub(crate) struct Padded {
    segment: Range<i64>,
    /// Rows from the first pad on.
    head: Margin,
    /// Rows to the last pad.
    tail: Margin,
}

/// Consecutive rows, pads and samples.
struct Margin {
    rows: Aligned,
    /// Its first row's place, in samples of the signal.
    first: i64,
}

impl Padded {
    /// With `margin` rows of pads on either side. No window is to be longer than `longest` rows.
    pub(crate) fn new(
        packed: &Packed,
        pads: &[f64],
        segment: &Range<usize>,
        margin: usize,
        longest: usize,
    ) -> Result<Self, Error> {
        let inside = segment.len().min(longest);
        // A segment that no window fits in is all margin.
        let (head, tail) = (segment.start..segment.start + inside, segment.end - inside..segment.end);
        let whole = segment.len() <= 2 * longest;
        let head = if whole { segment.clone() } else { head };
        let after = if whole { margin } else { 0 };
        let segment = segment.start as i64..segment.end as i64;
        Ok(Self {
            head: Margin::new(packed, pads, margin, head, after)?,
            tail: Margin::new(packed, pads, 0, tail, margin)?,
            segment,
        })
    }

    /// Calls `run` with stretches of the samples `t` of `samples`, in order, and with rows that
    /// hold their windows: that of the stretch's sample `u` begins `u` rows in, with the row of
    /// the largest of `lags`, and has one row per lag.
    pub(crate) fn windows<'a>(
        &'a self,
        packed: &'a Packed,
        samples: Range<i64>,
        lags: &Range<i64>,
        mut run: impl FnMut(Range<i64>, &'a [f64]),
    ) {
        let (largest, smallest) = (lags.end - 1, lags.start);
        // Windows that begin before the segment, that end after it, and that lie inside.
        let first_inside = (self.segment.start + largest).clamp(samples.start, samples.end);
        let end_inside = (self.segment.end + smallest).clamp(first_inside, samples.end);
        let parts = [samples.start..first_inside, first_inside..end_inside, end_inside..samples.end];
        for (index, part) in parts.into_iter().enumerate() {
            if part.is_empty() {
                continue;
            }
            let (first, end) = (part.start - largest, part.end - smallest);
            let rows = match index {
                1 => packed.rows(first as usize..end as usize), // inside of a segment, not negative
                // One that begins before the segment ends within `longest` rows of its start.
                0 => self.head.rows(first, end, packed.count),
                _ => self.tail.rows(first, end, packed.count),
            };
            run(part, rows);
        }
    }
}

impl Margin {
    fn new(packed: &Packed, pads: &[f64], before: usize, samples: Range<usize>, after: usize) -> Result<Self, Error> {
        let first = samples.start as i64 - before as i64;
        let count = packed.count;
        let length = (before + samples.len() + after) * count;
        let mut rows = Aligned::zeros(length)?;
        let (head, rest) = rows.as_mut_slice()[..length].split_at_mut(before * count);
        let (inside, tail) = rest.split_at_mut(samples.len() * count);
        inside.copy_from_slice(packed.rows(samples));
        if count > 0 {
            head.chunks_mut(count).chain(tail.chunks_mut(count)).for_each(|row| row.copy_from_slice(pads));
        }
        Ok(Self { rows, first })
    }

    fn rows(&self, first: i64, end: i64, count: usize) -> &[f64] {
        let at = |row: i64| (row - self.first) as usize * count;
        &self.rows.as_slice()[at(first)..at(end)]
    }
}
