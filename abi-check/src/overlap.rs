//! Outputs have memory of their own.
//!
//! An output that overlaps itself or another argument would make the result depend on the order in which
//! elements are written. Whether strided views share a byte is decided exactly: first by their outer
//! bounds, which is all it takes for separate arrays; then as an equation in integers ([`Equation`]), so
//! that two interleaved columns of one array may be passed as two arguments. Where the equation is too
//! hard, which takes strides that no array library makes, the answer is "may overlap", and the call is
//! refused.

use crate::array::{Array, Memory};
use crate::diophantine::{Answer, Equation};
use crate::fault::Reason;
use crate::{Access, Descriptor, Fault, MAX_NDIM};

/// No output overlaps itself or another argument.
pub(crate) fn outputs_apart(arrays: &[Array<'_>]) -> Result<(), Fault> {
    for (index, output) in arrays.iter().enumerate().filter(|(_, array)| array.access == Access::Write) {
        apart_from_itself(output)?;
        for (other_index, other) in arrays.iter().enumerate() {
            let seen_before = other_index < index && other.access == Access::Write;
            if other_index != index && !seen_before {
                apart(output, other)?;
            }
        }
    }
    Ok(())
}

/// No two elements of an output lie at one place.
pub(crate) fn apart_from_itself(output: &Array<'_>) -> Result<(), Fault> {
    let place = output.place.position;
    match if output.memory.is_some() { repeats(output.view) } else { Answer::No } {
        Answer::No => Ok(()),
        answer => Err(Fault::new(output.place, Reason::OverlapsItself { place, certain: answer == Answer::Yes })),
    }
}

fn apart(output: &Array<'_>, other: &Array<'_>) -> Result<(), Fault> {
    let (Some(a), Some(b)) = (output.memory, other.memory) else { return Ok(()) };
    if a.end <= b.first || b.end <= a.first {
        return Ok(());
    }
    match share((output.view, a), (other.view, b)) {
        Answer::No => Ok(()),
        answer => {
            let certain = answer == Answer::Yes;
            Err(Fault::new(output.place, Reason::Overlaps { other: other.place, certain }))
        }
    }
}

/// Whether two elements of a view lie at one place. Strides are multiples of the element, so elements
/// that share a byte share all.
///
/// Two index vectors with the same address differ by a vector k != 0 with sum(stride k) = 0 and
/// |k| < length. Signs of strides do not matter to that, and k may be negated as a whole; so let strides
/// be positive, in falling order, and the first k that is not 0 be positive.
fn repeats(view: &Descriptor) -> Answer {
    let (mut steps, mut count) = ([(0_u64, 0_u64); MAX_NDIM], 0);
    for (_, length, stride) in view.steps() {
        steps[count] = (stride.unsigned_abs(), length.cast_unsigned() - 1);
        count += 1;
    }
    let steps = &mut steps[..count];
    steps.sort_unstable_by(|a, b| b.cmp(a));
    let mut answer = Answer::No;
    for (index, &(stride, most)) in steps.iter().enumerate() {
        let smaller = &steps[index + 1..];
        let reach: u64 = smaller.iter().map(|(stride, most)| stride * most).sum();
        // Longer than all smaller ones together: nothing can come back to the start. This is the whole
        // of it for slices and transposes of arrays.
        if stride > reach {
            continue;
        }
        // k = 1 + x for this dimension, x - most for the smaller ones.
        let mut equation = Equation::new();
        equation.add(stride, u128::from(most) - 1);
        for &(stride, most) in smaller {
            equation.add(stride, 2 * u128::from(most));
        }
        match equation.solvable(i128::from(reach) - i128::from(stride), 0) {
            Answer::No => {}
            Answer::Yes => return Answer::Yes,
            Answer::Unknown => answer = Answer::Unknown,
        }
    }
    answer
}

/// Whether two views share a byte.
///
/// Counting both from their lowest byte, with positive strides: a.first + sum(stride i) + p =
/// b.first + sum(stride j) + q, where p and q are bytes within the elements. Counting j and q from the top
/// instead of the bottom makes all signs positive: sum(stride i) + sum(stride j') + p + q' = b.end - 1 - a.first.
fn share((a, a_memory): (&Descriptor, Memory), (b, b_memory): (&Descriptor, Memory)) -> Answer {
    let mut equation = Equation::new();
    for (_, length, stride) in a.steps().chain(b.steps()) {
        equation.add(stride.unsigned_abs(), u128::from(length.cast_unsigned()) - 1);
    }
    let within_elements = a.dtype.item_size() - 1 + b.dtype.item_size() - 1;
    let distance = i128::from(b_memory.end) - 1 - i128::from(a_memory.first);
    equation.solvable(distance, within_elements.cast_unsigned().into())
}
