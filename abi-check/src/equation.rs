//! `Σ cₖ eₖ = target` in whole numbers `0 ≤ eₖ ≤ bₖ`, with all `cₖ > 0`.
//!
//! In general that is a knapsack, and hard. The equations of strided arrays are not general: their
//! coefficients divide each other or nearly do. So terms that together reach every multiple of the
//! smaller coefficient are made one, which leaves one or two terms for ordinary views, and what
//! remains is searched from the largest coefficient down, with the largest sum and the greatest
//! common divisor of the rest as bounds. The search looks at [`LIMIT`] places at most (some 0.2 ms)
//! and then gives up.

use crate::MAX_NDIM;

/// Places to look at before the answer is [`Solvable::Unknown`].
const LIMIT: u32 = 20_000;

/// The axes of two views, and the bytes of their elements.
const MAX_TERMS: usize = 2 * (MAX_NDIM + 1);

/// Whether an equation has a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Solvable {
    Yes,
    No,
    /// The search was given up.
    Unknown,
}

/// The equation, built term by term.
pub(crate) struct Equation {
    pub(crate) target: i128,
    terms: [Term; MAX_TERMS],
    count: usize,
}

#[derive(Clone, Copy, Default)]
struct Term {
    coefficient: i128,
    bound: i128,
    /// Greatest common divisor of the coefficients from here on.
    divisor: i128,
    /// Largest sum of the terms from here on.
    largest: i128,
}

impl Equation {
    pub(crate) fn new(target: i128) -> Self {
        Self { target, terms: [Term::default(); MAX_TERMS], count: 0 }
    }

    /// Adds a term with a coefficient that may be 0 (it then adds nothing).
    pub(crate) fn add(&mut self, coefficient: u64, bound: i64) {
        if coefficient > 0 && bound > 0 {
            self.terms[self.count] = Term { coefficient: coefficient.into(), bound: bound.into(), ..Term::default() };
            self.count += 1;
        }
    }

    pub(crate) fn solve(mut self) -> Solvable {
        if self.target < 0 {
            return Solvable::No;
        }
        self.merge();
        let terms = &mut self.terms[..self.count];
        terms.reverse(); // largest coefficient first
        let (mut divisor, mut largest) = (0, 0);
        for term in terms.iter_mut().rev() {
            divisor = greatest_common_divisor(term.coefficient, divisor);
            largest += term.coefficient * term.bound;
            (term.divisor, term.largest) = (divisor, largest);
        }
        search(terms, self.target, &mut LIMIT.clone())
    }

    /// Sorts the terms by rising coefficient and joins those that together reach every multiple of
    /// the smaller one: `c e + c m f` with `e ≤ b` and `m ≤ b + 1` is `c g` with `g ≤ b + m b'`.
    fn merge(&mut self) {
        let terms = &mut self.terms[..self.count];
        terms.sort_unstable_by_key(|term| term.coefficient);
        let mut kept = 0;
        for index in 1..terms.len() {
            let (term, last) = (terms[index], &mut terms[kept]);
            let multiple = term.coefficient / last.coefficient;
            if term.coefficient % last.coefficient == 0 && multiple <= last.bound + 1 {
                last.bound += multiple * term.bound;
            } else {
                kept += 1;
                terms[kept] = term;
            }
        }
        self.count = self.count.min(kept + 1);
    }
}

/// Goes through the values of the first term; the others are left to the next level.
fn search(terms: &[Term], target: i128, places: &mut u32) -> Solvable {
    let Some((term, rest)) = terms.split_first() else {
        return if target == 0 { Solvable::Yes } else { Solvable::No };
    };
    if target > term.largest || target % term.divisor != 0 {
        return Solvable::No;
    }
    let reach = rest.first().map_or(0, |next| next.largest);
    // The rest has to bridge what this term leaves: neither less than 0 nor more than it reaches.
    let lowest = (target - reach).max(0);
    let lowest = (lowest + term.coefficient - 1) / term.coefficient;
    let highest = (target / term.coefficient).min(term.bound);
    for value in lowest..=highest {
        if *places == 0 {
            return Solvable::Unknown;
        }
        *places -= 1;
        match search(rest, target - value * term.coefficient, places) {
            Solvable::No => {}
            found => return found,
        }
    }
    Solvable::No
}

fn greatest_common_divisor(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
