//! What C passes against what Rust receives.
//!
//! The probe is a library whose functions have the signatures of the real ones and print the bytes
//! of each parameter. A C program includes the header with the functions' names redefined to those of
//! the probe, so that the prototypes by which it calls are the header's own, and passes patterns that
//! tell where each byte belongs. Three accounts are compared: what the pattern says, what C says that
//! it passed, and what Rust says that it received.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;

use crate::header::{Function, Header};
use crate::library::Library;
use crate::program::Workshop;
use crate::report::{Row, Section};

pub(crate) const COLUMNS: &[&str] = &["function, parameter", "pattern", "expected", "C passed", "Rust received"];

const TITLE: &str = "Calling convention: bytes as they lie in memory";
const PREFIX: &str = "trfb_";
const PROBE_PREFIX: &str = "trfb_probe_";

/// How a parameter travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Pointer,
    Integer { width: usize },
    Double,
}

/// The types of the contract that are not pointers.
const CLASSES: &[(&str, Class)] = &[
    ("int8_t", Class::Integer { width: 1 }),
    ("int32_t", Class::Integer { width: 4 }),
    ("uint32_t", Class::Integer { width: 4 }),
    ("int64_t", Class::Integer { width: 8 }),
    ("uint64_t", Class::Integer { width: 8 }),
    ("double", Class::Double),
];

impl Class {
    fn of(header: &Header, type_name: &str) -> Option<Self> {
        if type_name.ends_with('*') || header.callbacks.iter().any(|callback| callback.name == type_name) {
            return Some(Self::Pointer);
        }
        CLASSES.iter().find(|(known, _)| *known == type_name).map(|&(_, class)| class)
    }

    fn width(self) -> usize {
        match self {
            Self::Pointer => size_of::<usize>(),
            Self::Integer { width } => width,
            Self::Double => 8,
        }
    }
}

/// Bytes for parameter `index`, by name of the pattern.
type Pattern = fn(Class, usize) -> Vec<u8>;

/// Which byte comes from where can be read off the first pattern; the second one has the other value
/// for each bit, and so all integers negative that were not; the third one has the values at which
/// conversions show.
const PATTERNS: &[(&str, Pattern)] = &[("place", place), ("complement", complement), ("extreme", extreme)];

/// Byte j of parameter i is 8 i + j, which is distinct for up to 32 parameters.
fn place(class: Class, index: usize) -> Vec<u8> {
    (0..class.width()).map(|byte| (8 * index + byte) as u8).collect()
}

fn complement(class: Class, index: usize) -> Vec<u8> {
    place(class, index).into_iter().map(|byte| !byte).collect()
}

/// A quiet NaN with a payload, the negative zero, the smallest subnormal, the negative infinity.
const DOUBLES: [u64; 4] = [0x7ff8_dead_beef_cafe, 1 << 63, 1, 0xfff0 << 48];
const INTEGERS: [i64; 4] = [-1, i64::MIN, (1 << 32) + 1, i64::MAX];
const NARROW_INTEGERS: [i32; 4] = [-1, i32::MIN, 0, i32::MAX];
/// NULL, and addresses that no sign extension and no cut leaves as they are.
const ADDRESSES: [usize; 4] = [0, usize::MAX, 1 << (usize::BITS - 1), (1 << (usize::BITS / 2)) + 1];

fn extreme(class: Class, index: usize) -> Vec<u8> {
    let turn = index % 4;
    match class {
        Class::Double => DOUBLES[turn].to_ne_bytes().into(),
        Class::Pointer => ADDRESSES[turn].to_ne_bytes().into(),
        Class::Integer { width: 8 } => INTEGERS[turn].to_ne_bytes().into(),
        Class::Integer { width: 4 } => NARROW_INTEGERS[turn].to_ne_bytes().into(),
        Class::Integer { .. } => vec![0x80],
    }
}

/// As the report shows bytes.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

/// Bytes printed without spaces, as the report shows them.
fn spaced(digits: &str) -> String {
    digits.as_bytes().chunks(2).map(String::from_utf8_lossy).collect::<Vec<_>>().join(" ")
}

/// Without a probe.
pub(crate) fn skipped() -> Section {
    let reason = "no probe was given (--probe), so that the calling convention is shown by behaviour only";
    Section { title: TITLE.to_owned(), columns: COLUMNS, rows: vec![Row::skipped("all functions", reason)] }
}

/// Rows for each pattern, function and parameter, and for values returned.
pub(crate) fn section(workshop: &Workshop<'_>, header: &Header, probe: &Library, link: &[OsString]) -> Section {
    let (functions, mut rows) = callable(header, probe);
    let text = program(header, &functions);
    match workshop.lines(("convention.c", &text), link) {
        Ok(lines) => rows.extend(compare(header, &functions, &Heard::read(&lines))),
        Err(complaint) => rows.push(Row::failed("convention.c", complaint)),
    }
    Section { title: TITLE.to_owned(), columns: COLUMNS, rows }
}

fn probe_name(function: &str) -> String {
    function.replacen(PREFIX, PROBE_PREFIX, 1)
}

/// The functions that both sides know and the harness can call, and rows for the others.
fn callable<'a>(header: &'a Header, probe: &Library) -> (Vec<&'a Function>, Vec<Row>) {
    let exports = probe.symbols().map_or(&[][..], |symbols| &symbols.exports);
    let (mut functions, mut rows) = (Vec::new(), Vec::new());
    for function in &header.functions {
        let mut types = function.parameters.iter().map(|parameter| &parameter.type_name).chain([&function.returns]);
        if !exports.contains(&probe_name(&function.name)) {
            rows.push(Row::failed(&function.name, "in the header, and the probe has no such function"));
        } else if let Some(unknown) = types.find(|type_name| Class::of(header, type_name).is_none()) {
            rows.push(Row::failed(&function.name, format!("{unknown}: not a type of the contract")));
        } else {
            functions.push(function);
        }
    }
    for export in exports {
        if !export.starts_with(PROBE_PREFIX) {
            // It would stand in for the library's in a program that is linked with both.
            rows.push(Row::failed(export, "exported by the probe, whose names all begin with trfb_probe_"));
        } else if !header.functions.iter().any(|function| probe_name(&function.name) == *export) {
            let name = export.replacen(PROBE_PREFIX, PREFIX, 1);
            rows.push(Row::failed(name, "in the probe, and the header has no such function"));
        }
    }
    (functions, rows)
}

/// What comes before the calls, after the names were redefined.
const PROLOGUE: &str = r#"#define TRFB_NO_INLINE
#include <trfboost.h>
#include <stdio.h>
#include <string.h>

static void hex(const void *value, size_t size)
{
    size_t i;
    for (i = 0; i < size; i++)
        printf("%02x", ((const unsigned char *)value)[i]);
    printf("\n");
    fflush(stdout); /* the probe prints by other means */
}

static void take(void *value, size_t size, const unsigned char *pattern, size_t pattern_size)
{
    memset(value, 0, size);
    memcpy(value, pattern, size < pattern_size ? size : pattern_size);
}
"#;

/// A C program that calls each function once for each pattern.
fn program(header: &Header, functions: &[&Function]) -> String {
    let mut text = String::new();
    for function in functions {
        let _ = writeln!(text, "#define {} {}", function.name, probe_name(&function.name));
    }
    text += PROLOGUE;
    let mut calls = String::new();
    for (number, (pattern, bytes)) in PATTERNS.iter().enumerate() {
        let _ = writeln!(calls, "    printf(\"pattern {pattern}\\n\");");
        for function in functions {
            let call = format!("pattern_{number}_{}", function.name);
            text += &call_text(header, function, &call, *bytes);
            let _ = writeln!(calls, "    {call}();");
        }
    }
    text + "\nint main(void)\n{\n" + &calls + "    printf(\"end\\n\");\n    return 0;\n}\n"
}

fn call_text(header: &Header, function: &Function, call: &str, pattern: Pattern) -> String {
    let (mut values, mut prints, mut arguments) = (String::new(), String::new(), Vec::new());
    let name = &function.name;
    for (index, parameter) in function.parameters.iter().enumerate() {
        let Some(class) = Class::of(header, &parameter.type_name) else { continue };
        let bytes: Vec<String> = pattern(class, index).iter().map(|byte| format!("0x{byte:02x}")).collect();
        let bytes = bytes.join(", ");
        let _ = writeln!(values, "    static const unsigned char p{index}[] = {{ {bytes} }};");
        let _ = writeln!(values, "    {} a{index};", parameter.type_name);
        let _ = writeln!(prints, "    take(&a{index}, sizeof a{index}, p{index}, sizeof p{index});");
        let _ = writeln!(prints, "    printf(\"passed {name} {index} {} \");", parameter.name);
        let _ = writeln!(prints, "    hex(&a{index}, sizeof a{index});");
        arguments.push(format!("a{index}"));
    }
    let returns = &function.returns;
    let arguments = arguments.join(", ");
    format!(
        "\nstatic void {call}(void)\n{{\n{values}    {returns} answer;\n{prints}    answer = {name}({arguments});\n    \
         printf(\"answer {name} \");\n    hex(&answer, sizeof answer);\n}}\n"
    )
}

/// What was printed: by pattern, function and parameter (`None`: the value returned).
type Key<'a> = (&'a str, &'a str, Option<usize>);

/// What both sides said.
#[derive(Default)]
struct Heard<'a> {
    /// Name and bytes of a parameter; the name of a value returned is empty.
    c: BTreeMap<Key<'a>, (&'a str, String)>,
    rust: BTreeMap<Key<'a>, (&'a str, String)>,
}

impl<'a> Heard<'a> {
    fn read(lines: &'a [String]) -> Self {
        let mut heard = Self::default();
        let mut pattern = "";
        for line in lines {
            let words: Vec<&str> = line.split(' ').collect();
            match *words {
                ["pattern", name] => pattern = name,
                [side @ ("passed" | "received"), function, index, name, digits] => {
                    let side = if side == "passed" { &mut heard.c } else { &mut heard.rust };
                    side.insert((pattern, function, index.parse().ok()), (name, spaced(digits)));
                }
                [side @ ("answer" | "returned"), function, digits] => {
                    let side = if side == "answer" { &mut heard.c } else { &mut heard.rust };
                    side.insert((pattern, function, None), ("", spaced(digits)));
                }
                _ => {}
            }
        }
        heard
    }
}

fn compare(header: &Header, functions: &[&Function], heard: &Heard<'_>) -> Vec<Row> {
    let mut rows = Vec::new();
    for function in functions {
        let received = heard.rust.keys().filter(|(_, name, _)| *name == function.name).filter_map(|key| key.2).max();
        let count = function.parameters.len().max(received.map_or(0, |last| last + 1));
        for (pattern, bytes) in PATTERNS {
            rows.extend((0..count).map(|index| parameter_row(header, function, index, (pattern, *bytes), heard)));
            rows.push(answer_row(function, pattern, heard));
        }
    }
    rows
}

/// A cell: the bytes, and the name if it is another than the header's.
fn shown(said: Option<&(&str, String)>, name: Option<&str>) -> String {
    match said {
        None => "-".to_owned(),
        Some((said_name, bytes)) if Some(*said_name) == name => bytes.clone(),
        Some((said_name, bytes)) => format!("{bytes} as {said_name}"),
    }
}

fn parameter_row(
    header: &Header,
    function: &Function,
    index: usize,
    (pattern, bytes): (&str, Pattern),
    heard: &Heard<'_>,
) -> Row {
    let parameter = function.parameters.get(index);
    let class = parameter.and_then(|parameter| Class::of(header, &parameter.type_name));
    let expected = class.map_or("-".to_owned(), |class| hex(&bytes(class, index)));
    let name = parameter.map(|parameter| parameter.name.as_str());
    let key = (pattern, function.name.as_str(), Some(index));
    let [passed, received] = [&heard.c, &heard.rust].map(|side| shown(side.get(&key), name));
    let item = format!("{} {index} {}", function.name, name.unwrap_or("-"));
    Row::new(expected == passed && expected == received, [item, pattern.to_owned(), expected, passed, received])
}

/// What Rust says that it returned is what C should have.
fn answer_row(function: &Function, pattern: &str, heard: &Heard<'_>) -> Row {
    let key = (pattern, function.name.as_str(), None);
    let [got, returned] = [&heard.c, &heard.rust].map(|side| shown(side.get(&key), Some("")));
    let item = format!("{} returns", function.name);
    let agree = got == returned && got != "-";
    Row::new(agree, [item, pattern.to_owned(), returned.clone(), format!("{got} (got)"), format!("{returned} (gave)")])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::Variable;
    use crate::report::Verdict;

    fn function() -> Function {
        let variable = |name: &str, type_name: &str| Variable {
            name: name.to_owned(),
            type_name: type_name.to_owned(),
            is_array: false,
        };
        let parameters = vec![variable("x", "const trfb_view *"), variable("shift", "int32_t")];
        Function { name: "trfb_f".to_owned(), returns: "int32_t".to_owned(), parameters }
    }

    /// The verdicts of the pattern "place" if Rust says these lines.
    fn verdicts(received: [&str; 3]) -> Vec<Verdict> {
        let passed = ["pattern place", "passed trfb_f 0 x 0001020304050607", "passed trfb_f 1 shift 08090a0b"];
        let lines = passed.into_iter().chain(received).chain(["answer trfb_f 68245713"]);
        let lines: Vec<String> = lines.map(str::to_owned).collect();
        let rows = compare(&Header::default(), &[&function()], &Heard::read(&lines));
        rows.iter().filter(|row| row.cells[1] == "place").map(|row| row.verdict).collect()
    }

    #[test]
    fn bytes_names_and_widths_are_compared() {
        use Verdict::{Fail, Ok};
        let [x, shift, gave] =
            ["received trfb_f 0 x 0001020304050607", "received trfb_f 1 shift 08090a0b", "returned trfb_f 68245713"];
        assert_eq!(verdicts([x, shift, gave]), [Ok, Ok, Ok]);
        assert_eq!(verdicts([x, "received trfb_f 1 shift 08090a0c", gave]), [Ok, Fail, Ok]);
        assert_eq!(verdicts([x, "received trfb_f 1 shift 08090a0b00000000", gave]), [Ok, Fail, Ok]);
        assert_eq!(verdicts([x, "received trfb_f 1 delta 08090a0b", gave]), [Ok, Fail, Ok]);
        assert_eq!(verdicts([x, shift, "returned trfb_f 68245714"]), [Ok, Ok, Fail]);
        assert_eq!(verdicts([x, shift, "and nothing more"]), [Ok, Ok, Fail]);
    }

    #[test]
    fn each_byte_of_twenty_parameters_is_distinct() {
        let mut bytes: Vec<u8> = (0..20).flat_map(|index| place(Class::Pointer, index)).collect();
        bytes.sort_unstable();
        bytes.dedup();
        assert_eq!(bytes.len(), 160);
    }
}
