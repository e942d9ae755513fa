//! The validator and the oracle agree, in both directions: no good call is refused, no bad one accepted,
//! and what is told of a bad one is what is wrong with it first.

use std::collections::HashMap;
use std::sync::OnceLock;

use proptest::prelude::*;
use trfboost_abi_check::{
    Access, Argument, Descriptor, Dimension, Dtype, FaultKind, Parameter, Signature, check_view, check_with, signatures,
};

use crate::drawn::{self, Choices, Lengths};
use crate::oracle::{Given, Verdict, judge};

/// Where the arrays are: at the bottom of the address space, in the middle, at its top, and in its last bytes.
const REGIONS: [(u64, u64); 5] = [
    (8, 4096),
    (0x7000_0000, 0x7000_1000),
    (u64::MAX - 2047, u64::MAX - 7),
    (1 << 63, (1 << 63) + 4096),
    (u64::MAX - 79, u64::MAX - 7),
];

/// How many random calls are made; more for the proof.
fn cases() -> u32 {
    let asked = std::env::var("TRFBOOST_CASES").ok();
    asked.map_or(1500, |asked| asked.parse().expect("TRFBOOST_CASES is a number"))
}

const fn named(name: &'static str) -> Dimension {
    Dimension::Named(name)
}

const OURS: [Dimension; 8] =
    [named("a"), named("b"), named("c"), named("d"), named("e"), named("f"), named("g"), named("h")];
const THEIRS: [Dimension; 8] =
    [named("i"), named("j"), named("k"), named("l"), named("m"), named("n"), named("o"), named("p")];

/// Functions that write one array and read another, of 0 to 8 dimensions each.
fn of_every_rank() -> &'static [&'static Signature] {
    static ALL: OnceLock<Vec<&Signature>> = OnceLock::new();
    ALL.get_or_init(|| {
        let array =
            |name, dtype, dimensions, access| Parameter::Array { name, dtype, dimensions, access, optional: false };
        let pair = |ours: usize, theirs: usize| {
            let out = array("out", Dtype::INT8, &OURS[..ours], Access::Write);
            let input = array("input", Dtype::FLOAT64, &THEIRS[..theirs], Access::Read);
            &*Box::leak(Box::new(Signature { name: "pair", parameters: vec![out, input].leak() }))
        };
        (0..81).map(|index| pair(index / 9, index % 9)).collect()
    })
}

/// Lengths of so many dimensions that most arrays are small enough for the oracle, and few are empty.
fn short(choices: &mut Choices<'_>) -> Lengths {
    let mut length = |&dimension: &Dimension| match dimension {
        Dimension::Named(name) => (name, if choices.rarely(16) { 0 } else { choices.of(&[1, 2, 1, 1, 3, 2, 1, 1]) }),
        Dimension::Fixed(_) => unreachable!("all of these have names"),
    };
    Lengths(OURS.iter().chain(&THEIRS).map(&mut length).collect())
}

/// What the validator says of the call that the bytes stand for, held against the oracle; and the call.
fn agree(
    bytes: &[u8],
    functions: &[&'static Signature],
    lengths: fn(&mut Choices<'_>) -> Lengths,
) -> Result<(Verdict, Vec<Given>), TestCaseError> {
    let mut choices = Choices(bytes);
    let signature = choices.of(functions);
    let region = choices.of(&REGIONS);
    let mut lengths = lengths(&mut choices);
    let given = drawn::call(&mut choices, signature, &mut lengths, region);
    let written = drawn::written(&mut choices, signature, region);
    let verdict = judge(signature, &given, &written);
    let arguments: Vec<_> = given.iter().map(argument).collect();
    let found = check_with(signature, &arguments, &written);
    let told = match found {
        Ok(()) => Verdict::WellFormed,
        Err(fault) => Verdict::Wrong(fault.kind, fault.argument),
    };
    let fits = match verdict {
        Verdict::TooLarge => matches!(told, Verdict::WellFormed | Verdict::Wrong(FaultKind::Overlap, _)),
        verdict => verdict == told,
    };
    prop_assert!(fits, "{}: {verdict:?}, but {found:?}\n{}{written:?}", signature.name, lines(&given));
    Ok((verdict, given))
}

fn by_chance(_: &mut Choices<'_>) -> Lengths {
    Lengths::default()
}

/// What the validator is shown.
fn argument(given: &Given) -> Argument<'_> {
    match given {
        Given::Null => Argument::Null,
        Given::Misaligned(address) => Argument::Misaligned { address: *address },
        Given::View(view) if view.head().fits() => Argument::View(view),
        Given::View(view) => Argument::Foreign(view.head()),
    }
}

/// A line for each argument.
fn lines(given: &[Given]) -> String {
    given.iter().map(|given| format!("{given:?}\n")).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

    #[test]
    fn the_validator_says_of_random_calls_what_the_oracle_says(bytes in prop::collection::vec(any::<u8>(), 0..160)) {
        agree(&bytes, signatures::ALL, by_chance)?;
    }

    #[test]
    fn and_of_views_of_zero_to_eight_dimensions(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        agree(&bytes, of_every_rank(), short)?;
    }

    #[test]
    fn one_view_is_judged_as_in_a_call(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let mut choices = Choices(&bytes);
        let written = choices.of(&[false, true]);
        let pair = of_every_rank()[10 * choices.below(9)].parameters[usize::from(!written)];
        let Parameter::Array { dtype, dimensions, access, .. } = pair else { unreachable!() };
        let parameters = [pair];
        let signature = Signature { name: "one", parameters: parameters.to_vec().leak() };
        let given = drawn::call(&mut choices, &signature, &mut Lengths::default(), (64, 4096));
        let found = check_view(&argument(&given[0]), dtype, Some(dimensions.len() as i32), access);
        match judge(&signature, &given, &[]) {
            Verdict::TooLarge => {}
            Verdict::WellFormed => prop_assert_eq!(found, Ok(())),
            Verdict::Wrong(kind, _) => prop_assert_eq!(found.map_err(|fault| fault.kind), Err(kind)),
        }
    }
}

/// How many calls come to which verdict; and how many there are.
fn kinds(of: &str, verdicts: HashMap<Verdict, u64>) -> (HashMap<Option<FaultKind>, u64>, u64) {
    let count = |wanted: fn(&Verdict) -> bool| -> u64 {
        verdicts.iter().filter(|(verdict, _)| wanted(verdict)).map(|(_, count)| count).sum()
    };
    let all = count(|_| true);
    let left = count(|verdict| *verdict == Verdict::TooLarge);
    println!("calls of {of}, judged by the validator and its oracle: {all}");
    println!("calls of {of} that are well-formed: {}", count(|verdict| *verdict == Verdict::WellFormed));
    println!("calls of {of} that are refused: {}", count(|verdict| matches!(verdict, Verdict::Wrong(..))));
    println!("calls of {of} of which it is left open whether arrays overlap: {left}");
    assert!(left * 100 < all, "{left} of {all} are left open");
    let mut kinds = HashMap::new();
    for (verdict, count) in verdicts {
        let kind = match verdict {
            Verdict::Wrong(kind, _) => Some(kind),
            Verdict::WellFormed => None,
            Verdict::TooLarge => continue,
        };
        *kinds.entry(kind).or_insert(0) += count;
    }
    (kinds, all)
}

#[test]
fn numbered_calls_are_judged_alike_and_are_of_every_kind() {
    let verdicts = drawn::ends(&drawn::numbers(8000), |bytes| agree(bytes, signatures::ALL, by_chance).unwrap().0);
    let (kinds, all) = kinds("the functions", verdicts);
    // Fifteen kinds of fault, and none at all.
    assert_eq!(kinds.len(), 16, "{kinds:?}");
    assert!(kinds[&None] * 10 > all * 3 && kinds.values().all(|&count| count * 1600 > all), "{kinds:?}");
}

/// Whether a call that came to this verdict has something, by one of its views.
type Has = fn(&Verdict, &Descriptor) -> bool;

/// What chance could leave out.
const RARE: [(&str, Has); 5] = [
    ("without dimensions", |verdict, view| *verdict == Verdict::WellFormed && view.ndim == 0),
    ("of eight dimensions and not empty", |verdict, view| {
        *verdict == Verdict::WellFormed && view.ndim == 8 && !view.shape.contains(&0)
    }),
    ("that overlap in four dimensions or more", |verdict, view| {
        matches!(verdict, Verdict::Wrong(FaultKind::Overlap, _)) && view.ndim >= 4 && !view.shape.contains(&0)
    }),
    ("empty, with a stride above 2^40", |verdict, view| {
        let (shape, strides) = (&view.shape[..view.ndim as usize], &view.strides[..view.ndim as usize]);
        *verdict == Verdict::WellFormed
            && shape.contains(&0)
            && strides.iter().any(|stride| stride.unsigned_abs() > 1 << 40)
    }),
    ("in the last bytes of the address space", |verdict, view| {
        *verdict == Verdict::WellFormed && view.ndim > 0 && view.data > u64::MAX - 79 && !view.shape.contains(&0)
    }),
];

#[test]
fn numbered_views_of_every_rank_are_judged_alike() {
    let calls = drawn::ends(&drawn::numbers(8000), |bytes| {
        let (verdict, given) = agree(bytes, of_every_rank(), short).unwrap();
        let has = |is: Has| {
            given
                .iter()
                .any(|given| matches!(given, Given::View(view) if (0..=8).contains(&view.ndim) && is(&verdict, view)))
        };
        (verdict, RARE.map(|(_, is)| has(is)))
    });
    let all: u64 = calls.values().sum();
    for (index, (what, _)) in RARE.into_iter().enumerate() {
        let count: u64 = calls.iter().filter(|((_, has), _)| has[index]).map(|(_, count)| count).sum();
        println!("calls with views {what}: {count}");
        assert!(count * 1000 > all, "{count} of {all} calls with views {what}");
    }
    let mut verdicts = HashMap::new();
    calls.into_iter().for_each(|((verdict, _), count)| *verdicts.entry(verdict).or_insert(0) += count);
    let (kinds, all) = kinds("functions of any rank", verdicts);
    assert!(kinds[&None] * 10 > all * 3, "{kinds:?}");
}
