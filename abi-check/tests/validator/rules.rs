//! One rule after the other: what is planted, what is reported, and in which words.

use crate::arrays::{call, contiguous, strided, update_error};
use trfboost_abi_check::FaultKind::{self, *};
use trfboost_abi_check::signatures::{BOOSTING_FIT, CONVOLVE, GENERATE_OPTIONS, UPDATE_ERROR};
use trfboost_abi_check::{
    Access, Argument, Descriptor, Dimension, Dtype, Head, Parameter, Signature, check, check_view,
};

/// What is planted in `x`, the second argument of `trfb_update_error`.
type Plant = fn(&mut Descriptor);

/// Kind, axis, expected and actual of the fault, and its sentence.
type Told = (FaultKind, Option<i32>, i64, i64, &'static str);

const FAULTS: [(Plant, Told); 23] = [
    (
        |x| x.magic = 7,
        (
            NotAView,
            None,
            0x5646_5254,
            7,
            "x: not a trfb_view (its first word is 0x7, expected 0x56465254); pass the address of a descriptor, not of the data",
        ),
    ),
    (
        |x| x.size = 168,
        (
            StructSize,
            None,
            176,
            168,
            "x: trfb_view of 168 bytes, expected 176; build against the trfboost.h of this library",
        ),
    ),
    (
        |x| x.version = 2,
        (
            AbiVersion,
            None,
            1,
            2,
            "x: trfb_view of ABI version 2, expected 1; build against the trfboost.h of this library",
        ),
    ),
    (|x| x.ndim = 2, (Ndim, None, 1, 2, "x: ndim is 2, expected 1: [T]")),
    (|x| x.ndim = -1, (Ndim, None, 1, -1, "x: ndim is -1, expected 1: [T]")),
    (|x| x.ndim = 9, (Ndim, None, 1, 9, "x: ndim is 9, expected 1: [T]")),
    (|x| x.dtype = Dtype(0x6604), (Dtype_, None, 0x6608, 0x6604, "x: dtype is float32, expected float64; convert it")),
    (|x| x.flags = 4, (Flags, None, 0, 4, "x: flags are 0x4, known is 0x1 (TRFB_READONLY); set other bits to 0")),
    (|x| x.shape[0] = -5, (NegativeLength, Some(0), 0, -5, "x: axis 0 has length -5, which is negative")),
    (|x| x.data = 0, (NullData, None, 0, 0, "x: data is NULL, but the shape has elements")),
    (
        |x| x.data += 4,
        (
            Misaligned,
            None,
            8,
            0x2_0004,
            "x: data at 0x20004 is misaligned (float64 needs a multiple of 8); copy it into a new array",
        ),
    ),
    (
        |x| x.strides[0] = 12,
        (
            Misaligned,
            Some(0),
            8,
            12,
            "x: stride 12 of axis 0 is misaligned (float64 needs a multiple of 8); copy it into a new array",
        ),
    ),
    (
        |x| x.strides[0] = i64::MAX - 7,
        (AddressSpace, Some(0), 0, 0, "x: axis 0 leaves the address space (length 100, stride 9223372036854775800)"),
    ),
    (
        |x| x.strides[0] = i64::MIN,
        (AddressSpace, Some(0), 0, 0, "x: axis 0 leaves the address space (length 100, stride -9223372036854775808)"),
    ),
    (|x| x.strides[0] = -0x2000, (AddressSpace, None, 0, 0, "x: its elements leave the address space")),
    (|x| x.data = u64::MAX - 7, (AddressSpace, None, 0, 0, "x: its elements leave the address space")),
    (
        |x| (x.base, x.extent) = (0x2_0000, 792),
        (
            Bounds,
            None,
            792,
            0,
            "x: its elements lie in bytes 0 to 800 from base, but extent is 792; check shape and strides",
        ),
    ),
    (
        |x| (x.base, x.extent) = (0x2_0008, 800),
        (
            Bounds,
            None,
            800,
            0,
            "x: its elements lie in bytes -8 to 792 from base, but extent is 800; check shape and strides",
        ),
    ),
    (
        |x| x.base = 0x2_0000,
        (Bounds, None, 0, 0, "x: base is 0x20000 and extent 0; give both, or 0 for both if they are not known"),
    ),
    (
        |x| x.extent = 800,
        (Bounds, None, 800, 0, "x: base is 0x0 and extent 800; give both, or 0 for both if they are not known"),
    ),
    (
        |x| (x.base, x.extent) = (0x2_0000, u64::MAX),
        (Bounds, None, -1, 0, "x: base 0x20000 and extent 18446744073709551615 leave the address space"),
    ),
    (|x| x.shape[0] = 99, (Length, Some(0), 100, 99, "x: axis 0 has length 99, but y_error fixed T = 100")),
    (
        |x| x.data = 0x1_0000,
        (Overlap, None, 0, 1, "y_error: shares memory with x, but it is written; pass a copy of one of them"),
    ),
];

/// The name that the enum has for the kind called as the type.
#[allow(non_upper_case_globals)]
const Dtype_: FaultKind = FaultKind::Dtype;

#[test]
fn a_fault_is_told_by_number_and_in_a_sentence() {
    assert_eq!(call(&UPDATE_ERROR, &update_error()), Ok(()));
    for (plant, (kind, axis, expected, actual, sentence)) in FAULTS {
        let mut views = update_error();
        plant(&mut views[1]);
        let fault = call(&UPDATE_ERROR, &views).expect_err(sentence);
        assert_eq!(fault.to_string(), sentence);
        let position = if kind == Overlap { 0 } else { 1 };
        let told = (fault.kind, fault.argument, fault.axis, fault.expected, fault.actual);
        assert_eq!(told, (kind, position, axis, expected, actual), "{sentence}");
    }
}

#[test]
fn the_first_fault_in_the_order_of_the_rules_is_told() {
    // Each planted in one view with all that come after it: what is told is the first. (Those of
    // address arithmetic and bounds exclude each other.)
    let order: [usize; 9] = [0, 1, 2, 3, 6, 7, 8, 9, 21];
    for (index, &first) in order.iter().enumerate() {
        let mut views = update_error();
        for &later in order[index..].iter().rev() {
            FAULTS[later].0(&mut views[1]);
        }
        assert_eq!(call(&UPDATE_ERROR, &views).unwrap_err().kind, FAULTS[first].1.0);
    }
}

#[test]
fn what_is_no_descriptor_is_told_from_one() {
    let [y_error, _, indexes] = update_error();
    let with = |x| check(&UPDATE_ERROR, &[Argument::View(&y_error), x, Argument::View(&indexes)]).unwrap_err();
    assert_eq!(with(Argument::Null).to_string(), "x: NULL, but an array is needed; pass the address of a trfb_view");
    let fault = with(Argument::Misaligned { address: 0x1001 });
    assert_eq!((fault.kind, fault.argument), (NotAView, 1));
    assert!(fault.to_string().starts_with("x: not a trfb_view (its address 0x1001 is not a multiple of 8)"), "{fault}");
    let fault = with(Argument::Foreign(Head { magic: 0, ..Head::CURRENT }));
    assert_eq!((fault.kind, fault.expected, fault.actual), (NotAView, 0x5646_5254, 0));
}

#[test]
fn an_empty_view_may_point_anywhere() {
    let mut views = update_error();
    views[2] = Descriptor { base: 1, ..strided(3, Dtype::INT64, &[(0, 0), (2, 5)]) };
    assert_eq!(call(&UPDATE_ERROR, &views), Ok(()));
    // But a length that has to be 2 is not made right by one that is 0.
    views[2].shape = [2, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(
        call(&UPDATE_ERROR, &views).unwrap_err().to_string(),
        "indexes: axis 1 has length 0, expected 2; its transpose would fit"
    );
    // Nor do several zeros make elements.
    for zeros in 1..=8 {
        let view = strided(0, Dtype::FLOAT64, &[(0, 8)].repeat(zeros));
        assert_eq!(check_view(&Argument::View(&view), Dtype::FLOAT64, None, Access::Write), Ok(()), "{zeros} zeros");
    }
}

#[test]
fn the_stride_of_a_single_element_is_not_looked_at() {
    let mut views = update_error();
    views[2] = strided(0x3_0000, Dtype::INT64, &[(1, i64::MAX), (2, 8)]);
    assert_eq!(call(&UPDATE_ERROR, &views), Ok(()));
}

#[test]
fn inputs_may_repeat_reverse_and_share_memory() {
    let mut views = update_error();
    views[1] = Descriptor { flags: 1, ..strided(0x3_0000, Dtype::FLOAT64, &[(100, 0)]) };
    assert_eq!(call(&UPDATE_ERROR, &views), Ok(()));
    views[1] = strided(0x2_0000 + 99 * 8, Dtype::FLOAT64, &[(100, -8)]);
    assert_eq!(call(&UPDATE_ERROR, &views), Ok(()));
}

#[test]
fn elements_that_take_no_room_are_counted_without_wrapping() {
    let many = strided(0x1000, Dtype::FLOAT64, &[(1 << 62, 0)]);
    assert_eq!(check_view(&Argument::View(&many), Dtype::FLOAT64, None, Access::Read), Ok(()));
    let too_many = strided(0x1000, Dtype::FLOAT64, &[(1 << 40, 0), (1 << 40, 0)]);
    let fault = check_view(&Argument::View(&too_many), Dtype::FLOAT64, None, Access::Read).unwrap_err();
    assert_eq!(fault.to_string(), "view: its lengths multiply to more than 2^63 - 1 elements");
}

#[test]
fn an_output_is_writable_and_has_each_element_once() {
    let mut views = update_error();
    views[0].flags = 1;
    let fault = call(&UPDATE_ERROR, &views).unwrap_err();
    assert_eq!((fault.kind, fault.argument), (ReadonlyOutput, 0));
    assert_eq!(fault.to_string(), "y_error: read-only, but it is written; pass a writable array, such as a copy");
    views[0] = strided(0x1_0000, Dtype::FLOAT64, &[(100, 0)]);
    let fault = call(&UPDATE_ERROR, &views).unwrap_err();
    assert_eq!((fault.kind, fault.argument, fault.actual), (Overlap, 0, 0));
    assert_eq!(fault.to_string(), "y_error: has elements that share memory, but it is written; pass a copy");
}

#[test]
fn an_optional_array_may_be_null() {
    let n = 3;
    let f64s = |index: u64, shape: &[i64]| contiguous(index << 20, Dtype::FLOAT64, shape);
    let i64s = |index: u64, shape: &[i64]| contiguous(index << 20, Dtype::INT64, shape);
    let lists = [i64s(4, &[2, 2]), i64s(5, &[1, 2]), i64s(6, &[3, 2])];
    let lags = [i64s(7, &[n]), i64s(8, &[n])];
    let views = [f64s(1, &[50]), f64s(2, &[n, 50]), f64s(3, &[n]), lists[0], lists[1], lists[2], lags[0], lags[1]];
    let (h, history) = (f64s(9, &[n, 7]), f64s(10, &[100, 6]));
    let mut arguments: Vec<_> = views.iter().chain([&h, &history]).map(Argument::View).collect();
    assert_eq!(check(&BOOSTING_FIT, &arguments), Ok(()));
    arguments[9] = Argument::Null;
    assert_eq!(check(&BOOSTING_FIT, &arguments), Ok(()));
    arguments[8] = Argument::Null;
    let fault = check(&BOOSTING_FIT, &arguments).unwrap_err();
    assert_eq!((fault.kind, fault.argument, fault.name), (Null, 12, "h"));
}

/// The arrays of a call of `trfb_generate_options` that fits.
fn generate_options() -> [Descriptor; 9] {
    let f64s = |index: u64, shape: &[i64]| contiguous(index << 20, Dtype::FLOAT64, shape);
    let i64s = |index: u64, shape: &[i64]| contiguous(index << 20, Dtype::INT64, shape);
    let i8s = |index: u64, shape: &[i64]| contiguous(index << 20, Dtype::INT8, shape);
    let (y_error, x, x_pads, x_active) = (f64s(1, &[100]), f64s(2, &[3, 100]), f64s(3, &[3]), i8s(4, &[3]));
    let (start, stop) = (i64s(6, &[3]), i64s(7, &[3]));
    [y_error, x, x_pads, x_active, i64s(5, &[4, 2]), start, stop, f64s(8, &[3, 7]), i8s(9, &[3, 7])]
}

#[test]
fn the_argument_that_fixed_a_length_is_named_and_the_transpose_that_would_help() {
    let cases: [(usize, &[i64], i32, &str); 5] = [
        (1, &[3, 99], 1, "x: axis 1 has length 99, but y_error fixed T = 100"),
        (1, &[100, 3], 1, "x: axis 1 has length 3, but y_error fixed T = 100; its transpose would fit"),
        (2, &[4], 2, "x_pads: axis 0 has length 4, but x fixed n = 3"),
        (4, &[2, 4], 4, "indexes: axis 1 has length 4, expected 2; its transpose would fit"),
        (8, &[3, 6], 11, "new_sign: axis 1 has length 6, but new_error fixed L = 7"),
    ];
    assert_eq!(call(&GENERATE_OPTIONS, &generate_options()), Ok(()));
    for (index, shape, position, sentence) in cases {
        let mut views = generate_options();
        views[index] = contiguous(views[index].data, views[index].dtype, shape);
        let fault = call(&GENERATE_OPTIONS, &views).expect_err(sentence);
        assert_eq!((fault.to_string().as_str(), fault.kind, fault.argument), (sentence, Length, position));
    }
}

#[test]
fn the_transpose_of_the_argument_that_fixed_a_length_may_be_what_helps() {
    let f64s = |index: u64, shape: &[i64]| contiguous(index << 20, Dtype::FLOAT64, shape);
    let with = |h: &[i64], x: &[i64], x_pads: &[i64], out: &[i64]| {
        let views = [f64s(1, h), f64s(2, x), f64s(3, x_pads), contiguous(4 << 20, Dtype::INT64, &[1, 2]), f64s(5, out)];
        call(&CONVOLVE, &views).map_err(|fault| fault.to_string())
    };
    let told = |sentence: &str| Err(sentence.to_owned());
    assert_eq!(with(&[3, 7], &[3, 100], &[3], &[100]), Ok(()));
    assert_eq!(
        with(&[7, 3], &[3, 100], &[3], &[100]),
        told("x: axis 0 has length 3, but h fixed n = 7; the transpose of h would fit")
    );
    assert_eq!(
        with(&[7, 3], &[100, 3], &[3], &[100]),
        told("x: axis 0 has length 100, but h fixed n = 7; the transposes of both would fit")
    );
    assert_eq!(
        with(&[3, 7], &[100, 3], &[3], &[100]),
        told("x: axis 0 has length 100, but h fixed n = 3; its transpose would fit")
    );
    assert_eq!(with(&[4, 7], &[3, 100], &[3], &[100]), told("x: axis 0 has length 3, but h fixed n = 4"));
}

#[test]
fn bool_for_int8_is_told_that_the_bytes_are_the_same() {
    let mut views = generate_options();
    views[3].dtype = Dtype::BOOL;
    let fault = call(&GENERATE_OPTIONS, &views).unwrap_err();
    assert_eq!((fault.argument, fault.expected, fault.actual), (3, 0x6901, 0x6201));
    assert_eq!(fault.to_string(), "x_active: dtype is bool, expected int8; the bytes are the same, so view it as int8");
}

#[test]
fn views_can_be_checked_before_a_call() {
    let view = contiguous(0x1000, Dtype::INT8, &[5, 5]);
    let check =
        |dtype, ndim, access| check_view(&Argument::View(&view), dtype, ndim, access).map_err(|fault| fault.kind);
    assert_eq!(check(Dtype::INT8, None, Access::Write), Ok(()));
    assert_eq!(check(Dtype::INT8, Some(2), Access::Read), Ok(()));
    assert_eq!(check(Dtype::INT8, Some(1), Access::Read), Err(Ndim));
    assert_eq!(check(Dtype::BOOL, Some(2), Access::Read), Err(FaultKind::Dtype));
    assert_eq!(check(trfboost_abi_check::Dtype(0x7a03), None, Access::Read), Err(FaultKind::Dtype));
    // What is no element type is not asked for, even if the view says the same.
    let odd = Descriptor { dtype: trfboost_abi_check::Dtype(0x7a03), ..view };
    let fault = check_view(&Argument::View(&odd), odd.dtype, None, Access::Read).unwrap_err();
    assert_eq!(fault.to_string(), "view: cannot have dtype 0x7a03, which is not an element type");
}

#[test]
fn a_complex_number_needs_the_alignment_of_its_parts() {
    let complex = trfboost_abi_check::Dtype(0x6310);
    let at = |address| {
        let view = contiguous(address, complex, &[3]);
        check_view(&Argument::View(&view), complex, Some(1), Access::Read).map_err(|fault| (fault.kind, fault.expected))
    };
    assert_eq!([at(0x1010), at(0x1008)], [Ok(()), Ok(())]);
    assert_eq!(at(0x1004), Err((Misaligned, 8)));
}

#[test]
fn a_parameter_is_found_by_name_or_has_no_position() {
    let positions = ["y_error", "x_pad", "shift", "y", ""].map(|name| UPDATE_ERROR.position(name));
    assert_eq!(positions, [0, 2, 5, -1, -1]);
}

#[test]
fn names_of_lengths_are_the_same_wherever_they_are_written() {
    // One name, and others that share its beginning or its length, each in memory of its own.
    let names = ["n_y", "n_y", "n_x", "n", "n_yy"].map(|name| &*name.to_owned().leak());
    for (index, second) in names.into_iter().enumerate().skip(1) {
        let of = |name, length| Parameter::Array {
            name,
            dtype: Dtype::FLOAT64,
            dimensions: vec![Dimension::Named(length)].leak(),
            access: Access::Read,
            optional: false,
        };
        let parameters = vec![of("one", names[0]), of("other", second)].leak();
        let views = [3, 4].map(|length| contiguous(0x1000, Dtype::FLOAT64, &[length]));
        let found = call(&Signature { name: "names", parameters }, &views).map_err(|fault| fault.kind);
        assert_eq!(found, if index == 1 { Err(Length) } else { Ok(()) }, "{second}");
    }
}
