//! The parts of a list of segments, and what about them does not hang on a signal.

use std::ops::Range;

use super::bound::{self, Precision};
use super::spectra::Spectra;
use crate::fast::packed::{Packed, Padded};
use crate::team::Team;
use crate::vectors::Path;
use crate::{Error, Lags, Predictors, Segments, memory};

/// The lags of a fit, all predictors together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub(super) first: i64,
    /// One past the last.
    pub(super) end: i64,
}

impl Reach {
    pub(super) fn of(lags: &Lags<'_>) -> Self {
        Self { first: lags.i_start(), end: lags.i_start() + lags.columns() as i64 }
    }

    pub(super) fn lags(self) -> Range<i64> {
        self.first..self.end
    }

    /// The differences of two lags.
    pub(super) fn differences(self) -> Range<i64> {
        let width = self.end - self.first;
        1 - width..width
    }

    /// How far beyond a segment windows can reach.
    fn margin(self) -> usize {
        (self.end.max(0) + self.end - self.first + (-self.first).max(0)) as usize
    }
}

/// The predictors and lags of a call.
pub(super) struct Basis<'a> {
    /// With contiguous rows.
    pub(super) predictors: Predictors<'a>,
    pub(super) packed: Packed,
    pub(super) pads: Vec<f64>,
    pub(super) reach: Reach,
    pub(super) path: Path,
    /// Those of the sections of all lists, once these are made.
    pub(super) margins: Margins,
    pub(super) team: Team<'a>,
}

impl<'a> Basis<'a> {
    pub(super) fn new(predictors: Predictors<'a>, lags: &Lags<'_>, team: Team<'a>) -> Result<Self, Error> {
        let mut pads = memory::with_capacity(predictors.len())?;
        pads.extend(predictors.pads().iter());
        let packed = Packed::new(&predictors)?;
        let (reach, path, margins) = (Reach::of(lags), Path::best(), Margins::default());
        Ok(Self { predictors, packed, pads, reach, path, team, margins })
    }

    /// The number of sums in a window of all lags.
    pub(super) fn options(&self) -> usize {
        self.reach.lags().count() * self.pads.len()
    }

    /// Where the option of a predictor and column is among the sums of a window.
    pub(super) fn index(&self, predictor: usize, column: usize) -> usize {
        (self.reach.lags().count() - 1 - column) * self.pads.len() + predictor
    }

    /// The predictor and column of one of the sums of a window.
    pub(super) fn option(&self, index: usize) -> (usize, usize) {
        let row = index / self.pads.len();
        (index % self.pads.len(), self.reach.lags().count() - 1 - row)
    }

    /// A section's samples with pads on either side.
    pub(super) fn padded(&self, section: &Section) -> &Padded {
        &self.margins.all[section.place]
    }

    /// The samples of a predictor.
    pub(super) fn samples(&self, predictor: usize, range: Range<usize>) -> &[f64] {
        let row = self.predictors.x().index_axis_move(ndarray::Axis(0), predictor);
        &row.to_slice().expect("rows were made contiguous")[range]
    }
}

/// A segment, and the one of `train_and_validate` that it is in.
pub(super) struct Section {
    pub(super) samples: Range<usize>,
    pub(super) updated: Range<usize>,
    /// Its number among the different segments of a call, and so among the [`Margins`].
    pub(super) place: usize,
}

/// The margins of all segments of a call, numbered: splits have most of their segments in common.
#[derive(Default)]
pub(super) struct Margins {
    all: Vec<Padded>,
    /// Start and end of each segment and its number, sorted.
    places: Vec<(usize, usize, usize)>,
}

impl Margins {
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// The number of those of a segment, which are made if it is a new one.
    fn place(&mut self, segment: &Range<usize>, make: impl FnOnce() -> Result<Padded, Error>) -> Result<usize, Error> {
        let key = (segment.start, segment.end);
        let index = match self.places.binary_search_by_key(&key, |&(start, end, _)| (start, end)) {
            Ok(index) => return Ok(self.places[index].2),
            Err(index) => index,
        };
        let place = self.all.len();
        memory::push(&mut self.all, make()?)?;
        memory::push(&mut self.places, (key.0, key.1, place))?;
        self.places[index..].rotate_right(1);
        Ok(place)
    }
}

impl Section {
    /// What a sample sees of a predictor when the residual is updated.
    pub(super) fn update(&self, basis: &Basis<'_>, predictor: usize, lag: i64, sample: i64) -> f64 {
        match usize::try_from(sample - lag) {
            Ok(source) if self.updated.contains(&source) => basis.predictors.x()[[predictor, source]],
            _ => basis.pads[predictor],
        }
    }

    /// What a sample sees of a predictor when errors are summed.
    pub(super) fn seen(&self, basis: &Basis<'_>, predictor: usize, lag: i64, sample: i64) -> f64 {
        match usize::try_from(sample - lag) {
            Ok(source) if self.samples.contains(&source) => basis.predictors.x()[[predictor, source]],
            _ => basis.pads[predictor],
        }
    }

    /// The samples that may see something else when the residual is updated: where the updated
    /// segment goes on beyond this one, those that a lag can bring its samples to.
    pub(super) fn edges(&self, basis: &Basis<'_>) -> [Range<usize>; 2] {
        let (a, b) = (self.samples.start, self.samples.end);
        let lags = basis.reach.lags();
        let reach = |lag: i64| (lag.max(0) as usize).min(b - a);
        let head = if self.updated.start < a { reach(lags.end - 1) } else { 0 };
        let tail = if self.updated.end > b { reach(-lags.start) } else { 0 };
        // Where the two meet, the head has what both would have.
        [a..a + head, (b - tail).max(a + head)..b]
    }

    /// Whether sums over all of it take no longer than sums at its ends.
    pub(super) fn is_short(&self, basis: &Basis<'_>) -> bool {
        let lags = basis.reach.lags();
        self.samples.len() as i64 <= 2 * lags.end.max(-lags.start)
    }

    /// Its samples, as windows count them.
    pub(super) fn range(&self) -> Range<i64> {
        self.samples.start as i64..self.samples.end as i64
    }

    /// Its samples in stretches after each of which one can ask whether to go on, some milliseconds
    /// long for windows of so many sums.
    pub(super) fn stretches(&self, window: usize) -> impl Iterator<Item = Range<i64>> + use<> {
        const PRODUCTS: usize = 1 << 25;
        let range = self.range();
        let longest = (PRODUCTS / window.max(1)).clamp(1 << 8, 1 << 15);
        range.clone().step_by(longest).map(move |start| start..range.end.min(start + longest as i64))
    }
}

/// A list of segments.
pub(super) struct List {
    pub(super) sections: Vec<Section>,
    /// `q` for each of the sums of a window.
    pub(super) squares: Vec<f64>,
    /// `R` for each predictor.
    pub(super) norms: Vec<f64>,
    pub(super) precision: Precision,
}

impl List {
    /// `None` if the correlations of this list cannot be carried along: where segments of
    /// `updated` overlap, or a segment of the list is not one of them, a step changes the residual
    /// by something else than the shifted predictor; or where the bounds do not hold.
    pub(super) fn new(
        basis: &Basis<'_>,
        margins: &mut Margins,
        list: &Segments<'_>,
        updated: &Segments<'_>,
    ) -> Result<Option<Self>, Error> {
        let Some(ranges) = pair(list, updated)? else { return Ok(None) };
        let (margin, longest) = (basis.reach.margin(), 2 * basis.reach.lags().count());
        let mut sections = memory::with_capacity(ranges.len())?;
        for (samples, updated) in ranges {
            let place =
                margins.place(&samples, || Padded::new(&basis.packed, &basis.pads, &samples, margin, longest))?;
            sections.push(Section { samples, updated, place });
        }
        let terms: usize = sections.iter().map(|section: &Section| section.samples.len() + 2 * margin).sum();
        let terms = terms + Spectra::terms(basis, terms, sections.len());
        let precision = Precision::of_terms(terms);
        let mut squares = memory::filled(basis.options(), 0.0)?;
        let mut norms = memory::with_capacity(basis.pads.len())?;
        for (predictor, &pad) in basis.pads.iter().enumerate() {
            let mut total = Squares::default();
            for section in &sections {
                let inside = basis.samples(predictor, section.samples.clone());
                let sum = Squares::of(inside);
                total.add(sum);
                total.add_pads(pad, 2 * margin);
                let first = section.samples.start.saturating_sub(margin).max(section.updated.start);
                total.add(Squares::of(basis.samples(predictor, first..section.samples.start)));
                let end = (section.samples.end + margin).min(section.updated.end);
                total.add(Squares::of(basis.samples(predictor, section.samples.end..end)));
                add_squares(basis, predictor, inside, sum.sum, &mut squares);
            }
            let norm = precision.norm(total.sum);
            if total.is_lost() || !bound::is_safe(norm) {
                return Ok(None);
            }
            norms.push(norm);
        }
        Ok(Some(Self { sections, squares, norms, precision }))
    }
}

/// A sum of squares.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Squares {
    pub(super) sum: f64,
    some: bool,
}

impl Squares {
    /// Of any numbers, in eight sums.
    pub(super) fn of(values: &[f64]) -> Self {
        let mut sums = [0.0; 8];
        let (chunks, rest) = values.as_chunks::<8>();
        for chunk in chunks {
            sums.iter_mut().zip(chunk).for_each(|(sum, value)| *sum += value * value);
        }
        let rest: f64 = rest.iter().map(|value| value * value).sum();
        let sum = sums.into_iter().sum::<f64>() + rest;
        Self { sum, some: sum > 0.0 || values.iter().any(|&value| value != 0.0) }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.sum += other.sum;
        self.some |= other.some;
    }

    fn add_pads(&mut self, pad: f64, count: usize) {
        self.add(Self { sum: count as f64 * pad * pad, some: count > 0 && pad != 0.0 });
    }

    /// Whether the squares of numbers other than 0 vanished.
    pub(super) fn is_lost(&self) -> bool {
        self.some && self.sum == 0.0
    }
}

/// Adds one segment's `q` for all lags of a predictor: all squares, without those that are shifted
/// out of the segment, with the pads that are shifted in.
fn add_squares(basis: &Basis<'_>, predictor: usize, samples: &[f64], sum: f64, squares: &mut [f64]) {
    let pad = basis.pads[predictor];
    let columns = basis.reach.lags();
    for towards_end in [true, false] {
        let mut shifted_out = 0.0;
        let longest = if towards_end { columns.end - 1 } else { -columns.start };
        for distance in 0..=longest.max(0) as usize {
            let beyond = distance > samples.len();
            if distance > 0 && !beyond {
                let value = if towards_end { samples[samples.len() - distance] } else { samples[distance - 1] };
                shifted_out += value * value;
            }
            let lag = if towards_end { distance as i64 } else { -(distance as i64) };
            if columns.contains(&lag) && (towards_end || lag != 0) {
                let pads = distance.min(samples.len());
                let kept = if pads == samples.len() { 0.0 } else { sum - shifted_out };
                squares[basis.index(predictor, (lag - columns.start) as usize)] += kept + pads as f64 * pad * pad;
            }
        }
    }
}

/// A segment, and the one that it is in.
type Pair = (Range<usize>, Range<usize>);

/// Each segment of a list that has samples, with the one of `updated` that it is in.
fn pair(list: &Segments<'_>, updated: &Segments<'_>) -> Result<Option<Vec<Pair>>, Error> {
    let Some(blocks) = updated.disjoint()? else { return Ok(None) };
    let pairs = list.iter().filter(|segment| !segment.is_empty()).map(|segment| {
        let index = blocks.partition_point(|block| block.start <= segment.start).checked_sub(1)?;
        (segment.end <= blocks[index].end).then(|| (segment, blocks[index].clone()))
    });
    // Up to the first that is in none of them.
    let mut whole = true;
    let pairs = memory::collected(pairs.map_while(|pair| {
        whole = pair.is_some();
        pair
    }))?;
    Ok(whole.then_some(pairs))
}
