//! Element types.

use std::fmt;

use bytemuck::{Pod, Zeroable};

/// An element type: `(kind << 8) | size in bytes`, the kind being NumPy's letter (`b`, `i`, `u`,
/// `f`, `c`), so that no side needs a table of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct Dtype(pub i32);

/// NumPy's letters, the names that go with them, and the sizes that exist.
const KINDS: [(u8, &str, &[i32]); 5] = [
    (b'b', "bool", &[1]),
    (b'i', "int", &[1, 2, 4, 8]),
    (b'u', "uint", &[1, 2, 4, 8]),
    (b'f', "float", &[2, 4, 8, 16]),
    (b'c', "complex", &[8, 16, 32]),
];

impl Dtype {
    /// One byte, 0 or 1.
    pub const BOOL: Self = Self::of(b'b', 1);
    /// `int8_t`.
    pub const INT8: Self = Self::of(b'i', 1);
    /// `int64_t`.
    pub const INT64: Self = Self::of(b'i', 8);
    /// `double`.
    pub const FLOAT64: Self = Self::of(b'f', 8);

    const fn of(kind: u8, size: u8) -> Self {
        Self((kind as i32) << 8 | size as i32)
    }

    /// Size of an element in bytes.
    #[must_use]
    pub const fn size(self) -> i64 {
        (self.0 & 0xff) as i64
    }

    /// Alignment of an element in bytes: its size, or that of its parts.
    pub(crate) fn alignment(self) -> i64 {
        match self.kind() {
            Some((b'c', ..)) => self.size() / 2,
            _ => self.size(),
        }
    }

    /// Whether this is a type that a view can have.
    #[must_use]
    pub fn exists(self) -> bool {
        self.kind().is_some_and(|(.., sizes)| sizes.contains(&(self.0 & 0xff)))
    }

    fn kind(self) -> Option<&'static (u8, &'static str, &'static [i32])> {
        KINDS.iter().find(|(letter, ..)| i32::from(*letter) == self.0 >> 8)
    }
}

impl fmt::Display for Dtype {
    /// NumPy's name, or the number if there is no such type.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            Some((b'b', name, _)) if self.exists() => formatter.write_str(name),
            Some((_, name, _)) if self.exists() => write!(formatter, "{name}{}", self.size() * 8),
            _ => write!(formatter, "{:#06x}, which is no element type", self.0),
        }
    }
}
