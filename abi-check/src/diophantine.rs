//! Is there a solution of  sum(coefficient x) + s = target  in integers 0 <= x <= most, 0 <= s <= slack?
//!
//! Whether strided views share memory is a question of this form. In general it is a hard one (subset sum
//! is a special case), in practice an easy one, for three reasons, which are the three steps here:
//!
//! 1. Strides of arrays divide each other, and the dimensions lie within each other without gaps. If b is
//!    a multiple of a and b <= a (most_a + 1), then  a x + b y  takes each multiple of a from 0 to its
//!    maximum, so the two terms are one. Slices of one array shrink to one or two terms.
//! 2. Terms that remain are tried from the largest coefficient down. Given all larger ones, x is confined
//!    twice: what is left has to be within reach of the smaller terms, and a multiple of their greatest
//!    common divisor. For two terms that settles it, since each x that is left is a solution.
//! 3. With more terms each x that is left has to be tried. That is given up after [`MOST_TRIALS`].

use crate::MAX_NDIM;

/// Bound on the number of values tried. Enough for what array libraries make by slicing, transposing and
/// reshaping (a handful of trials), and done in a fraction of a millisecond.
const MOST_TRIALS: u32 = 4096;

/// A term for each dimension of two views, and the slack.
const MOST_TERMS: usize = 2 * MAX_NDIM + 1;

/// Whether there is a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    No,
    Yes,
    /// Not found within the bound.
    Unknown,
}

/// The left side. Coefficients are below 2^64 and so is each coefficient times its `most`, which keeps
/// everything far inside of `i128`.
pub(crate) struct Equation {
    terms: [Term; MOST_TERMS],
    count: usize,
}

#[derive(Clone, Copy)]
struct Term {
    coefficient: i128,
    most: i128,
    /// Greatest value of this term and all before it together.
    reach: i128,
    /// Greatest common divisor of this coefficient and all before it.
    divisor: i128,
}

impl Equation {
    pub(crate) fn new() -> Self {
        Self { terms: [Term { coefficient: 0, most: 0, reach: 0, divisor: 0 }; MOST_TERMS], count: 0 }
    }

    /// Adds  coefficient x,  0 <= x <= most.
    pub(crate) fn add(&mut self, coefficient: u64, most: u128) {
        if coefficient != 0 && most != 0 {
            self.push(Term { coefficient: coefficient.into(), most: most.cast_signed(), reach: 0, divisor: 0 });
        }
    }

    fn push(&mut self, term: Term) {
        self.terms[self.count] = term;
        self.count += 1;
    }

    /// Whether the left side can be `target`.
    pub(crate) fn solvable(mut self, target: i128, slack: u128) -> Answer {
        self.unite();
        // Last, so tried first: once it is out of the way, what is left is a multiple of the divisor of
        // the strides.
        self.add(1, slack);
        let (mut reach, mut divisor) = (0, 0);
        for term in &mut self.terms[..self.count] {
            reach += term.coefficient * term.most;
            divisor = greatest_common_divisor(divisor, term.coefficient);
            (term.reach, term.divisor) = (reach, divisor);
        }
        search(&self.terms[..self.count], target, &mut MOST_TRIALS.clone())
    }

    /// Sorts the terms by coefficient and makes one of those that together take every multiple of the
    /// smaller coefficient.
    fn unite(&mut self) {
        self.terms[..self.count].sort_unstable_by_key(|term| term.coefficient);
        let mut kept = 0;
        for index in 0..self.count {
            let term = self.terms[index];
            if let Some(last) = self.terms[..kept].last_mut()
                && term.coefficient % last.coefficient == 0
                && term.coefficient <= last.coefficient * (last.most + 1)
            {
                last.most += term.most * (term.coefficient / last.coefficient);
                continue;
            }
            self.terms[kept] = term;
            kept += 1;
        }
        self.count = kept;
    }
}

/// Tries the values of the last term that the others leave open.
fn search(terms: &[Term], target: i128, trials: &mut u32) -> Answer {
    let Some((term, others)) = terms.split_last() else {
        return if target == 0 { Answer::Yes } else { Answer::No };
    };
    if target < 0 || target > term.reach || target % term.divisor != 0 {
        return Answer::No;
    }
    let Some(rest) = others.last() else { return Answer::Yes };
    let low = -(rest.reach - target).div_euclid(term.coefficient).min(0);
    let high = (target / term.coefficient).min(term.most);
    let (some, step) = congruent(term.coefficient, target, rest.divisor);
    let mut x = low + (some - low).rem_euclid(step);
    while x <= high {
        if *trials == 0 {
            return Answer::Unknown;
        }
        *trials -= 1;
        match search(others, target - term.coefficient * x, trials) {
            Answer::No => x += step,
            answer => return answer,
        }
    }
    Answer::No
}

/// The solutions of  a x = target  modulo m, as one of them and the step from each to the next. There
/// has to be one: the greatest common divisor of a and m divides the target.
fn congruent(a: i128, target: i128, m: i128) -> (i128, i128) {
    let common = greatest_common_divisor(a, m);
    let step = m / common;
    let x = (target / common).rem_euclid(step) * inverse(a / common, step);
    (x.rem_euclid(step), step)
}

/// The inverse of a modulo m, which have no common divisor.
fn inverse(a: i128, m: i128) -> i128 {
    let (mut remainders, mut factors) = ((m, a.rem_euclid(m)), (0, 1));
    while remainders.1 != 0 {
        let quotient = remainders.0 / remainders.1;
        remainders = (remainders.1, remainders.0 - quotient * remainders.1);
        factors = (factors.1, factors.0 - quotient * factors.1);
    }
    factors.0.rem_euclid(m)
}

fn greatest_common_divisor(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::{Answer, Equation};
    use proptest::prelude::*;

    fn equation(terms: &[(u64, u128)]) -> Equation {
        let mut equation = Equation::new();
        terms.iter().for_each(|&(coefficient, most)| equation.add(coefficient, most));
        equation
    }

    fn by_trying_all(terms: &[(u64, u128)], target: i128, slack: u128) -> bool {
        match terms.split_last() {
            None => (0..=slack.cast_signed()).contains(&target),
            Some((&(coefficient, most), others)) => {
                (0..=most.cast_signed()).any(|x| by_trying_all(others, target - i128::from(coefficient) * x, slack))
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]
        #[test]
        fn small_equations_are_solved_as_by_trying_all(
            terms in prop::collection::vec((0..30_u64, 0..5_u128), 0..5), target in -20..300_i128, slack in 0..4_u128,
        ) {
            let expected = if by_trying_all(&terms, target, slack) { Answer::Yes } else { Answer::No };
            prop_assert_eq!(equation(&terms).solvable(target, slack), expected);
        }
    }

    #[test]
    fn terms_without_gaps_between_them_become_one() {
        let cases: [(&[(u64, u128)], usize); 4] = [
            (&[(8, 9), (80, 4)], 1),
            (&[(80, 4), (8, 9), (400, 2)], 1),
            (&[(8, 8), (80, 4)], 2),
            (&[(8, 9), (12, 3)], 2),
        ];
        for (terms, count) in cases {
            let mut equation = equation(terms);
            equation.unite();
            assert_eq!(equation.count, count, "{terms:?}");
            let reach: u128 = terms.iter().map(|&(coefficient, most)| u128::from(coefficient) * most).sum();
            let united = &equation.terms[..count];
            let total: i128 = united.iter().map(|term| term.coefficient * term.most).sum();
            assert_eq!((united[0].coefficient, total), (8, reach.cast_signed()), "{terms:?}");
        }
    }

    /// Each of these takes a handful of trials if only values are tried that can be part of a solution, and
    /// more than the bound otherwise.
    #[test]
    fn only_values_that_the_other_terms_leave_open_are_tried() {
        const MANY: u128 = 100_000_000;
        let terms = [(10_007, MANY), (10_009, MANY)];
        let reach = (10_007 + 10_009) * MANY.cast_signed();
        for target in [10_009 * 9000 + 10_007 * 20_000, reach, reach - 10_007 * 7 - 10_009 * 2000] {
            assert_eq!(equation(&terms).solvable(target, 0), Answer::Yes, "{target}");
        }
        for target in [-1, 10_009 * 3 + 5, reach - 1, reach + 1, reach + 10_007] {
            assert_eq!(equation(&terms).solvable(target, 0), Answer::No, "{target}");
        }
        assert_eq!(equation(&[(8, 3)]).solvable(32, 0), Answer::No);
        assert_eq!(equation(&[(8, 3)]).solvable(-8, 0), Answer::No);
    }
}
