//! The same numbers, laid out otherwise in memory.

use ndarray::{Array, Axis, Dimension, ShapeBuilder, Slice};

use crate::problem::Problem;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Layout {
    Fortran,
    Spread,
    Reversed,
}

pub(crate) const LAYOUTS: [Layout; 3] = [Layout::Fortran, Layout::Spread, Layout::Reversed];

/// The same elements in the same order, laid out otherwise in memory.
pub(crate) fn laid_out<T: Clone, D: Dimension>(array: &Array<T, D>, layout: Layout) -> Array<T, D> {
    let Some(filler) = array.first().cloned() else { return array.clone() };
    let mut copy = match layout {
        Layout::Fortran => Array::from_elem(array.raw_dim().f(), filler),
        Layout::Reversed => Array::from_elem(array.raw_dim(), filler),
        Layout::Spread => {
            let mut shape = array.raw_dim();
            shape.slice_mut().iter_mut().for_each(|length| *length *= 3);
            Array::from_elem(shape, filler)
        }
    };
    for axis in 0..array.ndim() {
        match layout {
            Layout::Fortran => {}
            Layout::Reversed => copy.invert_axis(Axis(axis)),
            Layout::Spread => copy.slice_axis_inplace(Axis(axis), Slice::new(1, None, 3)),
        }
    }
    copy.assign(array);
    copy
}

pub(crate) fn problem_laid_out(problem: &Problem, layout: Layout) -> Problem {
    Problem {
        y: laid_out(&problem.y, layout),
        x: laid_out(&problem.x, layout),
        pads: laid_out(&problem.pads, layout),
        start: laid_out(&problem.start, layout),
        stop: laid_out(&problem.stop, layout),
        train: laid_out(&problem.train, layout),
        validate: laid_out(&problem.validate, layout),
        both: laid_out(&problem.both, layout),
        settings: problem.settings,
    }
}
