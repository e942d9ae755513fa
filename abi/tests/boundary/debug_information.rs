//! What the compiler wrote down for debuggers against what was frozen.
//!
//! Neither the header nor the library's own account has a part in this: sizes, offsets and parameters are
//! read, by a reader of DWARF, from the file in which the compiler says where it put what.
#![cfg(target_os = "linux")]

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;

use gimli::{AttributeValue, DebuggingInformationEntry, Dwarf, EndianSlice, RunTimeEndian, Unit, UnitOffset};
use object::{Object as _, ObjectSection as _};

use crate::exports::library;

const FROZEN: &str = include_str!("../../frozen/abi-1.txt");

/// The structs, by their names in C and in Rust; and the one field that has two names.
const STRUCTS: [(&str, &str); 4] = [
    ("trfb_view", "View"),
    ("trfb_error", "ErrorDetails"),
    ("trfb_fit_result", "FitResult"),
    ("trfb_layout_row", "LayoutRow"),
];
const RENAMED: (&str, &str) = ("type_name", "type");

/// Types of C, and their names in Rust. Of pointers it is enough that they are some.
const NUMBERS: [(&str, &str); 8] = [
    ("int32_t", "i32"),
    ("uint32_t", "u32"),
    ("uint16_t", "u16"),
    ("int64_t", "i64"),
    ("uint64_t", "u64"),
    ("int64_t[8]", "[i64; 8]"),
    ("char[256]", "[i8; 256]"),
    ("double", "f64"),
];

/// The lines of a kind in what was frozen: name and value.
fn frozen(kind: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = FROZEN.lines().filter(move |line| line.split(' ').next() == Some(kind));
    lines.map(|line| {
        let (name, value) = line.split_once(' ').unwrap().1.trim_start().split_once("  ").unwrap();
        (name, value.trim())
    })
}

fn in_rust(c_type: &str) -> &str {
    let pointer = c_type.ends_with('*') || c_type == "trfb_progress";
    let number = NUMBERS.iter().find(|(c, _)| *c == c_type).map(|(_, rust)| *rust);
    if pointer { "pointer" } else { number.unwrap_or_else(|| panic!("{c_type} is no type of the contract")) }
}

type Reader<'a> = EndianSlice<'a, RunTimeEndian>;

/// A unit of the file, in which entries refer to each other.
struct Entries<'a> {
    dwarf: &'a Dwarf<Reader<'a>>,
    unit: Unit<Reader<'a>>,
}

type Entry<'a> = DebuggingInformationEntry<Reader<'a>>;

impl<'a> Entries<'a> {
    fn text(&self, entry: &Entry<'a>, attribute: gimli::DwAt) -> Option<String> {
        let value = entry.attr_value(attribute)?;
        let text = self.dwarf.attr_string(&self.unit, value).ok()?;
        Some(text.to_string_lossy().into_owned())
    }

    fn name(&self, entry: &Entry<'a>) -> String {
        self.text(entry, gimli::DW_AT_name).unwrap_or_default()
    }

    /// The type of a field or parameter: the name of a number or array, or that it is a pointer; and its size.
    fn type_of(&self, entry: &Entry<'a>) -> (String, u64) {
        match entry.attr_value(gimli::DW_AT_type) {
            Some(AttributeValue::UnitRef(offset)) => self.described(offset),
            other => panic!("{} has a type in another unit: {other:?}", self.name(entry)),
        }
    }

    fn described(&self, offset: UnitOffset) -> (String, u64) {
        let entry = self.unit.entry(offset).unwrap();
        let size = entry.attr_value(gimli::DW_AT_byte_size).and_then(|size| size.udata_value());
        let name = self.name(&entry);
        match entry.tag() {
            gimli::DW_TAG_pointer_type => ("pointer".to_owned(), 8),
            gimli::DW_TAG_structure_type if name.starts_with("Option<") => ("pointer".to_owned(), size.unwrap()),
            gimli::DW_TAG_array_type => {
                let (element, width) = self.type_of(&entry);
                let count = self.children(offset).first().and_then(|range| range.attr_value(gimli::DW_AT_count));
                let count = count.and_then(|count| count.udata_value()).expect("a length");
                (format!("[{element}; {count}]"), count * width)
            }
            _ => (name, size.expect("a size")),
        }
    }

    fn children(&self, offset: UnitOffset) -> Vec<Entry<'a>> {
        let mut tree = self.unit.entries_tree(Some(offset)).unwrap();
        let mut children = tree.root().unwrap().children();
        let mut entries = Vec::new();
        while let Some(child) = children.next().unwrap() {
            entries.push(child.entry().clone());
        }
        entries
    }
}

/// What debuggers are told: lines as they would stand in the frozen file, with the types of Rust.
#[derive(Default)]
struct Told {
    structs: BTreeMap<String, u64>,
    fields: BTreeMap<String, (u64, u64, String)>,
    functions: BTreeMap<String, Function>,
}

/// What a function returns, and its parameters: type and name.
type Function = (String, Vec<(String, String)>);

impl Told {
    fn add<'a>(&mut self, entries: &Entries<'a>, entry: &Entry<'a>) {
        let name = entries.name(entry);
        if entry.tag() == gimli::DW_TAG_structure_type {
            if let Some((c_name, _)) = STRUCTS.iter().find(|(_, rust)| *rust == name) {
                self.add_struct(entries, entry, c_name);
            }
        } else if entry.tag() == gimli::DW_TAG_subprogram && name.starts_with("trfb_") {
            let parameters = entries.children(entry.offset()).into_iter();
            let parameters = parameters.filter(|child| child.tag() == gimli::DW_TAG_formal_parameter);
            let parameters = parameters.map(|child| (entries.type_of(&child).0, entries.name(&child)));
            self.functions.insert(name, (entries.type_of(entry).0, parameters.collect()));
        }
    }

    fn add_struct<'a>(&mut self, entries: &Entries<'a>, entry: &Entry<'a>, c_name: &str) {
        let children = entries.children(entry.offset());
        // A variant of an enum can have the name of the struct that it holds.
        if children.iter().any(|field| entries.name(field) == "__0") {
            return;
        }
        let number = |of: &Entry<'a>, attribute| of.attr_value(attribute).and_then(|value| value.udata_value());
        self.structs.insert(c_name.to_owned(), number(entry, gimli::DW_AT_byte_size).expect("a size"));
        for field in children {
            if field.tag() == gimli::DW_TAG_member {
                let name = entries.name(&field);
                let name = if name == RENAMED.0 { RENAMED.1.to_owned() } else { name };
                let offset = number(&field, gimli::DW_AT_data_member_location).expect("an offset");
                let (type_name, size) = entries.type_of(&field);
                self.fields.insert(format!("{c_name}.{name}"), (offset, size, type_name));
            }
        }
    }
}

fn told() -> Told {
    let file = fs::read(library()).expect("the library");
    let file = object::File::parse(&*file).expect("a library of this machine");
    let endian = if file.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
    let section = |id: gimli::SectionId| -> Result<Cow<'_, [u8]>, gimli::Error> {
        let section = file.section_by_name(id.name());
        Ok(section.and_then(|section| section.uncompressed_data().ok()).unwrap_or_default())
    };
    let sections = gimli::DwarfSections::load(section).unwrap();
    let dwarf = sections.borrow(|bytes| EndianSlice::new(bytes, endian));
    let mut told = Told::default();
    let mut units = dwarf.units();
    while let Some(header) = units.next().unwrap() {
        let entries = Entries { dwarf: &dwarf, unit: dwarf.unit(header).unwrap() };
        // The other crates and the standard library have structs of the same names.
        let root = entries.unit.entry(entries.unit.header.root_offset()).unwrap();
        if !entries.name(&root).contains("abi/src/lib.rs") {
            continue;
        }
        let mut cursor = entries.unit.entries();
        while let Some(entry) = cursor.next_dfs().unwrap() {
            told.add(&entries, &entry.clone());
        }
    }
    told
}

#[test]
fn structs_lie_in_memory_as_they_were_frozen() {
    let told = told();
    let sizes: BTreeMap<_, _> = frozen("struct")
        .map(|(name, value)| (name.to_owned(), value.split_once(' ').unwrap().0.parse::<u64>().unwrap()))
        .collect();
    assert_eq!(told.structs, sizes);
    let fields: BTreeMap<_, _> = frozen("field")
        .map(|(name, value)| {
            let parts: Vec<_> = value.splitn(3, ", ").collect();
            let number = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap();
            (name.to_owned(), (number(parts[0]), number(parts[1]), in_rust(parts[2]).to_owned()))
        })
        .collect();
    assert_eq!(told.fields, fields);
    assert_eq!(fields.len(), 30);
}

#[test]
fn functions_take_and_return_what_was_frozen() {
    let told = told().functions;
    let returned: BTreeMap<_, _> = frozen("function").collect();
    assert_eq!(told.keys().map(String::as_str).collect::<Vec<_>>(), returned.keys().copied().collect::<Vec<_>>());
    for (name, returned) in returned {
        let of = |(place, _): &(&str, &str)| place.rsplit_once('.').is_some_and(|(owner, _)| owner == name);
        let expected = frozen("parameter").filter(of).map(|(_, value)| {
            let at = value.rfind([' ', '*']).unwrap() + 1;
            (in_rust(value[..at].trim_end()).to_owned(), value[at..].to_owned())
        });
        assert_eq!(told[name], (in_rust(returned).to_owned(), expected.collect::<Vec<_>>()), "{name}");
    }
}
