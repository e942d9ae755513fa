//! Outputs can be written, and have memory of their own.
//!
//! An output that overlaps itself or another argument would make the result depend on the order in which
//! elements are written. Whether strided views share a byte is decided exactly: first by their outer
//! bounds, which is all it takes for separate arrays; then as an equation in integers ([`Equation`]), so
//! that two interleaved columns of one array may be passed as two arguments. Where the equation is too
//! hard, which takes strides that no array library makes, the answer is "may overlap", and the call is
//! refused.

use crate::array::{Array, Memory, Place};
use crate::diophantine::{Answer, Equation};
use crate::fault::Reason;
use crate::{Access, Descriptor, Dtype, Fault, MAX_NDIM, READONLY, Signature, Written};

/// No output is read-only, not even an empty one.
pub(crate) fn writable(arrays: &[Array<'_>]) -> Result<(), Fault> {
    match outputs(arrays).find(|(_, output)| output.view.flags & READONLY != 0) {
        Some((_, output)) => Err(Fault::new(output.place, Reason::Readonly)),
        None => Ok(()),
    }
}

/// No output overlaps itself or another argument.
pub(crate) fn apart(arrays: &[Array<'_>]) -> Result<(), Fault> {
    for (index, output) in outputs(arrays).filter(|(_, output)| output.memory != Memory::NOTHING) {
        let place = output.place;
        match repeats(output.view) {
            Answer::No => {}
            answer => {
                return Err(Fault::new(place, Reason::OverlapsItself { place, certain: answer == Answer::Yes }));
            }
        }
        apart_from(output, others(arrays, index))?;
    }
    Ok(())
}

/// What is written through pointers lies in no array.
pub(crate) fn apart_from_arrays(signature: &Signature, written: &[Written], arrays: &[Array<'_>]) -> Result<(), Fault> {
    written.iter().filter(|written| written.address != 0).try_for_each(|written| {
        // A row of bytes: its steps and, apart from them, where it lies. Memory cannot reach beyond the last address,
        // whatever was passed.
        let Written { name, address, size } = *written;
        let end = address.saturating_add(size);
        let mut view = Descriptor { dtype: Dtype::INT8, ndim: 1, ..Descriptor::EMPTY };
        (view.shape[0], view.strides[0]) = ((end - address).cast_signed(), 1);
        let (place, memory) = (Place { name, position: signature.position(name) }, Memory { first: address, end });
        let bytes = Array { place, view: &view, memory, ..Array::NONE };
        apart_from(&bytes, arrays.iter())
    })
}

/// An output shares no byte with the others.
fn apart_from<'a>(output: &Array<'_>, others: impl Iterator<Item = &'a Array<'a>>) -> Result<(), Fault> {
    for other in others.filter(|other| output.memory.meets(other.memory)) {
        match share(output, other) {
            Answer::No => {}
            answer => {
                let reason = Reason::Overlaps { other: other.place, certain: answer == Answer::Yes };
                return Err(Fault::new(output.place, reason));
            }
        }
    }
    Ok(())
}

fn outputs<'a>(arrays: &'a [Array<'a>]) -> impl Iterator<Item = (usize, &'a Array<'a>)> {
    arrays.iter().enumerate().filter(|(_, array)| array.access == Access::Write)
}

/// The arguments that an output has not been compared with: the inputs, and the outputs after it.
fn others<'a>(arrays: &'a [Array<'a>], index: usize) -> impl Iterator<Item = &'a Array<'a>> {
    let news = move |(other, array): &(usize, &Array<'a>)| *other > index || array.access == Access::Read;
    arrays.iter().enumerate().filter(news).map(|(_, array)| array)
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
fn share(a: &Array<'_>, b: &Array<'_>) -> Answer {
    let mut equation = Equation::new();
    for (_, length, stride) in a.view.steps().chain(b.view.steps()) {
        equation.add(stride.unsigned_abs(), u128::from(length.cast_unsigned()) - 1);
    }
    let within_elements = a.view.dtype.item_size() - 1 + b.view.dtype.item_size() - 1;
    let distance = i128::from(b.memory.end) - 1 - i128::from(a.memory.first);
    equation.solvable(distance, within_elements.cast_unsigned().into())
}
