//! What a call returns.

use trfboost_abi_check::FaultKind;

/// `enum trfb_status`. What descriptors show has the number that the validator gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
#[allow(missing_docs, reason = "the names are those of the C header, which explains them")]
pub enum Status {
    Ok = 0,
    Null = FaultKind::Null as i32,
    NotAView = FaultKind::NotAView as i32,
    StructSize = FaultKind::StructSize as i32,
    AbiVersion = FaultKind::AbiVersion as i32,
    Ndim = FaultKind::Ndim as i32,
    Dtype = FaultKind::Dtype as i32,
    Flags = FaultKind::Flags as i32,
    NegativeLength = FaultKind::NegativeLength as i32,
    NullData = FaultKind::NullData as i32,
    Misaligned = FaultKind::Misaligned as i32,
    AddressSpace = FaultKind::AddressSpace as i32,
    Bounds = FaultKind::Bounds as i32,
    Length = FaultKind::Length as i32,
    ReadonlyOutput = FaultKind::ReadonlyOutput as i32,
    Overlap = FaultKind::Overlap as i32,
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
