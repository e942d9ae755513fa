//! Overlap against brute force: the bytes of every element, counted.

use std::collections::HashMap;

use crate::arrays::{call, contiguous, strided};
use proptest::prelude::*;
use trfboost_abi_check::signatures::UPDATE_ERROR;
use trfboost_abi_check::{
    Access, Argument, Descriptor, Dtype, Fault, FaultKind, Parameter, Signature, Written, check, check_view, check_with,
};

const F64: Dtype = Dtype::FLOAT64;

/// Two arrays, the first of them written.
const PAIR: Signature = Signature {
    name: "pair",
    parameters: &[
        Parameter::Array { name: "out", dtype: Dtype::INT8, dimensions: &[], access: Access::Write, optional: false },
        Parameter::Array { name: "input", dtype: F64, dimensions: &[], access: Access::Read, optional: false },
    ],
};

/// How many elements have each byte.
fn bytes(view: &Descriptor) -> HashMap<i128, u32> {
    let mut starts = vec![i128::from(view.data)];
    for axis in 0..view.ndim as usize {
        let (length, stride) = (view.shape[axis], i128::from(view.strides[axis]));
        starts = starts.iter().flat_map(|&start| (0..length).map(move |i| start + i128::from(i) * stride)).collect();
    }
    let mut counts = HashMap::new();
    for byte in starts.into_iter().flat_map(|start| (0..i128::from(view.dtype.0 & 0xff)).map(move |byte| start + byte))
    {
        *counts.entry(byte).or_default() += 1;
    }
    counts
}

fn small_view(dtype: Dtype, size: i64) -> impl Strategy<Value = Descriptor> {
    let axis = (0..=4_i64, (-6..=6_i64).prop_map(move |steps| steps * size));
    (0..40_u64, prop::collection::vec(axis, 0..=4))
        .prop_map(move |(offset, axes)| strided(0x1_0000 + offset * size as u64, dtype, &axes))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4000) })]

    #[test]
    fn a_view_that_is_written_has_no_byte_twice(view in small_view(F64, 8)) {
        let repeats = bytes(&view).values().any(|&count| count > 1);
        let found = check_view(&Argument::View(&view), F64, None, Access::Write);
        prop_assert_eq!(found.map_err(|fault| fault.kind), if repeats { Err(FaultKind::Overlap) } else { Ok(()) });
    }

    #[test]
    fn views_share_a_byte_or_do_not(out in small_view(Dtype::INT8, 1), input in small_view(F64, 8)) {
        let (ours, theirs) = (bytes(&out), bytes(&input));
        prop_assume!(ours.values().all(|&count| count == 1));
        let signature = Signature { parameters: dimensions(out.ndim, input.ndim), ..PAIR };
        let found = check(&signature, &[Argument::View(&out), Argument::View(&input)]);
        let shares = ours.keys().any(|byte| theirs.contains_key(byte));
        prop_assert_eq!(found.map_err(|fault| (fault.kind, fault.actual)), if shares { Err((FaultKind::Overlap, 1)) } else { Ok(()) });
    }
}

/// The parameters of [`PAIR`] with as many dimensions, each of a length of its own.
fn dimensions(out: i32, input: i32) -> &'static [Parameter] {
    use trfboost_abi_check::Dimension::{self, Named};
    const OUT: [Dimension; 4] = [Named("a"), Named("b"), Named("c"), Named("d")];
    const INPUT: [Dimension; 4] = [Named("e"), Named("f"), Named("g"), Named("h")];
    let parameter =
        |name, dtype, dimensions, access| Parameter::Array { name, dtype, dimensions, access, optional: false };
    let (out, input) = (&*OUT[..out as usize].to_vec().leak(), &*INPUT[..input as usize].to_vec().leak());
    vec![parameter("out", Dtype::INT8, out, Access::Write), parameter("input", F64, input, Access::Read)].leak()
}

#[test]
fn columns_of_one_array_are_apart() {
    let even = strided(0x1_0000, F64, &[(1000, 16)]);
    let odd = strided(0x1_0008, F64, &[(1000, 16)]);
    let indexes = contiguous(0x9_0000, Dtype::INT64, &[1, 2]);
    assert_eq!(call(&UPDATE_ERROR, &[even, odd, indexes]), Ok(()));
    let reversed = strided(0x1_0008 + 999 * 16, F64, &[(1000, -16)]);
    assert_eq!(call(&UPDATE_ERROR, &[even, reversed, indexes]), Ok(()));
    let shifted = strided(0x1_0010, F64, &[(1000, 16)]);
    assert_eq!(call(&UPDATE_ERROR, &[even, shifted, indexes]).unwrap_err().kind, FaultKind::Overlap);
}

#[test]
fn strides_made_to_be_hard_are_answered_in_time_and_never_wrongly() {
    // Coprime strides of many lengths: a knapsack. Whether it is solved or refused, it does not pass
    // as free of overlap unless it is.
    let axes = [(997, 8 * 1009), (991, 8 * 1013), (983, 8 * 1019), (977, 8 * 1021)];
    let view = strided(0x1_0000, F64, &axes);
    let found = check_view(&Argument::View(&view), F64, None, Access::Write).unwrap_err();
    assert_eq!(found.kind, FaultKind::Overlap);
}

#[test]
fn where_it_cannot_be_told_in_time_the_sentence_says_may() {
    // Three strides without a common divisor, so large that hardly any two sums are equal (in fact none
    // are): tens of thousands of values would have to be tried.
    let axes = [(100_000, 8 * 1_234_567_890_123), (100_000, 8 * 1_098_765_432_199), (100_000, 8 * 987_654_321_987)];
    let view = strided(0x1_0000, F64, &axes);
    let found = check_view(&Argument::View(&view), F64, None, Access::Write).unwrap_err();
    assert_eq!((found.kind, found.actual), (FaultKind::Overlap, 0));
    assert_eq!(
        found.to_string(),
        "view: may overlap itself (strides too intricate to tell), but it is written; pass a copy"
    );
}

#[test]
fn two_outputs_that_share_memory_are_told_at_the_first_of_them() {
    use trfboost_abi_check::signatures::BOOSTING_RUNS;
    let (f64s, i64s) =
        (|at, shape: &[i64]| contiguous(at, F64, shape), |at, shape: &[i64]| contiguous(at, Dtype::INT64, shape));
    let inputs = [
        f64s(0x1_0000, &[2, 50]),
        f64s(0x2_0000, &[3, 50]),
        f64s(0x3_0000, &[3]),
        i64s(0x4_0000, &[4, 5, 2]),
        i64s(0x5_0000, &[4, 6, 2]),
        i64s(0x6_0000, &[4, 7, 2]),
        i64s(0x7_0000, &[3]),
        i64s(0x8_0000, &[3]),
    ];
    let (hs, failed, steps) =
        (f64s(0x9_0000, &[4, 2, 3, 9]), contiguous(0xa_0000, Dtype::INT8, &[4, 2]), i64s(0xb_0000, &[4, 2]));
    let with = |stop: Descriptor| {
        let views: Vec<_> = inputs.iter().chain([&hs, &failed, &steps, &stop]).copied().collect();
        call(&BOOSTING_RUNS, &views)
    };
    // Bytes of the rows of a record array beside each other are apart, the same bytes are not.
    assert_eq!(with(contiguous(0xa_0008, Dtype::INT8, &[4, 2])), Ok(()));
    let fault = with(contiguous(0xa_0007, Dtype::INT8, &[4, 2])).unwrap_err();
    assert_eq!((fault.kind, fault.name, fault.argument, fault.actual), (FaultKind::Overlap, "failed", 14, 16));
    assert_eq!(fault.to_string(), "failed: shares memory with stop, but it is written; pass a copy of one of them");
}

#[test]
fn what_is_written_through_a_pointer_may_lie_between_elements_and_not_in_them() {
    use trfboost_abi_check::signatures::ERROR_FOR_INDEXES;
    // Every second double; the segments are elsewhere.
    let (x, indexes) = (strided(0x1_0008, F64, &[(100, -16)]), contiguous(0x9_0000, Dtype::INT64, &[1, 2]));
    let with = |x: &Descriptor, address, size| {
        let written = [Written { name: "out", address, size }];
        check_with(&ERROR_FOR_INDEXES, &[Argument::View(x), Argument::View(&indexes)], &written)
    };
    let told = |fault: Fault| (fault.kind, fault.name, fault.argument, fault.actual);
    for place in [0x1_0010, 0x1_0000, 0x1_0008 - 99 * 16 - 8, 0, 0x9_0010, u64::MAX - 3] {
        assert_eq!(with(&x, place, 8), Ok(()), "{place:#x}");
    }
    for place in [0x1_0008, 0x1_0001, 0x1_000f, 0x1_0008 - 99 * 16 - 7] {
        assert_eq!(with(&x, place, 8).map_err(told), Err((FaultKind::Overlap, "out", 3, 0)), "{place:#x}");
    }
    assert_eq!(with(&x, 0x1_0000, 9).map_err(told), Err((FaultKind::Overlap, "out", 3, 0)));
    assert_eq!(with(&x, 0x8_ffff, 2).map_err(told), Err((FaultKind::Overlap, "out", 3, 1)));
    let fault = with(&x, 0x1_0008, 8).unwrap_err();
    assert_eq!(fault.to_string(), "out: shares memory with x, but it is written; pass a copy of one of them");
}

#[test]
fn views_of_eight_dimensions_each_are_compared() {
    // Two elements along each axis, with steps of 4^k and 2 x 4^k, which make one; and of 8 x 9^k and 24 x 9^k, of
    // which none is all that the smaller ones and a byte reach, so that the equation has as many terms as it can.
    let axes = |first: i64, base: i64| (0..8).map(|axis| (2, first * base.pow(axis))).collect::<Vec<_>>();
    let cases = [(Dtype::INT8, axes(1, 4), axes(2, 4)), (F64, axes(8, 9), axes(24, 9))];
    let mut answers = [false; 2];
    for (dtype, ours, theirs) in cases {
        let signature = of_eight_dimensions(dtype);
        for offset in 0..32 {
            let (out, input) = (strided(0x1_0000 + offset, Dtype::INT8, &ours), strided(0x1_0008, dtype, &theirs));
            let (our_bytes, their_bytes) = (bytes(&out), bytes(&input));
            let shares = our_bytes.keys().any(|byte| their_bytes.contains_key(byte));
            let found = check(&signature, &[Argument::View(&out), Argument::View(&input)]);
            let told = found.map_err(|fault| (fault.kind, fault.actual));
            assert_eq!(told, if shares { Err((FaultKind::Overlap, 1)) } else { Ok(()) }, "{offset}");
            answers[usize::from(shares)] = true;
        }
    }
    assert_eq!(answers, [true; 2], "some are apart, and some are not");
}

/// An output of bytes and an input, each length with a name of its own.
fn of_eight_dimensions(dtype: Dtype) -> Signature {
    const NAMES: [&str; 16] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p"];
    let named = NAMES.map(trfboost_abi_check::Dimension::Named);
    let of = |name, dtype, dimensions: &[_], access| Parameter::Array {
        name,
        dtype,
        dimensions: dimensions.to_vec().leak(),
        access,
        optional: false,
    };
    let out = of("out", Dtype::INT8, &named[..8], Access::Write);
    Signature { parameters: vec![out, of("input", dtype, &named[8..], Access::Read)].leak(), ..PAIR }
}
