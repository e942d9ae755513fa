//! Any bytes as descriptors: an answer, a sentence that fits, and arithmetic that does not wrap.

use crate::arrays::strided;
use proptest::prelude::*;
use trfboost_abi_check::{
    Access, Argument, Descriptor, Dimension, Dtype, Fault, FaultKind, Head, Parameter, Signature, check, check_view,
    signatures,
};

/// Bytes of any kind, and fields of a descriptor with a few of them gone wrong.
fn descriptor() -> impl Strategy<Value = Descriptor> {
    let any_bytes = prop::array::uniform32(any::<u64>()).prop_map(|words| bytemuck::cast_slice(&words)[..176].to_vec());
    let bytes = any_bytes.prop_map(|bytes| bytemuck::pod_read_unaligned(&bytes));
    let extreme = prop_oneof![any::<i64>(), Just(i64::MAX), Just(i64::MIN), -3..=3_i64, Just(1 << 61)];
    let lengths = prop::array::uniform8(extreme.clone());
    let near = (lengths, prop::array::uniform8(extreme), any::<u64>(), -1..=9_i32, 0..4_u64, 0..3_u64, 0..4_usize);
    let near = near.prop_map(|(shape, strides, data, ndim, base, extent, dtype)| Descriptor {
        dtype: [Dtype::FLOAT64, Dtype::INT64, Dtype::INT8, Dtype::BOOL][dtype],
        ndim,
        data: data & !7,
        shape,
        strides: strides.map(|stride| stride & !7),
        base: base * (data / 4),
        extent: extent * (u64::MAX / 2),
        ..Descriptor::EMPTY
    });
    prop_oneof![bytes, near]
}

/// One array of two axes, read.
const TWO_AXES: Signature = Signature {
    name: "two_axes",
    parameters: &[Parameter::Array {
        name: "view",
        dtype: Dtype::FLOAT64,
        dimensions: &[Dimension::Named("rows"), Dimension::Named("columns")],
        access: Access::Read,
        optional: false,
    }],
};

/// Kind, axis, expected and actual of a fault.
type Told = (FaultKind, Option<i32>, i64, i64);

/// What is said of a view in a call, which looks first whether it is a usual one, and of a view on its own, which
/// is looked at rule by rule.
fn both_ways(view: &Descriptor) -> [Result<(), Told>; 2] {
    let in_a_call = check(&TWO_AXES, &[argument(view)]);
    let alone = check_view(&argument(view), Dtype::FLOAT64, Some(2), Access::Read);
    let told = |fault: Fault| (fault.kind, fault.axis, fault.expected, fault.actual);
    [in_a_call, alone].map(|found| found.map_err(told))
}

/// Views that are sound, or nearly: small numbers around the edges of alignment and bounds.
fn near_usual() -> impl Strategy<Value = Descriptor> {
    let axis = || (-1..4_i64, prop_oneof![(-4..=4_i64).prop_map(|steps| steps * 8), -20..20_i64]);
    let bounds = prop_oneof![Just((0, 0)), (0..140_u64, 0..140_u64)];
    let address = prop_oneof![(0..16_u64).prop_map(|items| items * 8), 0..140_u64];
    (axis(), axis(), address, bounds, 0..3_u64).prop_map(|(rows, columns, data, (base, extent), flags)| Descriptor {
        base,
        extent,
        flags,
        ..strided(data, Dtype::FLOAT64, &[rows, columns])
    })
}

fn argument(view: &Descriptor) -> Argument<'_> {
    if view.head().fits() { Argument::View(view) } else { Argument::Foreign(view.head()) }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn every_call_gets_an_answer(views in prop::collection::vec(descriptor(), 12)) {
        for signature in signatures::ALL {
            let arguments: Vec<_> = views.iter().map(argument).collect();
            if let Err(fault) = check(signature, &arguments) {
                let sentence = fault.to_string();
                prop_assert!(sentence.len() <= 255, "{} bytes: {sentence}", sentence.len());
                prop_assert!(sentence.starts_with(&format!("{}: ", fault.name)), "{sentence}");
            }
        }
    }

    #[test]
    fn the_short_way_and_the_long_way_agree(view in descriptor(), usual in near_usual()) {
        for view in [view, usual] {
            let [in_a_call, alone] = both_ways(&view);
            prop_assert_eq!(in_a_call, alone);
        }
    }

    #[test]
    fn what_passes_lies_within_the_address_space_and_its_bounds(view in descriptor()) {
        let found = check_view(&argument(&view), view.dtype, None, Access::Read);
        let (mut first, mut end, mut count) = (i128::from(view.data), i128::from(view.data) + i128::from(view.dtype.0 & 0xff), 1_i128);
        if found.is_ok() {
            prop_assert_eq!(view.head(), Head::CURRENT);
            for axis in 0..view.ndim as usize {
                let (length, stride) = (i128::from(view.shape[axis]), i128::from(view.strides[axis]));
                prop_assert!(length >= 0);
                count *= length;
                let reach = if length > 1 { (length - 1) * stride } else { 0 };
                if reach < 0 { first += reach } else { end += reach }
            }
        }
        if found.is_ok() && count > 0 {
            prop_assert!(count <= i128::from(i64::MAX) && end - first <= i128::from(i64::MAX));
            prop_assert!(first > 0 && end < 1 << 64);
            if view.extent > 0 {
                prop_assert!(first >= i128::from(view.base) && end <= i128::from(view.base) + i128::from(view.extent));
            }
        }
    }

    #[test]
    fn a_view_of_one_axis_is_refused_for_arithmetic_just_when_it_leaves(
        length in prop_oneof![1..100_i64, Just(1 << 61), Just(i64::MAX)],
        stride in prop_oneof![-100..100_i64, Just(i64::MAX / 8), Just(i64::MIN / 8), Just(1 << 58)],
        data in prop_oneof![1..1000_u64, Just(u64::MAX / 16), Just(1 << 59)],
    ) {
        let view = strided(data * 8, Dtype::FLOAT64, &[(length, stride * 8)]);
        let reach = (i128::from(length) - 1) * i128::from(stride) * 8;
        let (first, end) = (i128::from(view.data) + reach.min(0), i128::from(view.data) + reach.max(0) + 8);
        let fits = first > 0 && end <= i128::from(u64::MAX) && end - first <= i128::from(i64::MAX);
        let found = check_view(&Argument::View(&view), Dtype::FLOAT64, Some(1), Access::Read).map_err(|fault| fault.kind);
        prop_assert_eq!(found, if fits { Ok(()) } else { Err(FaultKind::AddressSpace) });
    }
}

#[test]
fn the_short_way_and_the_long_way_agree_at_each_small_address_and_stride() {
    for data in 0..=24 {
        for (length, stride) in (0..4_i64).flat_map(|length| (-17..=17).map(move |stride| (length, stride))) {
            for other in [(1, 8), (2, 8), (2, 4), (1, 3)] {
                let view = strided(data, Dtype::FLOAT64, &[(length, stride), other]);
                let [in_a_call, alone] = both_ways(&view);
                assert_eq!(in_a_call, alone, "{data} {length} {stride} {other:?}");
            }
        }
    }
}

#[test]
fn more_than_offsets_can_express_is_refused_though_no_address_wraps() {
    // From the lowest to the highest element 2^63 + 16 bytes, around an address in the middle.
    let half = (1 << 62) + 8;
    let view = strided(1 << 63, Dtype::FLOAT64, &[(2, -half), (2, half)]);
    let fault = check(&TWO_AXES, &[Argument::View(&view)]).unwrap_err();
    assert_eq!((fault.kind, fault.axis), (FaultKind::AddressSpace, None));
}
