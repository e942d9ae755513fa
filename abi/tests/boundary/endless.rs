//! Views that repeat one element more often than anything could be done: what is the same for each
//! repeat is looked at once, and where there is nothing to write there is nothing to do.

use crate::call::{self, Call};
use crate::placed::{CONTIGUOUS, Layout};

/// Walked at a thousand million a second, a year. (More, and the samples of so many predictors cannot be counted.)
const LENGTH: i64 = 1 << 55;

fn contiguous(_: &str) -> Layout {
    CONTIGUOUS
}

/// Makes every axis of a name so long, with a stride of 0.
fn repeat(call: &mut Call, axes: &[(&str, usize)], length: i64) {
    for &(name, axis) in axes {
        let view = call.view(name);
        (view.shape[axis], view.strides[axis]) = (length, 0);
    }
}

/// Makes the axes 0 long.
fn empty(call: &mut Call, axes: &[(&str, usize)]) {
    axes.iter().for_each(|&(name, axis)| call.view(name).shape[axis] = 0);
}

const N: [(&str, usize); 4] = [("x", 0), ("x_pads", 0), ("i_start_by_x", 0), ("i_stop_by_x", 0)];

#[test]
fn predictors_without_columns_are_not_walked() {
    let mut call = call::options(&contiguous);
    repeat(&mut call, &N, LENGTH);
    repeat(&mut call, &[("x_active", 0), ("new_error", 0), ("new_sign", 0)], LENGTH);
    empty(&mut call, &[("new_error", 1), ("new_sign", 1)]);
    let refused = call.make();
    assert_eq!(
        (refused.status, refused.details.argument, refused.details.actual),
        (18, 7, 0),
        "{}",
        refused.sentence()
    );
    call.array_mut("i_stop_by_x").write(|_, _: i64| -2);
    assert_eq!(call.make().status, 0);
    // In the other order of strides no two predictors have one start and one stop, but all are in memory.
    call.array_mut("i_stop_by_x").write(|_, _: i64| i64::MIN);
    assert_eq!(call.make().status, 18);
}

#[test]
fn a_fit_without_lags_is_refused_at_once() {
    let mut call = call::fit(&contiguous);
    repeat(&mut call, &N, LENGTH);
    repeat(&mut call, &[("h", 0)], LENGTH);
    empty(&mut call, &[("h", 1)]);
    call.array_mut("i_stop_by_x").write(|_, _: i64| -2);
    assert_eq!(call.make().status, 20);
    call.array_mut("x_pads").write(|_, _: f64| f64::NAN);
    assert_eq!(call.make().status, 20);
}

#[test]
fn runs_of_no_signal_or_no_split_end_at_once() {
    let mut call = call::runs(&contiguous);
    repeat(&mut call, &N, LENGTH);
    repeat(&mut call, &[("hs", 2)], LENGTH);
    call.array_mut("i_stop_by_x").write(|_, _: i64| -2);
    empty(&mut call, &[("y", 0), ("hs", 1), ("hs", 3), ("failed", 1), ("steps", 1), ("stop", 1)]);
    assert_eq!(call.make().status, 0);
    call.array_mut("x_pads").write(|_, _: f64| f64::NAN);
    assert_eq!(call.make().status, 19);

    let mut call = call::runs(&contiguous);
    repeat(&mut call, &[("y", 0), ("hs", 1), ("failed", 1), ("steps", 1), ("stop", 1)], LENGTH);
    let lists = [("split_train", 0), ("split_validate", 0), ("split_train_and_validate", 0)];
    empty(&mut call, &lists);
    empty(&mut call, &[("hs", 0), ("failed", 0), ("steps", 0), ("stop", 0)]);
    assert_eq!(call.make().status, 0);
    call.array_mut("y").write(|index, old: f64| if index == 7 { f64::INFINITY } else { old });
    assert_eq!(call.make().status, 0, "no split reads it");
}

#[test]
fn an_empty_segment_can_be_repeated_for_ever() {
    for mut call in call::all(&contiguous) {
        let lists = call.arrays().filter(|(_, name, ..)| ["indexes", "segments"].contains(name));
        for (_, name, ..) in lists.collect::<Vec<_>>() {
            let rows = call.view(name).ndim as usize - 2;
            call.array_mut(name).write(|_, _: i64| 5);
            repeat(&mut call, &[(name, rows)], LENGTH);
        }
        assert_eq!(call.make().status, 0, "{}", call.signature.name);
    }
}

#[test]
fn a_prediction_of_no_samples_is_there_at_once() {
    let mut call = call::convolution(&contiguous);
    repeat(&mut call, &[("h", 0), ("x", 0), ("x_pads", 0)], LENGTH);
    empty(&mut call, &[("x", 1), ("out", 0)]);
    call.array_mut("segments").write(|_, _: i64| 0);
    assert_eq!(call.make().status, 0);
    let mut call = call::update(&contiguous);
    empty(&mut call, &[("x", 0), ("y_error", 0)]);
    call.array_mut("indexes").write(|_, _: i64| 0);
    repeat(&mut call, &[("indexes", 0)], LENGTH);
    assert_eq!(call.make().status, 0);
}

/// Each step of which changes nothing, so that the next is the same: a million of them.
#[test]
fn a_fit_of_no_samples_is_given_up_at_once() {
    const LISTS: [&str; 3] = ["split_train", "split_validate", "split_train_and_validate"];
    for error in [1.0, 2.0] {
        for (mut call, rows) in [(call::fit(&contiguous), 0), (call::runs(&contiguous), 1)] {
            call.set("error", error);
            LISTS.iter().for_each(|name| call.array_mut(name).write(|_, _: i64| 5));
            repeat(&mut call, &LISTS.map(|name| (name, rows)), LENGTH);
            let refused = call.make();
            assert_eq!((refused.status, refused.details.argument), (22, 8), "{}", refused.sentence());

            empty(&mut call, &[("y", rows), ("x", 1)]);
            LISTS.iter().for_each(|name| call.array_mut(name).write(|_, _: i64| 0));
            let before = call.memory();
            assert_eq!(call.make().status, 22);
            assert!(call.memory() == before);
        }
    }
}

#[test]
fn splits_without_signals_are_not_laid_out() {
    let mut call = call::runs(&contiguous);
    let lists = [("split_train", 0), ("split_validate", 0), ("split_train_and_validate", 0)];
    repeat(&mut call, &lists, LENGTH);
    repeat(&mut call, &[("hs", 0), ("failed", 0), ("steps", 0), ("stop", 0)], LENGTH);
    empty(&mut call, &[("y", 0), ("hs", 1), ("failed", 1), ("steps", 1), ("stop", 1)]);
    assert_eq!(call.make().status, 0);
    // Each of them is looked at all the same.
    call.array_mut("split_validate").write(|index, old: i64| if index == 1 { 41 } else { old });
    let refused = call.make();
    assert_eq!((refused.status, refused.details.argument), (17, 4), "{}", refused.sentence());
    assert!(refused.sentence().ends_with("(in split 0)"), "{}", refused.sentence());
}
