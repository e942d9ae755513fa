//! A row of steps, with a summary at the end.

use std::time::Instant;

use crate::failure::Failure;

/// One step.
pub(crate) struct Step<Run = fn() -> Result<(), Failure>> {
    /// For `--only`.
    pub(crate) name: &'static str,
    /// What it shows.
    pub(crate) what: &'static str,
    pub(crate) run: Run,
}

/// Prints the steps, a line each.
pub(crate) fn list<Run>(steps: &[Step<Run>]) {
    steps.iter().for_each(|step| println!("{:<10} {}", step.name, step.what));
}

/// Performs the steps named in `only`, or all if it is empty. A step that fails does not keep the others
/// from running: one look at the summary tells all that is wrong.
pub(crate) fn run<Run>(
    steps: &[Step<Run>],
    only: &[String],
    perform: impl Fn(&Step<Run>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if let Some(unknown) = only.iter().find(|name| !steps.iter().any(|step| step.name == *name)) {
        return Err(Failure::NoStep(unknown.clone()));
    }
    let mut outcomes = Vec::new();
    for step in steps.iter().filter(|step| only.is_empty() || only.iter().any(|name| name == step.name)) {
        println!("\n==== {}: {}", step.name, step.what);
        let begin = Instant::now();
        let outcome = perform(step);
        if let Err(failure) = &outcome {
            eprintln!("{}: {failure}", step.name);
        }
        outcomes.push((step, outcome.is_ok(), begin.elapsed()));
    }
    println!();
    for (step, passed, time) in &outcomes {
        println!("{} {:<10} {:>6.1} s", if *passed { "ok    " } else { "FAILED" }, step.name, time.as_secs_f64());
    }
    let failed: Vec<_> = outcomes.iter().filter(|(_, passed, _)| !passed).map(|(step, ..)| step.name).collect();
    println!("{} passed, {} failed", outcomes.len() - failed.len(), failed.len());
    if failed.is_empty() { Ok(()) } else { Err(Failure::Steps(failed)) }
}
