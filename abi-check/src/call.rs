//! A call, as a whole.

use crate::equation::Solvable;
use crate::footprint::Footprint;
use crate::signature::{Array, Signature};
use crate::{Access, Descriptor, Dimension, Dtype, Fault, Head, READONLY, Reason, Remedy, overlap, view};

/// Most arrays that a function can take.
pub const MAX_ARRAYS: usize = 16;

/// Most lengths with a name that a function can have.
const MAX_LENGTHS: usize = 8;

/// An array argument, as far as it could be read.
#[derive(Clone, Copy, Debug)]
pub enum Argument<'a> {
    /// A null pointer.
    Null,
    /// A pointer at which no descriptor can be.
    Misaligned {
        /// Where it points.
        address: u64,
    },
    /// Something that does not begin as a descriptor of this version does, and so was not read on.
    Foreign(Head),
    /// A descriptor.
    View(&'a Descriptor),
}

impl<'a> Argument<'a> {
    fn view(self) -> Result<&'a Descriptor, Reason> {
        match self {
            Self::Null => Err(Reason::Null),
            Self::Misaligned { address } => Err(Reason::MisalignedView { address }),
            Self::Foreign(head) => Err(Reason::of_head(head)),
            Self::View(view) if !view.head.fits() => Err(Reason::of_head(view.head)),
            Self::View(view) => Ok(view),
        }
    }
}

/// Holds a call against a function's signature; `arguments` are its arrays, in order.
///
/// # Errors
///
/// The first fault, in the order that the crate's documentation gives.
///
/// # Panics
///
/// If the number of arguments is not that of the signature's arrays: a mistake of this library, not
/// of its caller.
pub fn check(signature: &Signature, arguments: &[Argument<'_>]) -> Result<(), Fault> {
    assert_eq!(arguments.len(), signature.arrays().count(), "{}", signature.name);
    let mut given: [Option<Given<'_>>; MAX_ARRAYS] = [None; MAX_ARRAYS];
    for ((array, &argument), given) in signature.arrays().zip(arguments).zip(&mut given) {
        *given = Given::new(array, argument)?;
    }
    let given = &given[..arguments.len()];
    check_lengths(given)?;
    let outputs = || given.iter().flatten().filter(|given| given.array.access == Access::Write);
    outputs().try_for_each(Given::check_writable)?;
    outputs().try_for_each(|output| check_overlap(output, given))
}

/// Holds one view against an element type, a number of dimensions (`None`: any) and an access.
///
/// # Errors
///
/// As [`check`], for an argument 0 with the name `view`.
pub fn check_view(argument: &Argument<'_>, dtype: Dtype, ndim: Option<i32>, access: Access) -> Result<(), Fault> {
    let fault = |reason| Fault { argument: 0, name: "view", reason };
    let view = argument.view().map_err(fault)?;
    let footprint = view::check(view, dtype, ndim).map_err(fault)?;
    if access == Access::Read {
        return Ok(());
    }
    let writable = check_readonly(view).and_then(|()| if footprint.is_some() { check_itself(view) } else { Ok(()) });
    writable.map_err(fault)
}

/// An array that was given, and what it should be.
#[derive(Clone, Copy)]
struct Given<'a> {
    array: Array,
    view: &'a Descriptor,
    /// `None` if there is no element.
    footprint: Option<Footprint>,
}

impl<'a> Given<'a> {
    /// `None` for an optional array that was not given.
    fn new(array: Array, argument: Argument<'a>) -> Result<Option<Self>, Fault> {
        if array.optional && matches!(argument, Argument::Null) {
            return Ok(None);
        }
        let checked = argument.view().and_then(|view| {
            let footprint = view::check(view, array.dtype, Some(array.dimensions.len() as i32))?;
            Ok(Some(Self { array, view, footprint }))
        });
        checked.map_err(|reason| fault(&array, reason))
    }

    fn check_writable(&self) -> Result<(), Fault> {
        check_readonly(self.view).map_err(|reason| fault(&self.array, reason))
    }

    /// The argument's axes: each with its dimension and length.
    fn axes(&self) -> impl Iterator<Item = (Dimension, i64)> {
        self.array.dimensions.iter().copied().zip(self.view.lengths().iter().copied())
    }
}

fn fault(array: &Array, reason: Reason) -> Fault {
    Fault { argument: array.position, name: array.name, reason }
}

/// Lengths with a name, and the argument that first had it.
struct Lengths<'a> {
    fixed: [Option<(&'static str, i64, Given<'a>)>; MAX_LENGTHS],
}

impl<'a> Lengths<'a> {
    fn of(&self, name: &'static str) -> Option<(i64, Given<'a>)> {
        let fixed = self.fixed.iter().flatten().find(|(known, ..)| *known == name);
        fixed.map(|&(_, length, by)| (length, by))
    }

    fn fix(&mut self, name: &'static str, length: i64, by: Given<'a>) {
        let free = self.fixed.iter_mut().find(|place| place.is_none());
        *free.expect("a signature has at most MAX_LENGTHS names") = Some((name, length, by));
    }

    /// Whether an argument of two dimensions would fit the others if it was transposed.
    fn allow_transposed(&self, given: &Given<'_>) -> bool {
        let allow = |dimension, length| match dimension {
            Dimension::Fixed(expected) => length == expected,
            Dimension::Named(name) => self
                .of(name)
                .is_none_or(|(expected, by)| length == expected || by.array.position == given.array.position),
        };
        match (given.array.dimensions, given.view.lengths()) {
            (&[first, second], &[rows, columns]) => allow(first, columns) && allow(second, rows),
            _ => false,
        }
    }
}

fn check_lengths(given: &[Option<Given<'_>>]) -> Result<(), Fault> {
    let mut lengths = Lengths { fixed: [None; MAX_LENGTHS] };
    for given in given.iter().flatten() {
        for ((dimension, actual), axis) in given.axes().zip(0..) {
            let (expected, by) = match dimension {
                Dimension::Fixed(expected) => (expected, None),
                Dimension::Named(name) => match lengths.of(name) {
                    Some((expected, by)) => (expected, Some((name, by))),
                    None => {
                        lengths.fix(name, actual, *given);
                        continue;
                    }
                },
            };
            if actual != expected {
                let fixed_by = by.map(|(name, by)| (by.array.name, name));
                let remedy = remedy(&lengths, given, by.map(|(_, by)| by), actual);
                return Err(fault(&given.array, Reason::Length { axis, expected, actual, fixed_by, remedy }));
            }
        }
    }
    Ok(())
}

/// What would mend a length that does not fit.
fn remedy(lengths: &Lengths<'_>, given: &Given<'_>, by: Option<Given<'_>>, actual: i64) -> Remedy {
    let other_has_it = |by: Given<'_>| by.view.lengths().len() == 2 && by.view.lengths().contains(&actual);
    if lengths.allow_transposed(given) {
        Remedy::Transpose
    } else if by.is_some_and(other_has_it) {
        Remedy::TransposeOther
    } else {
        Remedy::None
    }
}

fn check_readonly(view: &Descriptor) -> Result<(), Reason> {
    if view.flags & READONLY != 0 { Err(Reason::ReadonlyOutput) } else { Ok(()) }
}

fn check_itself(view: &Descriptor) -> Result<(), Reason> {
    match overlap::within(view) {
        Solvable::No => Ok(()),
        answer => Err(Reason::OverlapsItself { certain: answer == Solvable::Yes }),
    }
}

/// An output against itself and all other arguments.
fn check_overlap(output: &Given<'_>, given: &[Option<Given<'_>>]) -> Result<(), Fault> {
    let Some(footprint) = output.footprint else {
        return Ok(());
    };
    check_itself(output.view).map_err(|reason| fault(&output.array, reason))?;
    for other in given.iter().flatten().filter(|other| other.array.position != output.array.position) {
        let Some(second) = other.footprint.filter(|second| footprint.meets(*second)) else {
            continue;
        };
        let answer = overlap::between(output.view, footprint, other.view, second);
        if answer != Solvable::No {
            let (other, other_name) = (other.array.position, other.array.name);
            let certain = answer == Solvable::Yes;
            return Err(fault(&output.array, Reason::Overlap { other, other_name, certain }));
        }
    }
    Ok(())
}
