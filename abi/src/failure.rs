//! Why a call failed, and how that is reported: one table from failures to statuses.

use std::fmt;

use trfboost_abi_check::{Fault, Signature};
use trfboost_kernel::Error;

use crate::message::message;
use crate::{ErrorDetails, Status};

/// Why a call failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A descriptor does not fit.
    Fault(Fault),
    /// The kernel refuses, or failed.
    Kernel(Error),
    /// The kernel refuses a segment list of this split.
    Split(usize, Error),
    /// A pointer that has to be given is NULL.
    Null(&'static str),
    /// A struct has another size than the library's.
    StructSize { argument: &'static str, expected: u32, actual: u32 },
    /// A panic: a defect of this library.
    Panic,
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Kernel(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => fault.fmt(formatter),
            Self::Kernel(error) => error.fmt(formatter),
            Self::Split(split, error) => write!(formatter, "{error} (in split {split})"),
            Self::Null(argument) => write!(formatter, "{argument}: is NULL"),
            Self::StructSize { argument, expected, actual } => write!(
                formatter,
                "{argument}: has size {actual}, expected {expected}; set it to sizeof before the call"
            ),
            Self::Panic => {
                formatter.write_str("a defect of trfboost; its panic message is on stderr; please report it")
            }
        }
    }
}

/// What of a failure can be said in numbers.
struct Numbers {
    status: i32,
    axis: i32,
    expected: i64,
    actual: i64,
}

impl Failure {
    /// The failure as the caller of a function is told.
    pub(crate) fn details(&self, signature: &Signature) -> ErrorDetails {
        let Numbers { status, axis, expected, actual } = self.numbers();
        let argument = self.argument().map_or(-1, |name| signature.position(name));
        let size = size_of::<ErrorDetails>() as u32;
        ErrorDetails { size, status, argument, axis, expected, actual, message: message(self) }
    }

    fn argument(&self) -> Option<&'static str> {
        match self {
            Self::Kernel(error) | Self::Split(_, error) => error.argument(),
            Self::Null(argument) | Self::StructSize { argument, .. } => Some(argument),
            Self::Fault(fault) => Some(fault.name),
            Self::Panic => None,
        }
    }

    fn numbers(&self) -> Numbers {
        match *self {
            Self::Fault(Fault { kind, axis, expected, actual, .. }) => {
                Numbers { status: kind as i32, axis: axis.unwrap_or(-1), expected, actual }
            }
            Self::Kernel(ref error) => of_kernel(error, 0),
            // The lists of all splits are stacked, so that their rows are along the second axis.
            Self::Split(_, ref error) => of_kernel(error, 1),
            Self::Null(_) => numbers(Status::Null, -1, 0, 0),
            Self::StructSize { expected, actual, .. } => {
                numbers(Status::StructSize, -1, expected.into(), actual.into())
            }
            Self::Panic => numbers(Status::Internal, -1, 0, 0),
        }
    }
}

fn numbers(status: Status, axis: i32, expected: i64, actual: i64) -> Numbers {
    Numbers { status: status as i32, axis, expected, actual }
}

/// `rows` is the axis of a segment list along which its rows are.
fn of_kernel(error: &Error, rows: i32) -> Numbers {
    let alone = |status| numbers(status, -1, 0, 0);
    match *error {
        Error::Length { axis, expected, actual, .. } => {
            numbers(Status::Length, axis as i32, expected as i64, actual as i64)
        }
        Error::Value { .. } => alone(Status::Value),
        Error::Segment { row, samples, .. } => numbers(Status::Segment, rows, samples as i64, row as i64),
        Error::LagRange { predictor, .. } | Error::LagSpan { predictor, .. } | Error::LagColumn { predictor, .. } => {
            numbers(Status::Lag, 0, 0, predictor as i64)
        }
        Error::NotFinite { row, index, .. } => numbers(Status::NotFinite, i32::from(row.is_some()), 0, index as i64),
        Error::NoOption => alone(Status::NoOption),
        Error::NoFiniteError { .. } => alone(Status::NoFiniteError),
        Error::TooManySteps { .. } => alone(Status::TooManySteps),
        Error::Cancelled => alone(Status::Cancelled),
        Error::OutOfMemory { bytes } => numbers(Status::OutOfMemory, -1, bytes.try_into().unwrap_or(i64::MAX), 0),
        _ => alone(Status::Internal),
    }
}
