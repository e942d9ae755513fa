//! Whether strided views have bytes in common.
//!
//! Two views meet if an element of the one and an element of the other share a byte:
//! `a + Σ iₖ pₖ + u = b + Σ jₖ qₖ + v`, with `a` and `b` the lowest addresses, `p` and `q` the
//! strides without their signs, every index below its length, and `u`, `v` below the sizes of the
//! elements. With each index of the second view counted from its end, all terms are on one side and
//! positive, which is the question that [`crate::equation`] answers. A view meets itself if two
//! different index tuples do: the difference of the tuples has a first place that is not 0, which
//! can be taken to be positive, so there is one such equation per axis.

use crate::Descriptor;
use crate::equation::{Equation, Solvable};
use crate::footprint::Footprint;

/// Whether two views, whose footprints meet, share a byte.
pub(crate) fn between(one: &Descriptor, first: Footprint, other: &Descriptor, second: Footprint) -> Solvable {
    let mut equation = Equation::new(i128::from(second.end) - 1 - i128::from(first.first));
    for view in [one, other] {
        for (_, length, stride) in view.moving() {
            equation.add(stride.unsigned_abs(), length - 1);
        }
        equation.add(1, view.dtype.size() - 1);
    }
    equation.solve()
}

/// Whether two elements of a view share a byte.
pub(crate) fn within(view: &Descriptor) -> Solvable {
    let size = view.dtype.size();
    if is_nested(view) {
        return Solvable::No;
    }
    let mut answer = Solvable::No;
    for (leading, length, stride) in view.moving() {
        let step = i128::from(stride.unsigned_abs());
        // d₀ = 1 + e for the leading axis; d = e - (length - 1) for those after it; and the bytes of
        // the two elements, -size < t < size, likewise.
        let mut equation = Equation::new(-step + i128::from(size - 1));
        equation.add(stride.unsigned_abs(), length - 2);
        equation.add(1, 2 * (size - 1));
        for (_, length, stride) in view.moving().filter(|(axis, ..)| *axis > leading) {
            equation.target += i128::from(stride.unsigned_abs()) * i128::from(length - 1);
            equation.add(stride.unsigned_abs(), 2 * (length - 1));
        }
        match equation.solve() {
            Solvable::Yes => return Solvable::Yes,
            Solvable::Unknown => answer = Solvable::Unknown,
            Solvable::No => {}
        }
    }
    answer
}

/// Whether each axis, in order of its stride, steps over all that the smaller ones cover. That is
/// how arrays and their slices lie, and it excludes overlap without a search.
fn is_nested(view: &Descriptor) -> bool {
    let mut covered = view.dtype.size() as u64;
    let mut below = 0; // strides up to here are covered
    for _ in view.moving() {
        let larger = view.moving().map(|(_, length, stride)| (stride.unsigned_abs(), length as u64 - 1));
        let Some((stride, steps)) = larger.filter(|&(stride, _)| stride > below).min() else {
            return false; // two axes have one stride
        };
        if stride < covered {
            return false;
        }
        // No overflow: the footprint, which is the sum of these, was computed before.
        covered += stride * steps;
        below = stride;
    }
    true
}
