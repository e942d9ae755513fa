//! Samples found by vectors: which lanes of eight, as the bits of a byte, and the list of samples from them.
//!
//! A list is written eight entries at a time, those of a table, of which as many stay as lanes were found: no
//! branch depends on what no processor can predict.

use pulp::Simd;
use pulp::bytemuck;

use super::kept::Kept;
use crate::Error;

/// How many samples are found at once.
pub(super) const CHUNK: usize = 8;

/// Samples that were found among [`CHUNK`] from the first on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Found {
    pub(super) first: u32,
    /// The lowest bit is that of the first sample.
    pub(super) lanes: u8,
}

/// For each byte, its bits that are set, by rising place, then zeros.
const PLACES: [[u8; CHUNK]; 256] = {
    let mut places = [[0; CHUNK]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut place, mut count) = (0, 0);
        while place < CHUNK {
            if byte >> place & 1 == 1 {
                places[byte][count] = place as u8;
                count += 1;
            }
            place += 1;
        }
        byte += 1;
    }
    places
};

/// How many bits of a byte are set.
const COUNTS: [u8; 256] = {
    let mut counts = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        counts[byte] = (byte as u8).count_ones() as u8;
        byte += 1;
    }
    counts
};

/// Makes a list of the samples.
pub(super) fn list(found: &[Found], samples: &mut Kept<u32>) -> Result<(), Error> {
    samples.clear();
    samples.expect((found.len() + 1) * CHUNK)?;
    let mut offers = samples.offers();
    for &Found { first, lanes } in found {
        let places = PLACES[usize::from(lanes)].map(|place| first + u32::from(place));
        offers.offer_some(places, usize::from(COUNTS[usize::from(lanes)]));
    }
    offers.finish();
    Ok(())
}

/// The lanes of a mask as bits. A mask is one bit to a lane, or, where no instructions are for such masks,
/// as many bytes as a number.
#[inline(always)]
pub(super) fn bits<S: Simd>(mask: &S::m64s) -> u32 {
    let bytes = bytemuck::bytes_of(mask);
    let width = bytes.len() / S::F64_LANES;
    if width == 0 {
        return u32::from(bytes[0]);
    }
    (0..S::F64_LANES).map(|lane| u32::from(bytes[lane * width] & 1) << lane).sum()
}

#[cfg(test)]
mod tests {
    use pulp::WithSimd;

    use super::*;
    use crate::vectors::Path;

    struct Below<'a>(&'a [f64]);

    impl WithSimd for Below<'_> {
        type Output = u8;

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> u8 {
            let vectors = S::as_simd_f64s(self.0).0.iter().enumerate();
            let lanes = vectors.map(|(vector, &numbers)| {
                bits::<S>(&simd.less_than_f64s(numbers, simd.splat_f64s(0.0))) << (vector * S::F64_LANES)
            });
            lanes.sum::<u32>() as u8
        }
    }

    #[test]
    fn every_mask_is_the_list_of_its_lanes() {
        for lanes in 0..=u8::MAX {
            let is_set = |lane: usize| lanes >> lane & 1 == 1;
            let numbers: Vec<f64> = (0..CHUNK).map(|lane| if is_set(lane) { -1.0 } else { 1.0 }).collect();
            for path in Path::all() {
                assert_eq!(path.run(Below(&numbers)), lanes, "{path:?}");
            }
            let mut samples = Kept::default();
            list(&[Found { first: 100, lanes }, Found { first: 200, lanes: 0x81 }], &mut samples).unwrap();
            let expected: Vec<_> = (0..CHUNK).filter(|&lane| is_set(lane)).map(|lane| 100 + lane as u32).collect();
            assert_eq!(samples[..], [&expected[..], &[200, 207]].concat());
        }
    }
}
