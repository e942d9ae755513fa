//! What the validator costs per call: the nine views of `trfb_generate_options`, all checks included,
//! for arrays of their own and for slices of one slab, where overlap is an equation and not a glance.
//!
//! `cargo bench -p trfboost-abi-check` prints the fastest of several rounds, in nanoseconds per call. A
//! clock and a loop are all it takes, so it has no framework to keep alive.

use std::hint::black_box;
use std::time::Instant;

use trfboost_abi_check::{Argument, Descriptor, Dtype, Parameter, check, signatures::GENERATE_OPTIONS};

const ROUNDS: usize = 20;
const CALLS: u32 = 100_000;

fn main() {
    let arrays = valid_call();
    println!("arrays of their own: {:.1} ns per call", nanoseconds(&arrays));
    println!("interleaved outputs: {:.1} ns per call", nanoseconds(&interleaved(arrays)));
}

fn nanoseconds(views: &[Descriptor; 9]) -> f64 {
    let round = || {
        let start = Instant::now();
        for _ in 0..CALLS {
            let call = black_box(views).each_ref().map(Argument::View);
            black_box(check(&GENERATE_OPTIONS, &call)).expect("a valid call");
        }
        start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
    };
    (0..ROUNDS).map(|_| round()).fold(f64::INFINITY, f64::min)
}

/// T = 12000, n = 32, L = 60, k = 10; each array in memory of its own, bounds given.
fn valid_call() -> [Descriptor; 9] {
    let shapes: [&[i64]; 9] = [&[12000], &[32, 12000], &[32], &[32], &[10, 2], &[32], &[32], &[32, 60], &[32, 60]];
    let dtypes = GENERATE_OPTIONS.parameters.iter().filter_map(|parameter| match parameter {
        Parameter::Array { dtype, .. } => Some(*dtype),
        _ => None,
    });
    let mut views = [Descriptor::EMPTY; 9];
    for (((view, shape), dtype), index) in views.iter_mut().zip(shapes).zip(dtypes).zip(1..) {
        contiguous(view, dtype, shape, index << 32);
    }
    views
}

fn contiguous(view: &mut Descriptor, dtype: Dtype, shape: &[i64], data: u64) {
    (view.dtype, view.ndim, view.data, view.base) = (dtype, shape.len() as i32, data, data);
    let mut stride = i64::from(dtype.0 & 0xff);
    for (axis, &length) in shape.iter().enumerate().rev() {
        (view.shape[axis], view.strides[axis]) = (length, stride);
        stride *= length;
    }
    view.extent = stride.unsigned_abs();
}

/// The errors in odd columns of an array of which x is the even ones.
fn interleaved(mut views: [Descriptor; 9]) -> [Descriptor; 9] {
    let slab = 1 << 40;
    let rows: i64 = 2 * 8 * 12000;
    for (index, first) in [(1, slab), (7, slab + 8)] {
        (views[index].data, views[index].base, views[index].extent) = (first, slab, 32 * rows.unsigned_abs());
        views[index].strides[..2].copy_from_slice(&[rows, 16]);
    }
    views
}
