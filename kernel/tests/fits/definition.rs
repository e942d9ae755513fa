//! What a fit is, written down once more: plain steps, in the order of the definition, with none of the code
//! under test. Slow.

use std::ops::Range;

use ndarray::Array2;
use trfboost_kernel::{ErrorMeasure, Settings, Stop};

use crate::problem::Problem;

/// Where the definition gives up, if nobody knows better, on a fit that would go on for a million steps.
pub(crate) const MOST_STEPS: u64 = 200;

/// An entry: i_step, predictor and column or -1, delta, e_test, e_train.
pub(crate) type Entry = (i64, i64, i64, f64, f64, f64);

#[derive(Debug)]
pub(crate) enum End {
    Fit {
        h: Array2<f64>,
        history: Vec<Entry>,
        stop: Stop,
        best: i64,
    },
    NoFiniteError(u64),
    /// After as many steps as were allowed; whether the last of them took nothing but zeros off the samples that count.
    Endless {
        nothing: bool,
    },
}

struct Definition<'a> {
    problem: &'a Problem,
    residual: Vec<f64>,
    train: Vec<Range<usize>>,
    validate: Vec<Range<usize>>,
    both: Vec<Range<usize>>,
}

impl Definition<'_> {
    /// What sample `t` of a segment sees of a predictor at a lag.
    fn seen(&self, row: usize, segment: &Range<usize>, t: usize, lag: i64) -> f64 {
        let source = t as i128 - i128::from(lag);
        let inside = source >= segment.start as i128 && source < segment.end as i128;
        if inside { self.problem.x[[row, source as usize]] } else { self.problem.pads[row] }
    }

    /// The samples of a segment in the order of the sums: before the valid ones, after them, valid.
    fn order(segment: &Range<usize>, lag: i64) -> impl Iterator<Item = usize> + use<> {
        let segment = segment.clone();
        let place = move |t: usize, segment: &Range<usize>| {
            let source = t as i128 - i128::from(lag);
            if source < segment.start as i128 {
                0
            } else if source >= segment.end as i128 {
                1
            } else {
                2
            }
        };
        (0..3).flat_map(move |rank| {
            let samples = segment.clone();
            let segment = segment.clone();
            samples.filter(move |&t| place(t, &segment) == rank)
        })
    }

    fn measured(&self, difference: f64) -> f64 {
        match self.problem.settings.error {
            ErrorMeasure::L1 => difference.abs(),
            ErrorMeasure::L2 => difference * difference,
        }
    }

    fn error(&self, list: &[Range<usize>]) -> f64 {
        list.iter().cloned().flatten().fold(0.0, |sum, t| sum + self.measured(self.residual[t]))
    }

    /// Returns whether nothing but zeros was taken off samples that are trained on or validated.
    fn step(&mut self, row: usize, lag: i64, delta: f64) -> bool {
        let mut nothing = true;
        for segment in self.both.clone() {
            for t in segment.clone() {
                let change = delta * self.seen(row, &segment, t, lag);
                let counts = self.train.iter().chain(&self.validate).any(|counted| counted.contains(&t));
                nothing &= change == 0.0 || !counts;
                self.residual[t] -= change;
            }
        }
        nothing
    }

    /// The smaller error of the two steps, and its sign.
    fn option(&self, row: usize, lag: i64, delta: f64) -> (f64, f64) {
        let (mut add, mut subtract) = (0.0, 0.0);
        for segment in &self.train {
            for t in Self::order(segment, lag) {
                let change = delta * self.seen(row, segment, t, lag);
                add += self.measured(self.residual[t] - change);
                subtract += self.measured(self.residual[t] + change);
            }
        }
        if add > subtract { (subtract, -1.0) } else { (add, 1.0) }
    }

    /// The first option with the smallest finite error: error, row, lag, step.
    fn best(&self, active: &[bool], delta: f64) -> Option<(f64, usize, i64, f64)> {
        let mut best: Option<(f64, usize, i64, f64)> = None;
        for row in (0..active.len()).filter(|&row| active[row]) {
            for lag in self.problem.start[row]..self.problem.stop[row] {
                let (error, sign) = self.option(row, lag, delta);
                if error < best.map_or(f64::INFINITY, |(smallest, ..)| smallest) {
                    best = Some((error, row, lag, delta * sign));
                }
            }
        }
        best
    }
}

/// The entry from which on selective stopping undoes.
fn first_to_undo(history: &[Entry], limit: usize) -> Option<usize> {
    let last = history.len() - 1;
    if history[last].3 == 0.0 {
        return None; // it moved nothing
    }
    let (mut rises, mut index) = (1, last);
    while rises < limit {
        index = index.checked_sub(1)?;
        if index + 1 < last && history[index].4 > history[last].4 {
            return None;
        }
        if history[index].3 != 0.0 && history[index].1 == history[last].1 {
            let rose = index > 0 && history[index].4 > history[index - 1].4;
            if !rose {
                return None;
            }
            rises += 1;
        }
    }
    Some(index)
}

/// The fit of one signal, with no more than so many steps.
pub(crate) fn fit(problem: &Problem, signal: usize, most_steps: u64) -> End {
    let (split, Settings { mut delta, mindelta, selective_stopping, .. }) = (problem.split(), problem.settings);
    let mut fit = Definition {
        problem,
        residual: problem.y.row(signal).to_vec(),
        train: split.train.iter().collect(),
        validate: split.validate.iter().collect(),
        both: split.train_and_validate.iter().collect(),
    };
    let first_lag = *problem.start.iter().min().unwrap();
    let columns = problem.stop.iter().max().unwrap().abs_diff(first_lag) as usize;
    let mut h = Array2::zeros((problem.x.nrows(), columns));
    let mut active = vec![true; problem.x.nrows()];
    let mut history: Vec<Entry> = vec![(-1, -1, -1, 0.0, f64::NAN, fit.error(&fit.train))];
    let mut best = (f64::INFINITY, -1);
    let column = |lag: i64| lag.abs_diff(first_lag) as usize;
    let mut nothing = false;

    for step in 0..most_steps {
        let last = history.len() - 1;
        let e_test = fit.error(&fit.validate);
        history[last].4 = e_test;
        if e_test < best.0 {
            best = (e_test, history[last].0);
        } else if step >= 2 && last >= 1 && e_test > history[last - 1].4 {
            if selective_stopping == 0 {
                if step > 10 && last >= 2 && e_test > history[last - 2].4 {
                    return end(h, history, Stop::TestErrorRises, best.1);
                }
            } else if let Some(first) = first_to_undo(&history, selective_stopping) {
                active[history[last].1 as usize] = false;
                if !active.contains(&true) {
                    return end(h, history, Stop::NoPredictorLeft, best.1);
                }
                for (_, row, at, moved, ..) in history.split_off(first).into_iter().rev() {
                    if moved != 0.0 {
                        h[[row as usize, at as usize]] -= moved;
                        fit.step(row as usize, first_lag + at, -moved);
                    }
                }
            }
        }
        let Some((error, row, lag, moves)) = fit.best(&active, delta) else { return End::NoFiniteError(step) };
        let place = (step as i64, row as i64, column(lag) as i64);
        let last = history[history.len() - 1];
        if error > last.5 {
            delta *= 0.5;
            if delta < mindelta {
                history.push((place.0, place.1, place.2, 0.0, f64::NAN, error));
                return end(h, history, Stop::NoImprovement, best.1);
            }
            history.push((place.0, -1, -1, 0.0, f64::NAN, error));
            continue;
        }
        if (place.1, place.2) == (last.1, last.2) && moves == -last.3 {
            history.push((place.0, place.1, place.2, 0.0, f64::NAN, error));
            return end(h, history, Stop::Circles, best.1);
        }
        history.push((place.0, place.1, place.2, moves, f64::NAN, error));
        h[[row, column(lag)]] += moves;
        nothing = fit.step(row, lag, moves);
    }
    End::Endless { nothing }
}

fn end(mut h: Array2<f64>, history: Vec<Entry>, stop: Stop, best: i64) -> End {
    if best == -1 {
        h.fill(0.0);
        return End::Fit { h, history, stop, best };
    }
    for &(step, row, column, moved, ..) in history.iter().rev() {
        if step <= best {
            break;
        }
        if moved != 0.0 {
            h[[row as usize, column as usize]] -= moved;
        }
    }
    End::Fit { h, history, stop, best }
}
