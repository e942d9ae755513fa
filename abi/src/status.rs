//! What a call returns.

use static_assertions::const_assert_eq;
use trfboost_abi_check::FaultKind;

/// `enum trfb_status`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
#[allow(missing_docs, reason = "the names are those of the C header, which explains them")]
pub enum Status {
    Ok = 0,
    Null = 1,
    NotAView = 2,
    StructSize = 3,
    AbiVersion = 4,
    Ndim = 5,
    Dtype = 6,
    Flags = 7,
    NegativeLength = 8,
    NullData = 9,
    Misaligned = 10,
    AddressSpace = 11,
    Bounds = 12,
    Length = 13,
    ReadonlyOutput = 14,
    Overlap = 15,
    Value = 16,
    Segment = 17,
    Lag = 18,
    NotFinite = 19,
    NoOption = 20,
    NoFiniteError = 21,
    TooManySteps = 22,
    Cancelled = 23,
    OutOfMemory = 24,
    Threads = 25,
    Internal = 26,
}

/// The validator numbers its faults as the header numbers the statuses; the first and the last show
/// that neither list has moved, and the layout's test holds the names against the header.
const _: () = {
    const_assert_eq!(Status::Null as i32, FaultKind::Null as i32);
    const_assert_eq!(Status::Overlap as i32, FaultKind::Overlap as i32);
};
