//! The engine that a call would choose against the reference, with every instruction set, on problems at the
//! edges: overflow, subnormals, ties, and segments of all kinds.

use super::tests::{bits, by_plan, by_reference};
use crate::vectors::Path;
use crate::{Error, Fit, hostile};

/// The bits of a fit, or what went wrong.
fn told(fit: Result<Fit, Error>, history: bool) -> Result<Vec<u64>, Error> {
    // Which NaN it is, is the machine's affair.
    let one_nan = |bits: u64| if f64::from_bits(bits).is_nan() { u64::MAX } else { bits };
    fit.map(|fit| bits(&fit, history).into_iter().map(one_nan).collect())
}

#[test]
fn problems_at_the_edges_have_the_bits_of_the_reference_with_every_instruction_set() {
    let (mut fits, paths, seeds) = (0, Path::all(), hostile::seeds(300));
    for seed in seeds.clone() {
        let problem = hostile::problem(seed);
        let expected = by_reference(&problem);
        for (path, history) in paths.iter().flat_map(|path| [(path, true), (path, false)]) {
            let found = path.as_widest(|| by_plan(&problem, history));
            let (found, expected) = (told(found, history), told(expected.clone(), history));
            assert!(found == expected, "TRFBOOST_SEED={seed}, {path:?}, history {history}");
            fits += 1;
        }
    }
    println!("fits held against the reference, seeds {seeds:?}, with {} instruction sets: {fits}", paths.len());
}
