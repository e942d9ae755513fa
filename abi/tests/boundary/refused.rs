//! Calls that are refused: the status, the argument, the numbers, the sentence, and memory that stays as
//! it was to the last bit.

use std::ffi::c_void;
use std::ptr;
use std::sync::OnceLock;

use trfboost::{ErrorDetails, FitResult, View, trfb_view_check};

use crate::call::{self, Call, T, details};
use crate::placed::{CONTIGUOUS, Layout};

fn contiguous(_: &str) -> Layout {
    CONTIGUOUS
}

/// Makes a call that is to be refused. Gives status, argument, axis, expected, actual and sentence.
fn refused(mut call: Call, about: &str) -> ([i64; 5], String) {
    let before = call.memory();
    let outcome = call.make();
    let ErrorDetails { size, status, argument, axis, expected, actual, .. } = outcome.details;
    assert_eq!(call.memory(), before, "{about}: something was written");
    assert_eq!((outcome.status, size), (status, 288), "{about}: {}", outcome.sentence());
    ([status.into(), argument.into(), axis.into(), expected, actual], outcome.sentence().to_owned())
}

/// What can be wrong with any array.
struct Spoil {
    what: &'static str,
    status: i64,
    axis: i64,
    /// Expected and actual, where they do not hang on the array.
    numbers: Option<(i64, i64)>,
    /// Whether the call was spoilt: not each array can have each fault.
    apply: fn(&mut Call, &'static str) -> bool,
}

const MAGIC: i64 = 0x5646_5254;

/// Memory of just the size of a head, with the size of a shorter struct in it. On the heap, so that
/// valgrind sees it if more is read, and kept, so that no leak is seen.
fn head_of_a_shorter_struct() -> *const View {
    static HEAD: OnceLock<Box<u64>> = OnceLock::new();
    ptr::from_ref(&**HEAD.get_or_init(|| Box::new(0x0001_00a8_5646_5254))).cast()
}

const SPOILS: &[Spoil] = &[
    Spoil {
        what: "an address between descriptors",
        status: 2,
        axis: -1,
        numbers: None,
        apply: |call, name| {
            let view = ptr::from_ref(call.view(name));
            call.pass(name, view.wrapping_byte_add(4));
            true
        },
    },
    Spoil {
        what: "the data's address",
        status: 2,
        axis: -1,
        numbers: None,
        apply: |call, name| {
            let data = call.view(name).data.cast_const();
            call.pass(name, data.cast());
            data.addr() % 8 == 0
        },
    },
    Spoil {
        what: "other magic",
        status: 2,
        axis: -1,
        numbers: Some((MAGIC, 7)),
        apply: |call, name| {
            call.view(name).magic = 7;
            true
        },
    },
    Spoil {
        what: "the head of a shorter struct",
        status: 3,
        axis: -1,
        numbers: Some((176, 168)),
        apply: |call, name| {
            call.pass(name, head_of_a_shorter_struct());
            true
        },
    },
    Spoil {
        what: "a later version",
        status: 4,
        axis: -1,
        numbers: Some((1, 2)),
        apply: |call, name| {
            call.view(name).version = 2;
            true
        },
    },
    Spoil {
        what: "one dimension more",
        status: 5,
        axis: -1,
        numbers: None,
        apply: |call, name| {
            call.view(name).ndim += 1;
            true
        },
    },
    Spoil {
        what: "no dimension",
        status: 5,
        axis: -1,
        numbers: None,
        apply: |call, name| {
            call.view(name).ndim = 0;
            true
        },
    },
    Spoil {
        what: "a negative number of dimensions",
        status: 5,
        axis: -1,
        numbers: None,
        apply: |call, name| {
            call.view(name).ndim = i32::MIN;
            true
        },
    },
    Spoil {
        what: "too many dimensions",
        status: 5,
        axis: -1,
        numbers: None,
        apply: |call, name| {
            call.view(name).ndim = i32::MAX;
            true
        },
    },
    Spoil {
        what: "float32",
        status: 6,
        axis: -1,
        numbers: None,
        apply: |call, name| {
            call.view(name).dtype = 0x6604;
            true
        },
    },
    Spoil {
        what: "bool",
        status: 6,
        axis: -1,
        numbers: None,
        apply: |call, name| {
            call.view(name).dtype = 0x6201;
            true
        },
    },
    Spoil {
        what: "no type",
        status: 6,
        axis: -1,
        numbers: None,
        apply: |call, name| {
            call.view(name).dtype = -1;
            true
        },
    },
    Spoil {
        what: "an unknown flag",
        status: 7,
        axis: -1,
        numbers: Some((0, 1 << 40)),
        apply: |call, name| {
            call.view(name).flags = 1 << 40;
            true
        },
    },
    Spoil {
        what: "a negative length",
        status: 8,
        axis: 0,
        numbers: Some((0, -1)),
        apply: |call, name| {
            call.view(name).shape[0] = -1;
            true
        },
    },
    Spoil {
        what: "no data",
        status: 9,
        axis: -1,
        numbers: Some((0, 0)),
        apply: |call, name| {
            call.view(name).data = ptr::null_mut();
            true
        },
    },
    Spoil {
        what: "misaligned data",
        status: 10,
        axis: -1,
        numbers: None,
        apply: |call, name| {
            let view = call.view(name);
            view.data = view.data.wrapping_byte_add(4);
            view.dtype != 0x6901
        },
    },
    Spoil {
        what: "a misaligned stride",
        status: 10,
        axis: 0,
        numbers: Some((8, 12)),
        apply: |call, name| {
            call.view(name).strides[0] = 12;
            call.view(name).shape[0] > 1 && call.view(name).dtype != 0x6901
        },
    },
    Spoil {
        what: "a stride times length that wraps",
        status: 11,
        axis: 0,
        numbers: Some((0, 0)),
        apply: |call, name| {
            (call.view(name).shape[0], call.view(name).strides[0]) = (1 << 40, 1 << 40);
            true
        },
    },
    Spoil {
        what: "more elements than can be counted",
        status: 11,
        axis: -1,
        numbers: Some((0, 0)),
        apply: |call, name| {
            let view = call.view(name);
            view.shape = [1 << 40; 8];
            view.strides = [0; 8];
            view.ndim > 1
        },
    },
    Spoil {
        what: "an address that wraps",
        status: 11,
        axis: -1,
        numbers: Some((0, 0)),
        apply: |call, name| {
            call.view(name).data = ptr::without_provenance_mut(usize::MAX - 7);
            call.view(name).dtype != 0x6901
        },
    },
    Spoil {
        what: "elements beyond the bounds",
        status: 12,
        axis: -1,
        numbers: None,
        apply: |call, name| {
            let view = call.view(name);
            (view.base, view.extent) = (view.data.cast_const(), 1);
            view.dtype != 0x6901
        },
    },
    Spoil {
        what: "elements before the bounds",
        status: 12,
        axis: -1,
        numbers: Some((4096, 0)),
        apply: |call, name| {
            let view = call.view(name);
            (view.base, view.extent) = (view.data.wrapping_byte_add(8).cast_const(), 4096);
            true
        },
    },
    Spoil {
        what: "a bound without an end",
        status: 12,
        axis: -1,
        numbers: Some((0, 0)),
        apply: |call, name| {
            call.view(name).base = call.view(name).data.cast_const();
            true
        },
    },
    Spoil {
        what: "bounds that wrap",
        status: 12,
        axis: -1,
        numbers: Some((-1, 0)),
        apply: |call, name| {
            let view = call.view(name);
            (view.base, view.extent) = (view.data.cast_const(), u64::MAX);
            true
        },
    },
];

#[test]
fn each_fault_of_each_array_of_each_function_is_named() {
    let mut refusals = 0;
    for (index, call) in call::all(&contiguous).iter().enumerate() {
        for (position, name, ..) in call.arrays() {
            for spoil in SPOILS {
                let about = format!("{} with {} for {name}", call.signature.name, spoil.what);
                let mut call = call::all(&contiguous).into_iter().nth(index).expect("as many");
                if !(spoil.apply)(&mut call, name) {
                    continue;
                }
                let ([status, argument, axis, expected, actual], sentence) = refused(call, &about);
                assert_eq!(
                    [status, argument, axis],
                    [spoil.status, position.into(), spoil.axis],
                    "{about}: {sentence}"
                );
                assert!(sentence.starts_with(&format!("{name}: ")), "{about}: {sentence}");
                assert!(
                    spoil.numbers.is_none_or(|numbers| numbers == (expected, actual)),
                    "{about}: {expected}, {actual}"
                );
                refusals += 1;
            }
        }
    }
    assert!(refusals > 41 * 20, "{refusals} calls were made");
}

#[test]
fn an_address_where_no_descriptor_can_be_is_named_unread() {
    for offset in 1..8 {
        for mut call in call::all(&contiguous) {
            let (position, name, ..) = call.arrays().next().expect("an array");
            let view = ptr::from_ref(call.view(name));
            call.pass(name, view.wrapping_byte_add(offset));
            let (numbers, sentence) = refused(call, "an odd address");
            assert_eq!(numbers[..3], [2, position.into(), -1]);
            assert!(sentence.starts_with(&format!("{name}: ")) && sentence.contains("multiple of 8"), "{sentence}");
        }
    }
}

#[test]
fn null_is_named_where_it_may_not_be_passed() {
    for (index, call) in call::all(&contiguous).iter().enumerate() {
        for (position, name, _, optional) in call.arrays() {
            let mut call = call::all(&contiguous).into_iter().nth(index).expect("as many");
            call.pass(name, ptr::null());
            if optional {
                assert_eq!(call.make().status, 0);
                continue;
            }
            let about = format!("{} with NULL for {name}", call.signature.name);
            let (numbers, sentence) = refused(call, &about);
            assert_eq!(numbers, [1, position.into(), -1, 0, 0], "{about}: {sentence}");
            assert!(sentence.starts_with(&format!("{name}: ")), "{about}: {sentence}");
        }
    }
}

#[test]
fn outputs_have_to_be_writable_and_apart() {
    for (index, call) in call::all(&contiguous).iter().enumerate() {
        for (position, name, written, _) in call.arrays() {
            let fresh = || call::all(&contiguous).into_iter().nth(index).expect("as many");
            let about = format!("{name} of {}", call.signature.name);
            if !written {
                continue;
            }
            let mut call = fresh();
            call.view(name).flags = 1;
            let (numbers, sentence) = refused(call, &about);
            assert_eq!(numbers, [14, position.into(), -1, 0, 0], "{sentence}");

            let mut call = fresh();
            call.view(name).strides[0] = 0;
            let (numbers, sentence) = refused(call, &about);
            assert_eq!(numbers, [15, position.into(), -1, 0, position.into()], "{sentence}");

            for (other_position, other, other_written, _) in fresh().arrays().filter(|(_, other, ..)| *other != name) {
                // Memory with room for either, so that no third array is near.
                let mut room = [0_u64; 1024];
                let mut call = fresh();
                call.view(name).data = room.as_mut_ptr().cast();
                call.view(other).data = room.as_mut_ptr().cast();
                let (numbers, sentence) = refused(call, &about);
                assert_eq!(room, [0; 1024], "{about}, {other}");
                // Of two outputs the first is reported.
                let swap = other_written && other_position < position;
                let (this, that) = if swap { (other_position, position) } else { (position, other_position) };
                assert_eq!(numbers, [15, this.into(), -1, 0, that.into()], "{about}, {other}: {sentence}");
                assert!(sentence.contains(name) && sentence.contains(other), "{sentence}");
            }
        }
    }
}

#[test]
fn what_is_written_through_a_pointer_lies_in_no_array() {
    type Make = fn(&dyn Fn(&str) -> Layout) -> Call;
    for (make, pointer, argument, size) in [(call::error as Make, "out", 3, 8), (call::fit, "result", 14, 40)] {
        for (position, name, ..) in make(&contiguous).arrays() {
            let mut call = make(&contiguous);
            // Memory with room before and behind, so that no third array is near.
            let mut room = [0_u64; 1024];
            let data = room[512..].as_mut_ptr().cast::<c_void>();
            call.view(name).data = data;
            let bytes = 8 * call.array(name).shape().iter().product::<usize>() as isize;
            // It ends with the first byte of the array, begins with it, begins with the last.
            for offset in [1 - size, 0, bytes - 1] {
                call.pointer = Some(data.wrapping_byte_offset(offset));
                let before = call.memory();
                let outcome = call.make();
                let ErrorDetails { status, argument: found, axis, expected, actual, .. } = outcome.details;
                let sentence = outcome.sentence();
                assert_eq!(
                    (status, found, axis, expected, actual),
                    (15, argument, -1, 0, position.into()),
                    "{sentence}"
                );
                assert!(sentence.starts_with(&format!("{pointer}: shares memory with {name}, ")), "{sentence}");
                assert!(call.memory() == before && room == [0; 1024], "{sentence}");
            }
        }
    }
}

/// A call that is spoilt, status, argument, axis, expected, actual, and how the sentence begins.
type Case = (fn(&dyn Fn(&str) -> Layout) -> Call, fn(&mut Call), [i64; 5], &'static str);

fn check_cases(cases: &[Case]) {
    for (make, spoil, numbers, beginning) in cases {
        let mut call = make(&contiguous);
        spoil(&mut call);
        let about = format!("{} with {beginning}", call.signature.name);
        let (actual, sentence) = refused(call, &about);
        assert!(sentence.starts_with(beginning), "{about}: {sentence}");
        assert_eq!(&actual, numbers, "{about}: {sentence}");
    }
}

#[test]
fn lengths_that_do_not_agree_are_named() {
    check_cases(&[
        (
            call::options,
            |call| call.view("x").shape[1] = 39,
            [13, 1, 1, 40, 39],
            "x: axis 1 has length 39, but y_error fixed T = 40",
        ),
        (
            call::options,
            |call| call.view("x_pads").shape[0] = 1,
            [13, 2, 0, 2, 1],
            "x_pads: axis 0 has length 1, but x fixed n = 2",
        ),
        (
            call::options,
            |call| call.view("x_active").shape[0] = 0,
            [13, 3, 0, 2, 0],
            "x_active: axis 0 has length 0, but x fixed n = 2",
        ),
        (
            call::options,
            |call| call.view("i_stop_by_x").shape[0] = 1,
            [13, 7, 0, 2, 1],
            "i_stop_by_x: axis 0 has length 1, but x fixed n = 2",
        ),
        (
            call::options,
            |call| call.view("new_sign").shape[1] = 7,
            [13, 11, 1, 8, 7],
            "new_sign: axis 1 has length 7, but new_error fixed L = 8",
        ),
        (
            call::options,
            |call| call.view("indexes").shape[1] = 1,
            [13, 4, 1, 2, 1],
            "indexes: axis 1 has length 1, expected 2",
        ),
        (
            call::error,
            |call| call.view("indexes").shape = [2, 0, 0, 0, 0, 0, 0, 0],
            [13, 1, 1, 2, 0],
            "indexes: axis 1 has length 0, expected 2",
        ),
        (
            call::update,
            |call| call.view("x").shape[0] = 39,
            [13, 1, 0, 40, 39],
            "x: axis 0 has length 39, but y_error fixed T = 40",
        ),
        (
            call::fit,
            |call| call.view("history").shape[1] = 5,
            [13, 13, 1, 6, 5],
            "history: axis 1 has length 5, expected 6",
        ),
        (call::fit, |call| call.view("h").shape[0] = 1, [13, 12, 0, 2, 1], "h: axis 0 has length 1, but x fixed n = 2"),
        (call::fit, |call| call.view("h").shape[1] = 5, [13, 12, 1, 6, 5], "h: axis 1 has length 5, expected 6"),
        (call::runs, |call| call.view("hs").shape[3] = 5, [13, 13, 3, 6, 5], "hs: axis 3 has length 5, expected 6"),
        (
            call::runs,
            |call| call.view("split_validate").shape[0] = 1,
            [13, 4, 0, 2, 1],
            "split_validate: axis 0 has length 1, but split_train fixed n_splits = 2",
        ),
        (
            call::runs,
            |call| call.view("failed").shape[1] = 2,
            [13, 14, 1, 3, 2],
            "failed: axis 1 has length 2, but y fixed n_y = 3",
        ),
        (
            call::runs,
            |call| call.view("stop").shape[0] = 1,
            [13, 16, 0, 2, 1],
            "stop: axis 0 has length 1, but split_train fixed n_splits = 2",
        ),
        (
            call::convolution,
            |call| call.view("x").shape[0] = 1,
            [13, 1, 0, 2, 1],
            "x: axis 0 has length 1, but h fixed n = 2",
        ),
        (
            call::convolution,
            |call| call.view("out").shape[0] = 39,
            [13, 5, 0, 40, 39],
            "out: axis 0 has length 39, but x fixed T = 40",
        ),
    ]);
}

/// Sets one element of an array.
macro_rules! element {
    ($name:literal [$index:expr] = $value:expr) => {
        |call: &mut Call| call.array_mut($name).write(|index, old| if index == $index { $value } else { old })
    };
}

#[test]
fn segments_and_lags_that_do_not_fit_are_named() {
    check_cases(&[
        (
            call::options,
            element!("indexes"[3] = 41_i64),
            [17, 4, 0, 40, 1],
            "indexes: row 1 is (18, 41), expected 0 <= start <= stop <= 40",
        ),
        (call::update, element!("indexes"[0] = -2_i64), [17, 3, 0, 40, 0], "indexes: row 0 is (-2, 16), expected"),
        (
            call::error,
            element!("indexes"[2] = i64::MAX),
            [17, 1, 0, 40, 1],
            "indexes: row 1 is (9223372036854775807, 40), expected",
        ),
        (
            call::convolution,
            element!("segments"[3] = i64::MIN),
            [17, 4, 0, 40, 1],
            "segments: row 1 is (20, -9223372036854775808), expected",
        ),
        (call::fit, element!("split_train"[0] = 17_i64), [17, 3, 0, 40, 0], "split_train: row 0 is (17, 16), expected"),
        (
            call::fit,
            element!("split_validate"[1] = 41_i64),
            [17, 4, 0, 40, 0],
            "split_validate: row 0 is (28, 41), expected",
        ),
        (
            call::fit,
            element!("split_train_and_validate"[5] = 41_i64),
            [17, 5, 0, 40, 2],
            "split_train_and_validate: row 2 is (28, 41), expected",
        ),
        (
            call::runs,
            element!("split_train"[1] = 41_i64),
            [17, 3, 1, 40, 0],
            "split_train: row 0 is (0, 41), expected 0 <= start <= stop <= 40 (in split 0)",
        ),
        (
            call::runs,
            element!("split_validate"[2] = -3_i64),
            [17, 4, 1, 40, 0],
            "split_validate: row 0 is (-3, 12), expected 0 <= start <= stop <= 40 (in split 1)",
        ),
        (
            call::options,
            element!("i_stop_by_x"[1] = -1_i64),
            [18, 7, 0, 0, 1],
            "i_stop_by_x: is -1 for predictor 1, expected at least i_start_by_x, which is 0",
        ),
        (
            call::options,
            element!("i_stop_by_x"[0] = 6_i64),
            [18, 7, 0, 0, 0],
            "i_stop_by_x: lags -2..6 of predictor 0 do not fit new_error",
        ),
        (
            call::options,
            element!("i_start_by_x"[1] = -4_i64),
            [18, 6, 0, 0, 1],
            "i_start_by_x: lags -4..4 of predictor 1 do not fit new_error",
        ),
        (
            call::options,
            |call| call.set("i_start", i64::MIN as f64),
            [18, 7, 0, 0, 0],
            "i_stop_by_x: lags -2..3 of predictor 0 do not fit new_error",
        ),
        (
            call::fit,
            element!("i_start_by_x"[1] = 5_i64),
            [18, 7, 0, 0, 1],
            "i_stop_by_x: is 4 for predictor 1, expected at least i_start_by_x, which is 5",
        ),
        (
            call::runs,
            element!("i_start_by_x"[0] = i64::MIN),
            [18, 7, 0, 0, 1],
            "i_stop_by_x: lags -9223372036854775808 to 4 are more than a filter can have",
        ),
    ]);
}

#[test]
fn scalars_out_of_range_are_named() {
    check_cases(&[
        (call::options, |call| call.set("error", 0.0), [16, 8, -1, 0, 0], "error: is 0, expected 1 (l1) or 2 (l2)"),
        (call::options, |call| call.set("delta", 0.0), [16, 9, -1, 0, 0], "delta: is 0, expected a finite number > 0"),
        (call::options, |call| call.set("delta", f64::NAN), [16, 9, -1, 0, 0], "delta: is NaN, expected"),
        (
            call::update,
            |call| call.set("delta", f64::INFINITY),
            [16, 4, -1, 0, 0],
            "delta: is inf, expected a finite number",
        ),
        (call::error, |call| call.set("error", 3.0), [16, 2, -1, 0, 0], "error: is 3, expected 1 (l1) or 2 (l2)"),
        (call::error, |call| call.out = None, [1, 3, -1, 0, 0], "out: "),
        (call::fit, |call| call.set("delta", -0.1), [16, 8, -1, 0, 0], "delta: is -0.1, expected a finite number > 0"),
        (call::fit, |call| call.set("mindelta", f64::INFINITY), [16, 9, -1, 0, 0], "mindelta: is inf, expected"),
        (call::fit, |call| call.set("error", -1.0), [16, 10, -1, 0, 0], "error: is -1, expected"),
        (
            call::fit,
            |call| call.set("selective_stopping", -1.0),
            [16, 11, -1, 0, 0],
            "selective_stopping: is -1, expected 0 or more",
        ),
        (call::runs, |call| call.set("mindelta", f64::NAN), [16, 9, -1, 0, 0], "mindelta: is NaN, expected"),
        (
            call::runs,
            |call| call.set("selective_stopping", -5.0),
            [16, 11, -1, 0, 0],
            "selective_stopping: is -5, expected",
        ),
        (
            call::runs,
            |call| call.set("num_threads", -1.0),
            [16, 12, -1, 0, 0],
            "num_threads: is -1, expected 0 or more",
        ),
    ]);
}

#[test]
fn numbers_that_are_not_finite_are_found_inside_segments_only() {
    check_cases(&[
        (call::fit, element!("x_pads"[1] = f64::NAN), [19, 2, 0, 0, 1], "x_pads: the pad of predictor 1 is NaN"),
        (call::fit, element!("x"[40 + 3] = f64::INFINITY), [19, 1, 1, 0, 3], "x: row 1, sample 3 is inf"),
        (call::fit, element!("y"[12] = f64::NAN), [19, 0, 0, 0, 12], "y: sample 12 is NaN"),
        (call::fit, element!("y"[30] = f64::NEG_INFINITY), [19, 0, 0, 0, 30], "y: sample 30 is -inf"),
        (call::runs, element!("y"[2 * 40 + 39] = f64::NAN), [19, 0, 1, 0, 39], "y: row 2, sample 39 is NaN"),
        (call::runs, element!("x_pads"[0] = f64::INFINITY), [19, 2, 0, 0, 0], "x_pads: the pad of predictor 0 is inf"),
    ]);
    let mut call = call::fit(&contiguous);
    call.array_mut("y").write(|t, y: f64| if t == 16 || t == 17 { f64::NAN } else { y });
    assert_eq!(call.make().status, 0);
}

#[test]
fn fits_that_cannot_go_on_say_why() {
    check_cases(&[
        (
            call::fit,
            |call| {
                call.array_mut("y").write(|_, y: f64| y * 1e200);
                call.set("error", 2.0);
            },
            [21, 0, -1, 0, 0],
            "y: the error of every option is infinite at step 0; scale",
        ),
        (
            call::runs,
            |call| {
                call.array_mut("y").write(|index, y: f64| if index / T == 1 { y * 1e200 } else { y });
                call.set("error", 2.0);
            },
            [21, 0, -1, 0, 0],
            "y: the error of every option is infinite at step 0; scale",
        ),
        (
            call::fit,
            |call| {
                call.array_mut("i_start_by_x").write(|_, _: i64| 3);
                call.array_mut("i_stop_by_x").write(|_, _: i64| 3);
                call.add("h", &[2, 0], &[] as &[f64], &contiguous);
            },
            [20, 7, -1, 0, 0],
            "i_stop_by_x: no predictor has a lag",
        ),
        (
            call::fit,
            |call| {
                // A residual of 1e6, steps of 1e-3, and a single option.
                call.array_mut("y").write(|_, _: f64| 1e6);
                call.array_mut("x").write(|_, _: f64| 1.0);
                call.array_mut("i_start_by_x").write(|_, _: i64| 0);
                call.array_mut("i_stop_by_x").write(|index, _: i64| i64::from(index == 0));
                call.add("h", &[2, 1], &[-7.0; 2], &contiguous);
                call.set("delta", 1e-3);
            },
            [22, 8, -1, 0, 0],
            "delta: is 0.001, and 999999 steps do not end the fit",
        ),
        (
            call::fit,
            |call| {
                // A filter of 2^47 bytes. That its memory is not there is not seen before it could be written.
                call.array_mut("i_start_by_x").write(|_, _: i64| 0);
                call.array_mut("i_stop_by_x").write(|index, _: i64| if index == 0 { 1 << 43 } else { 0 });
                let h = call.view("h");
                h.data = ptr::without_provenance_mut(1 << 62);
                (h.shape[1], h.strides[0]) = (1 << 43, 1 << 46);
            },
            [24, -1, -1, 1 << 47, 0],
            "out of memory: 140737488355328 bytes were needed; use fewer lags (they are in samples) or less data",
        ),
    ]);
}

#[test]
fn a_result_of_another_size_is_refused_unread() {
    for size in [0, 39, 41, u32::MAX] {
        let mut call = call::fit(&contiguous);
        call.result = Some(FitResult { size, ..call.result.unwrap() });
        let (numbers, sentence) = refused(call, "another size");
        assert_eq!(numbers, [3, 14, -1, 40, size.into()], "{sentence}");
        assert!(sentence.starts_with("result: "), "{sentence}");
    }
}

#[test]
fn without_details_the_status_still_comes() {
    for mut call in call::all(&contiguous) {
        let (_, name, ..) = call.arrays().next().expect("an array");
        call.view(name).version = 3;
        let before = call.memory();
        assert_eq!(call.make_with(ptr::null_mut()), 4);
        assert_eq!(call.memory(), before);
    }
}

#[test]
fn details_of_another_size_are_not_written_and_end_the_call() {
    for size in [0, 4, 287, 289, u32::MAX] {
        for mut call in call::all(&contiguous) {
            let before = call.memory();
            let mut given = ErrorDetails { size, status: 77, expected: -77, ..details() };
            assert_eq!(call.make_with(&raw mut given), 3, "{}", call.signature.name);
            assert_eq!((given.size, given.status, given.argument, given.expected), (size, 77, -1, -77));
            assert!(given.message == [0; 256] && call.memory() == before);
        }
    }
    // Only the size itself has to be there.
    let mut size = Box::new(3_u32);
    let mut call = call::error(&contiguous);
    assert_eq!(call.make_with((&raw mut *size).cast()), 3);
    assert_eq!((*size, call.out), (3, Some(-7.0)));
}

#[test]
fn details_are_written_on_failure_only() {
    for mut call in call::all(&contiguous) {
        let mut given = ErrorDetails { status: 77, argument: 78, axis: 79, expected: 80, actual: 81, ..details() };
        given.message[0] = 82;
        assert_eq!(call.make_with(&raw mut given), 0);
        let ErrorDetails { status, argument, axis, expected, actual, message, .. } = given;
        assert_eq!((status, argument, axis, expected, actual, message[0]), (77, 78, 79, 80, 81, 82));
    }
}

#[test]
fn one_view_can_be_checked_on_its_own() {
    let mut value = 0.0_f64;
    let good = View { ndim: 1, shape: [1; 8], ..Call::descriptor(0x6608, ptr::from_mut(&mut value).cast()) };
    let check = |view: *const View, dtype, ndim, access| {
        let mut given = details();
        // SAFETY: `view` is NULL or a descriptor on this stack.
        let status = unsafe { trfb_view_check(view, dtype, ndim, access, &raw mut given) };
        assert_eq!(status, given.status);
        (status, given.argument, given.axis, given.expected, given.actual)
    };
    let fine = (0, -1, -1, 0, 0);
    assert_eq!(check(&raw const good, 0x6608, 1, 1), fine);
    assert_eq!(check(&raw const good, 0x6608, -1, 0), fine);
    assert_eq!(check(ptr::null(), 0x6608, 1, 0), (1, 0, -1, 0, 0));
    assert_eq!(check(&raw const good, 0x6608, 2, 0), (5, 0, -1, 2, 1));
    assert_eq!(check(&raw const good, 0x6908, 1, 0), (6, 0, -1, 0x6908, 0x6608));
    let readonly = View { flags: 1, ..good };
    assert_eq!(check(&raw const readonly, 0x6608, 1, 0), fine);
    assert_eq!(check(&raw const readonly, 0x6608, 1, 1), (14, 0, -1, 0, 0));
    let repeated = View { shape: [3; 8], strides: [0; 8], ..good };
    assert_eq!(check(&raw const repeated, 0x6608, 1, 0), fine);
    assert_eq!(check(&raw const repeated, 0x6608, 1, 1), (15, 0, -1, 0, 0));
    for ndim in [-2, 9, i32::MIN, i32::MAX] {
        assert_eq!(check(&raw const good, 0x6608, ndim, 0), (16, 2, -1, 0, 0));
    }
    for access in [-1, 2] {
        assert_eq!(check(&raw const good, 0x6608, 1, access), (16, 3, -1, 0, 0));
    }
    // SAFETY: as above; without details.
    assert_eq!(unsafe { trfb_view_check(&raw const good, 0x6604, 1, 0, ptr::null_mut()) }, 6);
}
