//! The library's own account of the header, for mirrors to hold themselves against.
//!
//! Offsets and sizes come from the Rust types, so that this table cannot say what is not so; names
//! and types are those of the header, which a test holds it against.

use std::mem::offset_of;

use trfboost_abi_check::{ABI_VERSION, Access, Dtype, MAX_NDIM, READONLY, VIEW_MAGIC};
use trfboost_kernel::{ErrorMeasure, Stop};

use crate::signature::AbiLayout;
use crate::{ErrorDetails, FitResult, LayoutRow, MESSAGE_SIZE, Status, View};

const END: i64 = 0;
const STRUCT: i64 = 1;
const FIELD: i64 = 2;
const CONSTANT: i64 = 3;

/// The rows of the table.
struct Table(&'static [LayoutRow]);

// SAFETY: the addresses in the rows are those of constant strings; nobody writes through them.
unsafe impl Sync for Table {}

/// The size of a field, by way of a function that borrows it.
const fn field_size<S, F>(_: fn(&S) -> &F) -> usize {
    size_of::<F>()
}

const fn row(owner: &'static str, name: &'static str, type_name: &'static str, numbers: [i64; 3]) -> LayoutRow {
    let [kind, offset, size] = numbers;
    LayoutRow {
        owner: owner.as_ptr().cast(),
        name: name.as_ptr().cast(),
        type_name: type_name.as_ptr().cast(),
        kind,
        offset,
        size,
    }
}

/// A string of C.
macro_rules! c {
    ($text:expr) => {
        concat!($text, "\0")
    };
}

macro_rules! layout {
    (
        $(struct $type:ident as $owner:literal { $($field:ident $(as $alias:literal)?: $c_type:literal,)* })*
        constants { $($name:literal = $value:expr,)* }
    ) => {
        &[
            $(
                row(c!(""), c!($owner), c!(""), [STRUCT, align_of::<$type>() as i64, size_of::<$type>() as i64]),
                $(row(c!($owner), layout!(@name $field $($alias)?), c!($c_type), [
                    FIELD,
                    offset_of!($type, $field) as i64,
                    field_size(|owner: &$type| &owner.$field) as i64,
                ]),)*
            )*
            $(row(c!(""), c!($name), c!(""), [CONSTANT, $value as i64, 0]),)*
            row(c!(""), c!(""), c!(""), [END, 0, 0]),
        ]
    };
    (@name $field:ident) => { c!(stringify!($field)) };
    (@name $field:ident $alias:literal) => { c!($alias) };
}

/// The table, in the order of the header.
static LAYOUT: Table = Table(layout! {
    struct View as "trfb_view" {
        magic: "uint32_t",
        size: "uint16_t",
        version: "uint16_t",
        dtype: "int32_t",
        ndim: "int32_t",
        flags: "uint64_t",
        data: "void *",
        base: "const void *",
        extent: "uint64_t",
        shape: "int64_t[8]",
        strides: "int64_t[8]",
    }
    struct ErrorDetails as "trfb_error" {
        size: "uint32_t",
        status: "int32_t",
        argument: "int32_t",
        axis: "int32_t",
        expected: "int64_t",
        actual: "int64_t",
        message: "char[256]",
    }
    struct FitResult as "trfb_fit_result" {
        size: "uint32_t",
        stop: "int32_t",
        entries: "int64_t",
        best_step: "int64_t",
        progress: "trfb_progress",
        user: "void *",
    }
    struct LayoutRow as "trfb_layout_row" {
        owner: "const char *",
        name: "const char *",
        type_name as "type": "const char *",
        kind: "int64_t",
        offset: "int64_t",
        size: "int64_t",
    }
    constants {
        "TRFB_ABI_VERSION" = ABI_VERSION,
        "TRFB_VIEW_MAGIC" = VIEW_MAGIC,
        "TRFB_MAX_NDIM" = MAX_NDIM,
        "TRFB_BOOL" = Dtype::BOOL.0,
        "TRFB_INT8" = Dtype::INT8.0,
        "TRFB_INT64" = Dtype::INT64.0,
        "TRFB_FLOAT64" = Dtype::FLOAT64.0,
        "TRFB_READONLY" = READONLY,
        "TRFB_STATUS_OK" = Status::Ok,
        "TRFB_STATUS_NULL" = Status::Null,
        "TRFB_STATUS_NOT_A_VIEW" = Status::NotAView,
        "TRFB_STATUS_STRUCT_SIZE" = Status::StructSize,
        "TRFB_STATUS_ABI_VERSION" = Status::AbiVersion,
        "TRFB_STATUS_NDIM" = Status::Ndim,
        "TRFB_STATUS_DTYPE" = Status::Dtype,
        "TRFB_STATUS_FLAGS" = Status::Flags,
        "TRFB_STATUS_NEGATIVE_LENGTH" = Status::NegativeLength,
        "TRFB_STATUS_NULL_DATA" = Status::NullData,
        "TRFB_STATUS_MISALIGNED" = Status::Misaligned,
        "TRFB_STATUS_ADDRESS_SPACE" = Status::AddressSpace,
        "TRFB_STATUS_BOUNDS" = Status::Bounds,
        "TRFB_STATUS_LENGTH" = Status::Length,
        "TRFB_STATUS_READONLY_OUTPUT" = Status::ReadonlyOutput,
        "TRFB_STATUS_OVERLAP" = Status::Overlap,
        "TRFB_STATUS_VALUE" = Status::Value,
        "TRFB_STATUS_SEGMENT" = Status::Segment,
        "TRFB_STATUS_LAG" = Status::Lag,
        "TRFB_STATUS_NOT_FINITE" = Status::NotFinite,
        "TRFB_STATUS_NO_OPTION" = Status::NoOption,
        "TRFB_STATUS_NO_FINITE_ERROR" = Status::NoFiniteError,
        "TRFB_STATUS_TOO_MANY_STEPS" = Status::TooManySteps,
        "TRFB_STATUS_CANCELLED" = Status::Cancelled,
        "TRFB_STATUS_OUT_OF_MEMORY" = Status::OutOfMemory,
        "TRFB_STATUS_THREADS" = Status::Threads,
        "TRFB_STATUS_INTERNAL" = Status::Internal,
        "TRFB_MESSAGE_SIZE" = MESSAGE_SIZE,
        "TRFB_L1" = ErrorMeasure::L1,
        "TRFB_L2" = ErrorMeasure::L2,
        "TRFB_STOP_NO_PREDICTOR_LEFT" = Stop::NoPredictorLeft,
        "TRFB_STOP_TEST_ERROR_RISES" = Stop::TestErrorRises,
        "TRFB_STOP_NO_IMPROVEMENT" = Stop::NoImprovement,
        "TRFB_STOP_CIRCLES" = Stop::Circles,
        "TRFB_ACCESS_READ" = Access::Read,
        "TRFB_ACCESS_WRITE" = Access::Write,
        "TRFB_LAYOUT_END" = END,
        "TRFB_LAYOUT_STRUCT" = STRUCT,
        "TRFB_LAYOUT_FIELD" = FIELD,
        "TRFB_LAYOUT_CONSTANT" = CONSTANT,
    }
});

/// The table of structs, fields and constants, which ends with a row of kind `TRFB_LAYOUT_END`.
#[unsafe(no_mangle)]
pub extern "C" fn trfb_abi_layout() -> *const LayoutRow {
    LAYOUT.0.as_ptr()
}

const _: AbiLayout = trfb_abi_layout;
