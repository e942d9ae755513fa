//! The parts of a run, by the names under which one asks for them.

use crate::Trouble;

/// What is held against each other; see the table in the crate's documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The header by itself.
    Header,
    /// Functions declared, names exported.
    Names,
    /// Sizes and offsets.
    Layout,
    /// Values of constants.
    Constants,
    /// What was frozen.
    Frozen,
    /// Bytes passed and received.
    Convention,
    /// What calls do.
    Behaviour,
}

impl Part {
    /// All of them, in the order of the report, with their names.
    pub const ALL: &[(&str, Self)] = &[
        ("header", Self::Header),
        ("names", Self::Names),
        ("layout", Self::Layout),
        ("constants", Self::Constants),
        ("frozen", Self::Frozen),
        ("convention", Self::Convention),
        ("behaviour", Self::Behaviour),
    ];

    /// The part of this name.
    ///
    /// # Errors
    ///
    /// [`Trouble::Part`] if there is none.
    pub fn named(name: &str) -> Result<Self, Trouble> {
        let part = Self::ALL.iter().find(|(known, _)| *known == name).map(|&(_, part)| part);
        part.ok_or_else(|| Trouble::Part(name.to_owned()))
    }
}
