//! The ABI as a text of lines, one for each thing that a caller can depend on.
//!
//! ```text
//! struct     trfb_view                 176 bytes, alignment 8
//! field      trfb_view.magic           at 0, 4 bytes, uint32_t
//! constant   TRFB_L1                   1
//! function   trfb_abi_version          uint32_t
//! parameter  trfb_error_for_indexes.0  const trfb_view *x
//! ```

use std::fmt::Write as _;

use crate::header::{Function, Header};
use crate::layout::Account;
use crate::library::Symbols;

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Soname,
    Struct,
    Field,
    Constant,
    /// A type of pointers to functions; the value is the type returned.
    Callback,
    /// The value is the type returned.
    Function,
    /// Of a function or a callback; named by its place, since C knows no other name.
    Parameter,
}

impl Kind {
    const ALL: [(&str, Self); 7] = [
        ("soname", Self::Soname),
        ("struct", Self::Struct),
        ("field", Self::Field),
        ("constant", Self::Constant),
        ("callback", Self::Callback),
        ("function", Self::Function),
        ("parameter", Self::Parameter),
    ];

    fn word(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(word, _)| word)
    }
}

/// One thing that a caller can depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) kind: Kind,
    pub(crate) name: String,
    pub(crate) value: String,
}

impl Item {
    /// Whether it is this struct or function, or a part of it.
    pub(crate) fn is_of(&self, owner: &str) -> bool {
        self.name == owner || self.name.strip_prefix(owner).is_some_and(|rest| rest.starts_with('.'))
    }
}

/// All of them, in the order of the header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Snapshot {
    items: Vec<Item>,
}

const HEAD: &str = "\
# The ABI of trfboost as it was frozen: what programs that were built against this version rely on.
# Written by the command `cargo run -p trfboost-c-harness -- --freeze`, and not changed after that.
# Holds for 64-bit targets of either byte order. Offsets and sizes are in bytes.
";

impl Snapshot {
    /// One side as it is today: the header, or, with symbols, the library.
    pub(crate) fn new(header: &Header, account: &Account, library: Option<&Symbols>) -> Self {
        let mut snapshot = Self::default();
        if let Some(soname) = library.and_then(|symbols| symbols.soname.as_ref()) {
            snapshot.add(Kind::Soname, "soname", soname);
        }
        for of in &account.structs {
            snapshot.add(Kind::Struct, &of.name, format!("{} bytes, alignment {}", of.size, of.alignment));
            for field in &of.fields {
                let value = format!("at {}, {} bytes, {}", field.offset, field.size, field.type_name);
                snapshot.add(Kind::Field, format!("{}.{}", of.name, field.name), value);
            }
        }
        account.constants.iter().for_each(|(name, value)| snapshot.add(Kind::Constant, name, value.to_string()));
        header.callbacks.iter().for_each(|callback| snapshot.add_function(Kind::Callback, callback));
        let exported = |name: &String| library.is_none_or(|symbols| symbols.exports.contains(name));
        let functions = header.functions.iter().filter(|function| exported(&function.name));
        functions.for_each(|function| snapshot.add_function(Kind::Function, function));
        snapshot
    }

    fn add(&mut self, kind: Kind, name: impl Into<String>, value: impl Into<String>) {
        self.items.push(Item { kind, name: name.into(), value: value.into() });
    }

    fn add_function(&mut self, kind: Kind, function: &Function) {
        self.add(kind, &function.name, &function.returns);
        for (place, parameter) in function.parameters.iter().enumerate() {
            let value = format!("{} {}", parameter.type_name, parameter.name).replace("* ", "*");
            self.add(Kind::Parameter, format!("{}.{place}", function.name), value);
        }
    }

    /// Reads a file. The error is a line that is none of a snapshot.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut snapshot = Self::default();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let item = Self::item(line).ok_or_else(|| line.to_owned())?;
            snapshot.items.push(item);
        }
        Ok(snapshot)
    }

    fn item(line: &str) -> Option<Item> {
        let (word, rest) = line.split_once(' ')?;
        let (name, value) = rest.trim_start().split_once("  ")?;
        let kind = Kind::ALL.iter().find(|(known, _)| *known == word).map(|&(_, kind)| kind)?;
        Some(Item { kind, name: name.to_owned(), value: value.trim().to_owned() })
    }

    /// The file.
    pub(crate) fn text(&self, version: i64) -> String {
        let width = self.items.iter().map(|item| item.name.len()).max().unwrap_or(0);
        let mut text = format!("{HEAD}\n# ABI version {version}\n");
        let mut before = None;
        for Item { kind, name, value } in &self.items {
            let goes_on = match kind {
                Kind::Field | Kind::Parameter => true,
                Kind::Constant => before == Some(*kind),
                _ => false,
            };
            if !goes_on {
                text.push('\n');
            }
            let _ = writeln!(text, "{:<9}  {name:<width$}  {value}", kind.word());
            before = Some(*kind);
        }
        text
    }

    pub(crate) fn items(&self) -> &[Item] {
        &self.items
    }

    /// What is said of the same thing here.
    pub(crate) fn value(&self, of: &Item) -> Option<&str> {
        let mut same = self.items.iter().filter(|item| item.kind == of.kind && item.name == of.name);
        same.next().map(|item| item.value.as_str())
    }

    /// The parts of a struct, function or callback.
    pub(crate) fn parts<'a>(&'a self, owner: &'a Item) -> impl Iterator<Item = &'a Item> {
        self.items.iter().filter(|item| item.name != owner.name && item.is_of(&owner.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_is_read_as_it_was_written() {
        let mut snapshot = Snapshot::default();
        snapshot.add(Kind::Soname, "soname", "libtrfboost.so.1");
        snapshot.add(Kind::Struct, "trfb_view", "176 bytes, alignment 8");
        snapshot.add(Kind::Field, "trfb_view.base", "at 32, 8 bytes, const void *");
        snapshot.add(Kind::Function, "trfb_abi_version", "uint32_t");
        let text = snapshot.text(1);
        assert!(text.contains("\nfield      trfb_view.base    at 32, 8 bytes, const void *\n"), "{text}");
        assert_eq!(Snapshot::read(&text), Ok(snapshot.clone()));
        assert_eq!(Snapshot::read("union x  y"), Err("union x  y".to_owned()));
        assert_eq!(snapshot.parts(&snapshot.items[1]).count(), 1);
    }
}
