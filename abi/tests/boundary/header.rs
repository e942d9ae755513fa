//! The header against the library's tables: structs, constants, functions, and what the comments say
//! of each argument.
//!
//! The parser knows the little C that the header uses, and is strict: a line that it does not
//! understand is a failure, so that nothing in the header goes unlooked at.

use std::ffi::CStr;

use trfboost::{LayoutRow, trfb_abi_layout, trfb_abi_version, trfb_build_info};
use trfboost_abi_check::{Access, Dimension, Dtype, Parameter, signatures};

const TEXT: &str = include_str!("../../include/trfboost.h");

/// What the header declares.
pub(crate) struct Header {
    structs: Vec<(String, Vec<Field>)>,
    constants: Vec<(String, i64)>,
    pub(crate) functions: Vec<Function>,
}

/// A field or parameter: its type as written, and its name.
type Field = (String, String);

pub(crate) struct Function {
    pub(crate) name: String,
    result: String,
    parameters: Vec<Field>,
    /// What stands before the declaration.
    comment: String,
}

impl Header {
    pub(crate) fn read() -> Self {
        let declarations = TEXT.split("#ifndef TRFB_NO_INLINE").next().expect("the part before the conveniences");
        let mut header = Self { structs: Vec::new(), constants: Vec::new(), functions: Vec::new() };
        header.defines(declarations);
        header.items(declarations);
        header
    }

    fn defines(&mut self, text: &str) {
        for line in text.lines().filter_map(|line| line.strip_prefix("#define ")) {
            let line = without_comments(line);
            let (name, value) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            if !value.is_empty() && !value.starts_with('{') {
                self.constants.push((name.into(), number(value)));
            }
        }
    }

    fn items(&mut self, text: &str) {
        let text: String = text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n");
        let text = text.replacen("extern \"C\" {", "", 1);
        let (mut rest, mut comment) = (text.trim_start(), "");
        while !rest.is_empty() {
            if rest.starts_with("/*") {
                let (inside, after) = rest.split_once("*/").expect("the end of a comment");
                (comment, rest) = (inside, after.trim_start());
                continue;
            }
            let end = if rest.starts_with("enum ") || rest.starts_with("typedef struct") { "}" } else { ";" };
            let at = rest.find(end).expect("the end of a declaration");
            let at = at + rest[at..].find(';').expect("a semicolon");
            self.item(&without_comments(&rest[..at]), comment);
            rest = rest[at + 1..].trim_start();
        }
    }

    fn item(&mut self, item: &str, comment: &str) {
        if let Some(constants) = item.strip_prefix("enum ") {
            let (_, constants) = constants.trim_end_matches('}').split_once('{').expect("constants");
            for constant in constants.split(',') {
                let (name, value) = constant.split_once('=').expect("a value for each constant");
                self.constants.push((name.trim().into(), number(value)));
            }
        } else if let Some(fields) = item.strip_prefix("typedef struct ") {
            let (name, fields) = fields.split_once('{').expect("fields");
            let (fields, again) = fields.split_once('}').expect("the end of the fields");
            assert_eq!(name.trim(), again.trim());
            let fields = fields.trim().trim_end_matches(';').split(';').map(declaration).collect();
            self.structs.push((name.trim().into(), fields));
        } else if item.starts_with("typedef int32_t (*trfb_progress)(") {
            assert!(item.ends_with("(void *user, int64_t done, int64_t total)"), "{item}");
        } else {
            let (start, parameters) = item.split_once('(').unwrap_or_else(|| panic!("what is this: {item}"));
            let (result, name) = declaration(start);
            let parameters = parameters.strip_suffix(')').expect("the end of the parameters");
            let parameters =
                if parameters == "void" { Vec::new() } else { parameters.split(',').map(declaration).collect() };
            self.functions.push(Function { name, result, parameters, comment: comment.into() });
        }
    }

    fn function(&self, name: &str) -> &Function {
        self.functions.iter().find(|function| function.name == name).expect("a function of the header")
    }
}

/// `int64_t shape[8]` is a `shape` of type `int64_t[8]`.
fn declaration(text: &str) -> Field {
    let text = text.trim().replace("TRFB_MAX_NDIM", "8").replace("TRFB_MESSAGE_SIZE", "256");
    let (text, array) = text.find('[').map_or((&text[..], ""), |at| text.split_at(at));
    let at = text.rfind(|letter: char| !letter.is_alphanumeric() && letter != '_').expect("a type and a name") + 1;
    (format!("{}{array}", text[..at].split_whitespace().collect::<Vec<_>>().join(" ")), text[at..].into())
}

fn number(text: &str) -> i64 {
    let text = text.trim().trim_end_matches('u');
    let parsed = text.strip_prefix("0x").map_or_else(|| text.parse(), |hex| i64::from_str_radix(hex, 16));
    parsed.unwrap_or_else(|_| panic!("{text} is a number"))
}

fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    for (index, part) in text.split("/*").enumerate() {
        kept += if index == 0 { part } else { part.split_once("*/").expect("the end of a comment").1 };
    }
    kept.trim().into()
}

/// Size and alignment of a type on every 64-bit target.
fn size_and_alignment(c_type: &str) -> (i64, i64) {
    if let Some((element, count)) = c_type.split_once('[') {
        let (size, alignment) = size_and_alignment(element);
        return (size * count.trim_end_matches(']').parse::<i64>().expect("a length"), alignment);
    }
    let size = match c_type {
        "char" => 1,
        "uint16_t" => 2,
        "uint32_t" | "int32_t" => 4,
        "uint64_t" | "int64_t" | "trfb_progress" => 8,
        pointer if pointer.ends_with('*') => 8,
        other => panic!("{other} is no type for a struct"),
    };
    (size, size)
}

/// A row of the layout table: owner, name, type, kind, offset, size.
type Row = (String, String, String, i64, i64, i64);

/// The rows of a struct as a C compiler would lay it out.
fn rows_of(name: &str, fields: &[Field]) -> Vec<Row> {
    let (mut end, mut alignment, mut rows) = (0_i64, 1, Vec::new());
    for (c_type, field) in fields {
        let (size, needed) = size_and_alignment(c_type);
        let offset = (end + needed - 1) / needed * needed;
        rows.push((name.into(), field.clone(), c_type.clone(), 2, offset, size));
        (end, alignment) = (offset + size, alignment.max(needed));
    }
    let size = (end + alignment - 1) / alignment * alignment;
    rows.insert(0, (String::new(), name.into(), String::new(), 1, alignment, size));
    rows
}

fn table() -> Vec<Row> {
    let mut rows = Vec::new();
    let mut row = trfb_abi_layout();
    loop {
        // SAFETY: the table ends with a row of kind 0, and its strings with a NUL.
        let LayoutRow { owner, name, type_name, kind, offset, size } = unsafe { row.read() };
        let text = [owner, name, type_name].map(|text| {
            // SAFETY: as above.
            unsafe { CStr::from_ptr(text) }.to_str().expect("UTF-8").to_owned()
        });
        let [owner, name, type_name] = text;
        if kind == 0 {
            assert_eq!((&*owner, &*name, &*type_name, offset, size), ("", "", "", 0, 0));
            return rows;
        }
        rows.push((owner, name, type_name, kind, offset, size));
        row = row.wrapping_add(1);
    }
}

#[test]
fn the_layout_table_says_what_the_header_says() {
    let header = Header::read();
    let (constants, structs): (Vec<_>, Vec<_>) = table().into_iter().partition(|row| row.3 == 3);
    let expected: Vec<_> = header.structs.iter().flat_map(|(name, fields)| rows_of(name, fields)).collect();
    assert_eq!(structs, expected);
    assert_eq!(header.structs.len(), 4);

    let mut listed: Vec<_> = constants.iter().map(|(.., name, _, _, value, _)| (name.clone(), *value)).collect();
    let mut declared = header.constants;
    listed.sort_unstable();
    declared.sort_unstable();
    assert_eq!(listed, declared);
    assert_eq!(listed.len(), 48);
    assert!(constants.iter().all(|(owner, _, c_type, _, _, size)| owner.is_empty() && c_type.is_empty() && *size == 0));
}

#[test]
fn the_signatures_are_those_of_the_header() {
    let header = Header::read();
    for signature in signatures::ALL {
        let function = header.function(signature.name);
        let mut expected: Vec<Field> = signature.parameters.iter().map(as_declared).collect();
        expected.push(("trfb_error *".into(), "details".into()));
        assert_eq!((&*function.result, &function.parameters), ("int32_t", &expected), "{}", signature.name);
    }
    let without_arrays = ["trfb_abi_layout", "trfb_abi_version", "trfb_build_info", "trfb_view_check"];
    let mut others: Vec<_> = header.functions.iter().map(|function| &*function.name).collect();
    others.retain(|name| {
        signatures::ALL.iter().all(|signature| signature.name != *name) || without_arrays.contains(name)
    });
    others.sort_unstable();
    assert_eq!(others, without_arrays);
}

fn as_declared(parameter: &Parameter) -> Field {
    match *parameter {
        Parameter::Array { name, .. } => ("const trfb_view *".into(), name.into()),
        Parameter::Scalar { name, c_type } | Parameter::Pointer { name, c_type, .. } => (c_type.into(), name.into()),
    }
}

/// What the comment before a function says of an argument: `new_error f64 [n, L] out`.
#[derive(Debug, PartialEq)]
struct Described {
    dtype: Dtype,
    dimensions: Vec<String>,
    written: bool,
    optional: bool,
}

fn described(comment: &str, name: &str) -> Option<Described> {
    let mut lines = comment.lines().map(|line| line.trim_start().trim_start_matches('*').trim_start());
    lines.find_map(|line| described_by(line.strip_prefix(name)?.strip_prefix(' ')?))
}

fn described_by(text: &str) -> Option<Described> {
    let (dtype, text) = text.trim_start().split_once(' ')?;
    let dtype = match dtype {
        "f64" => Dtype::FLOAT64,
        "i64" => Dtype::INT64,
        "i8" => Dtype::INT8,
        _ => return None,
    };
    let (dimensions, text) = text.trim_start().strip_prefix('[')?.split_once(']')?;
    let text = text.trim_start();
    Some(Described {
        dtype,
        dimensions: dimensions.split(", ").map(str::to_owned).collect(),
        written: text.starts_with("out") || text.starts_with("in/out"),
        optional: text.starts_with("out, or NULL"),
    })
}

#[test]
fn the_comments_describe_what_the_validator_asks_for() {
    let header = Header::read();
    let mut arrays = 0;
    for signature in signatures::ALL {
        let comment = &header.function(signature.name).comment;
        for parameter in signature.parameters {
            let Parameter::Array { name, dtype, dimensions, access, optional } = *parameter else { continue };
            let mut said = described(comment, name);
            if said.is_none() && signature.name == "trfb_boosting_runs" {
                said = described(&header.function("trfb_boosting_fit").comment, name); // "As trfb_boosting_fit, but for"
            }
            let dimensions = dimensions.iter().map(|dimension| match dimension {
                Dimension::Named(length) => (*length).to_owned(),
                Dimension::Fixed(length) => length.to_string(),
                #[allow(unreachable_patterns, reason = "a kind of dimension that no argument has")]
                other => panic!("{other:?} of {name}"),
            });
            let expected =
                Described { dtype, dimensions: dimensions.collect(), written: access == Access::Write, optional };
            assert_eq!(said, Some(expected), "{name} of {}", signature.name);
            arrays += 1;
        }
    }
    assert_eq!(arrays, 9 + 3 + 2 + 10 + 12 + 5);
}

#[test]
fn the_library_says_what_it_is() {
    assert_eq!(trfb_abi_version(), 1);
    // SAFETY: a constant string.
    let info = unsafe { CStr::from_ptr(trfb_build_info()) }.to_str().unwrap();
    let parts: Vec<_> = info.split(", ").collect();
    assert_eq!(parts[..2], [concat!("trfboost ", env!("CARGO_PKG_VERSION")), "ABI 1"]);
    assert!(parts.len() == 5 && parts[2].contains('-') && ["debug", "release"].contains(&parts[3]), "{info}");
    assert!(["AVX-512", "AVX2", "NEON", "portable"].contains(&parts[4]), "{info}");
}
