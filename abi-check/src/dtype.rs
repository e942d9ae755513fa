//! Element types: NumPy's type string as a number.

use std::fmt;

use bytemuck::{Pod, Zeroable};

/// Element type: `(kind << 8) | size in bytes`, the kind being NumPy's letter (`b` bool, `i` signed,
/// `u` unsigned, `f` float, `c` complex). Any number can be one; the constants are those that functions
/// take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct Dtype(pub i32);

impl Dtype {
    /// One byte, 0 or 1.
    pub const BOOL: Self = Self::new(b'b', 1);
    /// Signed, one byte.
    pub const INT8: Self = Self::new(b'i', 1);
    /// Signed, eight bytes.
    pub const INT64: Self = Self::new(b'i', 8);
    /// IEEE 754 binary64.
    pub const FLOAT64: Self = Self::new(b'f', 8);

    const fn new(kind: u8, size: u8) -> Self {
        Self((kind as i32) << 8 | size as i32)
    }

    /// Size of an element in bytes.
    pub(crate) fn item_size(self) -> i64 {
        i64::from(self.0 & 0xff)
    }

    /// What an address has to be a multiple of: the size, and for complex numbers the size of a part.
    pub(crate) fn alignment(self) -> i64 {
        if self.0 >> 8 == i32::from(b'c') { self.item_size() / 2 } else { self.item_size() }
    }

    /// The name of the kind, if the number stands for a type: a kind that is known, and a size that is a
    /// power of two, on which the alignment checks rely.
    fn kind(self) -> Option<&'static str> {
        let sizes = 1..=if self.0 >> 8 == i32::from(b'c') { 32 } else { 16 };
        if !(sizes.contains(&self.item_size()) && self.item_size().count_ones() == 1) {
            return None;
        }
        match (u8::try_from(self.0 >> 8).ok()?, self.item_size()) {
            (b'b', 1) => Some("bool"),
            (b'i', _) => Some("int"),
            (b'u', _) => Some("uint"),
            (b'f', 2..) => Some("float"),
            (b'c', 8..) => Some("complex"),
            _ => None,
        }
    }

    /// Whether the number stands for an element type at all.
    pub(crate) fn is_a_type(self) -> bool {
        self.kind().is_some()
    }
}

/// NumPy's name, such as `float64`; a number that stands for no type as `0x1234`.
impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            Some("bool") => f.write_str("bool"),
            Some(kind) => write!(f, "{kind}{}", 8 * self.item_size()),
            None => write!(f, "{:#06x}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Dtype;

    #[test]
    fn names_are_those_of_numpy() {
        let names = [
            (0x6201, "bool"),
            (0x6901, "int8"),
            (0x6904, "int32"),
            (0x6908, "int64"),
            (0x7508, "uint64"),
            (0x6602, "float16"),
            (0x6604, "float32"),
            (0x6608, "float64"),
            (0x6610, "float128"),
            (0x6308, "complex64"),
            (0x6310, "complex128"),
            (0x6320, "complex256"),
            (0x1234, "0x1234"),
            (0x6600, "0x6600"),
            (0x6603, "0x6603"),
            (0x6208, "0x6208"),
            (0, "0x0000"),
            (-1, "0xffffffff"),
        ];
        for (number, name) in names {
            assert_eq!(Dtype(number).to_string(), name);
        }
    }

    #[test]
    fn constants_are_those_of_the_header() {
        let constants = [Dtype::BOOL, Dtype::INT8, Dtype::INT64, Dtype::FLOAT64];
        assert_eq!(constants.map(|dtype| dtype.0), [0x6201, 0x6901, 0x6908, 0x6608]);
    }
}
