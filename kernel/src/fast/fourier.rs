//! Fourier transforms of eight signals at a time, one per lane.
//!
//! Plain radix 2, two stages at a time: the same operations, with half the loads and stores. Forward by
//! decimation in frequency, which takes samples in order and leaves the spectrum with its indices' bits
//! reversed; inverse by decimation in time, which undoes just that. Spectra are only multiplied element by
//! element in between, so that nobody has to sort them.
//!
//! **Rounding.** With `u = 2^-53`, norms being 2-norms, and terms of order `u²` left to the end:
//!
//! - A twiddle factor is off by `τ ≤ 16 u`: `k / N` is exact, `2 π` as a constant and its product are
//!   each off by `u` of an angle of at most `π`, which makes `2 π u`, and sine and cosine within two
//!   units in the last place add `4 √2 u`. A test holds each factor to this.
//! - A product of `d` and a factor `c + i s` has in each part two products and a sum, fused or not: its
//!   parts are off by at most `2 u` times `|Re d| |c| + |Im d| |s|` and `|Re d| |s| + |Im d| |c|`. That
//!   is a matrix of norm `|c| + |s| ≤ √2`, applied to `d`: at most `2 √2 u |d|`, and with the factor's
//!   own error `(τ + 2 √2 u) |d|`.
//! - Forward, a butterfly makes `a + b` and `a - b`, off by `u` of themselves, and turns the second:
//!   both are off by at most `ρ = τ + 2 √2 u + u < 20 u` of themselves. For the inverse, `b` is turned
//!   first: what that is off by goes into sum and difference, `√2 (τ + 2 √2 u) |b|` together, and each
//!   is rounded. This, too, is at most `ρ √2 ‖(a, b)‖`, `√2 ‖(a, b)‖` being the norm of the exact pair.
//! - So a stage is off by at most `ρ` of the norm of its exact result. Exact stages are orthogonal but
//!   for a factor of √2, so that they carry relative errors on as they are: after `log2 N` stages
//!   `(1 + ρ)^(log2 N) - 1`, which is less than [`ERROR_PER_STAGE`] `log2 N u`, terms of order `u²`
//!   included.
//!
//! This is derived here and not taken from elsewhere. Tests hold whole transforms to it as well, against the
//! sums that define them in twice the precision.

use pulp::{Simd, WithSimd};

use crate::vectors::Path;
use crate::{Error, memory};

/// Signals that are transformed together.
pub(crate) const LANES: usize = 8;

/// The relative error of a transform in the 2-norm, in units of `u` and per stage.
pub(crate) const ERROR_PER_STAGE: usize = 25;

/// Transforms of one length, a power of 2.
pub(crate) struct Fourier {
    length: usize,
    /// `exp(-2 π i k / N)` for `k < N / 2`: cosines and sines.
    twiddles: Vec<(f64, f64)>,
}

/// Eight complex signals or spectra, `[N, 8]` each.
pub(crate) struct Signals {
    pub(crate) real: Vec<f64>,
    pub(crate) imaginary: Vec<f64>,
}

impl Signals {
    pub(crate) fn new(length: usize) -> Result<Self, Error> {
        Ok(Self { real: memory::filled(length * LANES, 0.0)?, imaginary: memory::filled(length * LANES, 0.0)? })
    }
}

impl Fourier {
    pub(crate) fn new(length: usize) -> Result<Self, Error> {
        debug_assert!(length.is_power_of_two());
        let mut twiddles = memory::with_capacity(length / 2)?;
        twiddles.extend((0..length / 2).map(|k| {
            let angle = -std::f64::consts::TAU * (k as f64 / length as f64);
            (angle.cos(), angle.sin())
        }));
        Ok(Self { length, twiddles })
    }

    /// Where the spectrum has a frequency.
    pub(crate) fn place(&self, frequency: usize) -> usize {
        let bits = self.length.trailing_zeros();
        if bits == 0 { 0 } else { frequency.reverse_bits() >> (usize::BITS - bits) }
    }

    /// The frequency at which the spectrum of a real signal has the conjugate.
    pub(crate) fn mirrored(&self, frequency: usize) -> usize {
        (self.length - frequency) % self.length
    }

    pub(crate) fn forward(&self, path: Path, signals: &mut Signals) {
        path.run(Transform::<false> { fourier: self, signals });
    }

    /// The inverse, times the length.
    pub(crate) fn inverse(&self, path: Path, spectra: &mut Signals) {
        path.run(Transform::<true> { fourier: self, signals: spectra });
    }
}

struct Transform<'a, const INVERSE: bool> {
    fourier: &'a Fourier,
    signals: &'a mut Signals,
}

impl<const INVERSE: bool> WithSimd for Transform<'_, INVERSE> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { fourier, signals } = self;
        let (real, _) = S::as_mut_simd_f64s(&mut signals.real);
        let (imaginary, _) = S::as_mut_simd_f64s(&mut signals.imaginary);
        let row = LANES / S::F64_LANES;
        let length = fourier.length;
        debug_assert_eq!(real.len(), length * row);
        if length < 4 {
            if length == 2 {
                stage::<S, INVERSE>(simd, real, imaginary, 1, &fourier.twiddles);
            }
            return;
        }
        // The two largest stages alone, then each quarter through all of its stages: a quarter of the
        // numbers of a usual length stays in the first cache, all of them do not.
        if !INVERSE {
            two_stages::<S, INVERSE>(simd, real, imaginary, length / 2, &fourier.twiddles);
        }
        let quarter = length / 4;
        let parts = real.chunks_exact_mut(quarter * row).zip(imaginary.chunks_exact_mut(quarter * row));
        for (real, imaginary) in parts {
            stages::<S, INVERSE>(simd, real, imaginary, quarter, &fourier.twiddles);
        }
        if INVERSE {
            two_stages::<S, INVERSE>(simd, real, imaginary, length / 2, &fourier.twiddles);
        }
    }
}

/// All stages of a part of so many numbers: by falling reach, or for the inverse by rising reach, the one
/// of reach 1 alone where their number is odd.
#[inline(always)]
fn stages<S: Simd, const INVERSE: bool>(
    simd: S,
    real: &mut [S::f64s],
    imaginary: &mut [S::f64s],
    length: usize,
    twiddles: &[(f64, f64)],
) {
    let count = length.trailing_zeros();
    let alone = count % 2 == 1;
    if INVERSE && alone {
        stage::<S, INVERSE>(simd, real, imaginary, 1, twiddles);
    }
    for pair in 0..count / 2 {
        let exponent = if INVERSE { count % 2 + 1 + 2 * pair } else { count - 1 - 2 * pair };
        two_stages::<S, INVERSE>(simd, real, imaginary, 1 << exponent, twiddles);
    }
    if !INVERSE && alone {
        stage::<S, INVERSE>(simd, real, imaginary, 1, twiddles);
    }
}

/// The stages of `reach` and of half of it, `reach` being even.
#[inline(always)]
fn two_stages<S: Simd, const INVERSE: bool>(
    simd: S,
    real: &mut [S::f64s],
    imaginary: &mut [S::f64s],
    reach: usize,
    twiddles: &[(f64, f64)],
) {
    let row = LANES / S::F64_LANES;
    let (every, half) = (twiddles.len() / reach, reach / 2);
    let vectors = half * row;
    let twiddle = |index: usize| {
        let (cosine, sine) = twiddles[index];
        (simd.splat_f64s(cosine), simd.splat_f64s(if INVERSE { -sine } else { sine }))
    };
    let blocks = real.chunks_exact_mut(4 * vectors).zip(imaginary.chunks_exact_mut(4 * vectors));
    for (real, imaginary) in blocks {
        let (real, imaginary) = (quarters(real, vectors), quarters(imaginary, vectors));
        for vector in 0..vectors {
            let k = vector / row;
            let (near, far, inner) = (twiddle(k * every), twiddle((k + half) * every), twiddle(2 * k * every));
            let mut numbers: [_; 4] = std::array::from_fn(|part| (real[part][vector], imaginary[part][vector]));
            // Two loops and no closure: that is called more than once, and would not be made part of the
            // function that has the processor's instructions, but call each of them.
            let (outer, inner) = ([(0, 2, near), (1, 3, far)], [(0, 1, inner), (2, 3, inner)]);
            for stage in if INVERSE { [inner, outer] } else { [outer, inner] } {
                for (first, second, twiddle) in stage {
                    [numbers[first], numbers[second]] =
                        butterfly::<S, INVERSE>(simd, numbers[first], numbers[second], twiddle);
                }
            }
            for (part, number) in numbers.into_iter().enumerate() {
                (real[part][vector], imaginary[part][vector]) = number;
            }
        }
    }
}

/// Four runs of this length.
#[inline(always)]
fn quarters<V>(run: &mut [V], length: usize) -> [&mut [V]; 4] {
    let (first, rest) = run.split_at_mut(length);
    let (second, rest) = rest.split_at_mut(length);
    let (third, fourth) = rest.split_at_mut(length);
    [first, second, third, &mut fourth[..length]]
}

/// All butterflies of numbers that are `reach` rows apart.
#[inline(always)]
fn stage<S: Simd, const INVERSE: bool>(
    simd: S,
    real: &mut [S::f64s],
    imaginary: &mut [S::f64s],
    reach: usize,
    twiddles: &[(f64, f64)],
) {
    let row = LANES / S::F64_LANES;
    let every = twiddles.len() / reach;
    let blocks = real.chunks_exact_mut(2 * reach * row).zip(imaginary.chunks_exact_mut(2 * reach * row));
    for (real, imaginary) in blocks {
        let (real, imaginary) = (real.split_at_mut(reach * row), imaginary.split_at_mut(reach * row));
        let firsts = real.0.chunks_exact_mut(row).zip(imaginary.0.chunks_exact_mut(row));
        let seconds = real.1.chunks_exact_mut(row).zip(imaginary.1.chunks_exact_mut(row));
        for ((first, second), &(cosine, sine)) in firsts.zip(seconds).zip(twiddles.iter().step_by(every)) {
            let sine = if INVERSE { -sine } else { sine };
            let twiddle = (simd.splat_f64s(cosine), simd.splat_f64s(sine));
            let pairs = first.0.iter_mut().zip(first.1).zip(second.0.iter_mut().zip(second.1));
            for (first, second) in pairs {
                let [sum, difference] =
                    butterfly::<S, INVERSE>(simd, (*first.0, *first.1), (*second.0, *second.1), twiddle);
                (*first.0, *first.1) = sum;
                (*second.0, *second.1) = difference;
            }
        }
    }
}

/// Real and imaginary part.
type Complex<V> = (V, V);

/// A pair of complex numbers becomes their sum and their difference, the second being turned
/// after (forward) or before (inverse).
#[inline(always)]
fn butterfly<S: Simd, const INVERSE: bool>(
    simd: S,
    a: Complex<S::f64s>,
    b: Complex<S::f64s>,
    (cosine, sine): Complex<S::f64s>,
) -> [Complex<S::f64s>; 2] {
    let turned = |(real, imaginary): Complex<S::f64s>| {
        let (product, cross) = (simd.mul_f64s(imaginary, sine), simd.mul_f64s(imaginary, cosine));
        (simd.sub_f64s(simd.mul_f64s(real, cosine), product), simd.mul_add_e_f64s(real, sine, cross))
    };
    let b = if INVERSE { turned(b) } else { b };
    let sum = (simd.add_f64s(a.0, b.0), simd.add_f64s(a.1, b.1));
    let difference = (simd.sub_f64s(a.0, b.0), simd.sub_f64s(a.1, b.1));
    [sum, if INVERSE { difference } else { turned(difference) }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::double::Double;

    /// `u`.
    const UNIT: f64 = f64::EPSILON / 2.0;

    /// `exp(2 π i k / N)` for `k < N`, by its series, in twice the precision.
    fn turn(k: usize, length: usize) -> (Double, Double) {
        let angle = Double::TAU.times(Double::of(k as f64 / length as f64));
        let (mut term, mut parts) = (Double::of(1.0), [Double::default(); 2]);
        // Terms from the 60th on are below 1e-33.
        for index in 0..60 {
            let signed = if index % 4 < 2 { term } else { term.negated() };
            parts[index % 2] = parts[index % 2].plus_double(signed);
            term = term.times(angle).over((index + 1) as f64);
        }
        parts.into()
    }

    #[test]
    fn each_twiddle_factor_is_within_its_bound() {
        // Shorter transforms have some of these: `k / N` is exact, whatever it is computed from.
        let length = 1 << 15;
        let Fourier { twiddles, .. } = Fourier::new(length).unwrap();
        for (k, &(cosine, sine)) in twiddles.iter().enumerate() {
            let (exact_cosine, exact_sine) = turn(k, length);
            let off = exact_cosine.minus(cosine).hypot(exact_sine.negated().minus(sine));
            assert!(off <= 16.0 * UNIT, "{k}: {} u", off / UNIT);
        }
    }

    /// Numbers that are hard on a transform, in lane after lane: none in particular, an offset that all
    /// else is lost beside, signs that alternate, one spike, tones of the first twiddle, all magnitudes,
    /// ones that cancel but for their last bits, and mantissas full of ones.
    fn hostile(t: usize, lane: usize, length: usize) -> (f64, f64) {
        let noise = |seed: usize| ((t * t * 7919 + t * 104_729 + seed * 31_337) % 1009) as f64 / 504.5 - 1.0;
        let sign = if t.is_multiple_of(2) { 1.0 } else { -1.0 };
        let tone = std::f64::consts::TAU * (t as f64 / length as f64);
        match lane {
            0 => (noise(1), noise(2)),
            1 => (1e12 + noise(1), -1e12 + noise(2)),
            2 => (sign * (1e9 + noise(1)), sign),
            3 => (if t == length / 3 { 1e15 } else { noise(1) }, 0.0),
            4 => (tone.cos(), tone.sin()),
            5 => (noise(1) * 2.0_f64.powi((t * 37 % 100) as i32 - 50), noise(2)),
            6 => (sign * (1.0 + (t % 3) as f64 * f64::EPSILON), 1.0 - (t % 5) as f64 * f64::EPSILON),
            _ => (2.0 - f64::EPSILON, sign * (1.0 - UNIT)),
        }
    }

    /// `Σ_t exp(± 2 π i t k / N) of(t)` for all `k`, in twice the precision.
    fn transformed(length: usize, inverse: bool, of: impl Fn(usize) -> (f64, f64)) -> Vec<(Double, Double)> {
        let turns: Vec<_> = (0..length).map(|k| turn(k, length)).collect();
        let sum = |k: usize| {
            (0..length).fold((Double::default(), Double::default()), |(real, imaginary), t| {
                let (cosine, sine) = turns[t * k % length];
                let sine = if inverse { sine } else { sine.negated() };
                let (a, b) = of(t);
                let (a, b) = (Double::of(a), Double::of(b));
                let real = real.plus_double(a.times(cosine)).plus_double(b.times(sine).negated());
                (real, imaginary.plus_double(a.times(sine)).plus_double(b.times(cosine)))
            })
        };
        (0..length).map(sum).collect()
    }

    #[test]
    fn whole_transforms_are_within_their_bound() {
        for (exponent, inverse) in (1..=8).flat_map(|exponent| [(exponent, false), (exponent, true)]) {
            let length = 1 << exponent;
            let fourier = Fourier::new(length).unwrap();
            // Numbers in order are where `t` is, spectra where their frequency has its place.
            let from = |t| if inverse { fourier.place(t) } else { t };
            let to = |k| if inverse { k } else { fourier.place(k) };
            let exact: Vec<_> =
                (0..LANES).map(|lane| transformed(length, inverse, |t| hostile(t, lane, length))).collect();
            for path in Path::all() {
                let mut signals = Signals::new(length).unwrap();
                for (t, lane) in (0..length).flat_map(|t| (0..LANES).map(move |lane| (t, lane))) {
                    let index = from(t) * LANES + lane;
                    (signals.real[index], signals.imaginary[index]) = hostile(t, lane, length);
                }
                if inverse {
                    fourier.inverse(path, &mut signals);
                } else {
                    fourier.forward(path, &mut signals);
                }
                for (lane, exact) in exact.iter().enumerate() {
                    let (mut off, mut norm) = (0.0_f64, 0.0_f64);
                    for (k, &(real, imaginary)) in exact.iter().enumerate() {
                        let index = to(k) * LANES + lane;
                        off = off.hypot(real.minus(signals.real[index]));
                        off = off.hypot(imaginary.minus(signals.imaginary[index]));
                        norm = norm.hypot(real.high).hypot(imaginary.high);
                    }
                    let units = off / norm / UNIT;
                    let bound = (ERROR_PER_STAGE * exponent) as f64;
                    assert!(
                        units <= bound,
                        "{path:?} {length} {inverse} {lane}: {units} u, and the bound is {bound} u"
                    );
                }
            }
        }
    }

    #[test]
    fn a_transform_is_the_sum_that_defines_it_and_the_inverse_undoes_it() {
        for path in Path::all() {
            for length in [1, 2, 4, 8, 16, 32, 64] {
                let fourier = Fourier::new(length).unwrap();
                let mut signals = Signals::new(length).unwrap();
                let value = |t: usize, lane: usize| ((t * 37 + lane * 11) % 17) as f64 - 8.0;
                for (index, (real, imaginary)) in signals.real.iter_mut().zip(&mut signals.imaginary).enumerate() {
                    (*real, *imaginary) =
                        (value(index / LANES, index % LANES), value(index / LANES + 5, index % LANES));
                }
                fourier.forward(path, &mut signals);
                for (frequency, lane) in (0..length).flat_map(|frequency| [(frequency, 0), (frequency, 5)]) {
                    let turn = |t: usize| -std::f64::consts::TAU * (t * frequency % length) as f64 / length as f64;
                    let terms = (0..length).map(|t| {
                        let (cosine, sine) = (turn(t).cos(), turn(t).sin());
                        value(t, lane) * cosine - value(t + 5, lane) * sine
                    });
                    let expected: f64 = terms.sum();
                    let found = signals.real[fourier.place(frequency) * LANES + lane];
                    assert!((found - expected).abs() < 1e-11, "{path:?} {length} {frequency}: {found} {expected}");
                }
                fourier.inverse(path, &mut signals);
                for (index, found) in signals.real.iter().enumerate() {
                    let expected = length as f64 * value(index / LANES, index % LANES);
                    assert!((found - expected).abs() < 1e-10, "{path:?} {length} {index}");
                }
            }
        }
    }
}
