//! Times fits on a problem that another program wrote down, for comparisons across languages.
//!
//! `timed_fit DIRECTORY [THREADS]` reads `DIRECTORY/problem`, numbers one after the other, all 8 bytes wide
//! in the machine's order (lengths and settings first, then the arrays, see [`Problem::read`]), makes
//! the fits as often and as long as asked for, on one thread or on so many, and writes `DIRECTORY/result`:
//! the smallest time in seconds, the number of steps of all fits, the most bytes of memory that this process
//! had at once (NaN where the system does not say), then the filters `[n_splits, n_y, n, L]`, or, if the
//! history was asked for, the filter and the six numbers of each entry. No array is held twice, since the
//! memory of this process is measured too. `tests/bench/compare.py` is the other program.

use std::error::Error;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::time::Instant;

use ndarray::{Array1, Array2, Array3, Axis};
use trfboost_kernel::{
    ErrorMeasure, Lags, Predictors, Schedule, Segments, Settings, Split, Sweep, boosting_fit, boosting_runs,
    generate_options,
};

/// What is timed.
enum Work {
    Runs,
    History,
    Options,
}

struct Problem {
    work: Work,
    repeat: i64,
    /// Short work is done more often, since other work on the machine disturbs it more.
    least_seconds: f64,
    settings: Settings,
    y: Array2<f64>,
    x: Array2<f64>,
    pads: Array1<f64>,
    start: Array1<i64>,
    stop: Array1<i64>,
    /// Train, validate, both: `[n_splits, k, 2]` each.
    lists: [Array3<i64>; 3],
}

/// Numbers of 8 bytes, one after the other.
struct Numbers(BufReader<File>);

impl Numbers {
    fn next(&mut self) -> [u8; 8] {
        let mut number = [0; 8];
        self.0.read_exact(&mut number).expect("the problem ends early");
        number
    }

    fn integer(&mut self) -> i64 {
        i64::from_ne_bytes(self.next())
    }

    fn float(&mut self) -> f64 {
        f64::from_ne_bytes(self.next())
    }

    fn length(&mut self) -> usize {
        self.integer().try_into().expect("a length")
    }
}

impl Problem {
    fn read(file: File) -> Self {
        let mut numbers = Numbers(BufReader::new(file));
        let work = match numbers.integer() {
            0 => Work::Runs,
            1 => Work::History,
            _ => Work::Options,
        };
        let repeat = numbers.integer();
        let error = ErrorMeasure::from_code(numbers.integer() as i32).expect("1 or 2");
        let selective_stopping = numbers.length();
        let [delta, mindelta, least_seconds] = std::array::from_fn(|_| numbers.float());
        let settings = Settings::new(delta).mindelta(mindelta).error(error).selective_stopping(selective_stopping);
        let [signals, count, samples, splits, rows] = std::array::from_fn(|_| numbers.length());
        Self {
            work,
            repeat,
            least_seconds,
            settings,
            y: Array2::from_shape_simple_fn((signals, samples), || numbers.float()),
            x: Array2::from_shape_simple_fn((count, samples), || numbers.float()),
            pads: Array1::from_shape_simple_fn(count, || numbers.float()),
            start: Array1::from_shape_simple_fn(count, || numbers.integer()),
            stop: Array1::from_shape_simple_fn(count, || numbers.integer()),
            lists: std::array::from_fn(|_| Array3::from_shape_simple_fn((splits, rows, 2), || numbers.integer())),
        }
    }

    fn predictors(&self) -> Result<Predictors<'_>, trfboost_kernel::Error> {
        Predictors::new(self.x.view(), self.pads.view())
    }

    fn lags(&self) -> Result<Lags<'_>, trfboost_kernel::Error> {
        Lags::new(self.start.view(), self.stop.view())
    }

    fn split(&self, index: usize) -> Result<Split<'_>, trfboost_kernel::Error> {
        let list = |which: usize| {
            let rows = self.lists[which].view().index_axis_move(Axis(0), index);
            Segments::new("split", rows, self.y.ncols())
        };
        Ok(Split { train: list(0)?, validate: list(1)?, train_and_validate: list(2)? })
    }

    /// Does the work once: the number of steps, and the result as numbers.
    fn solve(&self, threads: usize) -> Result<(i64, Vec<f64>), trfboost_kernel::Error> {
        let (predictors, lags) = (self.predictors()?, self.lags()?);
        match self.work {
            Work::Runs => {
                let splits: Vec<_> =
                    (0..self.lists[0].len_of(Axis(0))).map(|index| self.split(index)).collect::<Result<_, _>>()?;
                let schedule = Schedule { threads, ..Schedule::default() };
                let runs = boosting_runs(self.y.view(), &predictors, &lags, &splits, &self.settings, schedule)?;
                Ok((runs.steps.sum(), runs.hs.into_raw_vec_and_offset().0))
            }
            Work::History => {
                let fit = boosting_fit(self.y.row(0), &predictors, &lags, &self.split(0)?, &self.settings, None)?;
                let entries = fit.history.iter().flat_map(|entry| {
                    let place = [entry.i_step, entry.i_stim, entry.i_time].map(|index| index as f64);
                    place.into_iter().chain([entry.delta, entry.e_test, entry.e_train])
                });
                Ok((fit.history.len() as i64 - 1, fit.h.iter().copied().chain(entries).collect()))
            }
            Work::Options => {
                let active = Array1::from_elem(predictors.len(), 1);
                let sweep = Sweep {
                    predictors,
                    active: active.view(),
                    lags,
                    i_start: lags.i_start(),
                    indexes: self.split(0)?.train,
                    error: self.settings.error,
                    delta: self.settings.delta,
                };
                let mut new_error = Array2::zeros((predictors.len(), lags.columns()));
                let mut new_sign = Array2::zeros(new_error.raw_dim());
                generate_options(self.y.row(0), &sweep, new_error.view_mut(), new_sign.view_mut())?;
                Ok((1, new_error.into_raw_vec_and_offset().0))
            }
        }
    }
}

/// The most resident memory of this process so far, as Linux has it. (What a parent is told of its child
/// counts the parent's own memory, from before the child became another program.)
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(1024.0 * line.trim().strip_suffix(" kB")?.parse::<f64>().ok()?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args().nth(1).ok_or("usage: timed_fit DIRECTORY [THREADS]")?;
    let threads = std::env::args().nth(2).map_or(Ok(1), |threads| threads.parse())?;
    let directory = Path::new(&directory);
    let problem = Problem::read(File::open(directory.join("problem"))?);
    let (mut seconds, mut solution) = (f64::INFINITY, None);
    let begun = Instant::now();
    let mut count = 0;
    while count < problem.repeat || begun.elapsed().as_secs_f64() < problem.least_seconds {
        count += 1;
        solution = None; // before there is another
        let begin = Instant::now();
        solution.replace(problem.solve(threads)?);
        seconds = seconds.min(begin.elapsed().as_secs_f64());
    }
    let (steps, result) = solution.ok_or("the work is to be done at least once")?;
    let mut file = BufWriter::new(File::create(directory.join("result"))?);
    for number in [seconds, steps as f64, peak_memory().unwrap_or(f64::NAN)].into_iter().chain(result) {
        file.write_all(&number.to_ne_bytes())?;
    }
    Ok(file.flush()?)
}
