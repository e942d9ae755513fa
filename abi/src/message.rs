//! Sentences without memory: a failure is reported also when there is none left.

use std::ffi::c_char;
use std::fmt::{self, Write as _};

use crate::MESSAGE_SIZE;

/// What `message` displays, NUL-terminated, cut at a character if it is too long.
pub(crate) fn message(message: impl fmt::Display) -> [c_char; MESSAGE_SIZE] {
    let mut buffer = Buffer { bytes: [0; MESSAGE_SIZE], length: 0 };
    // Fails only where it cuts.
    let _ = write!(buffer, "{message}");
    buffer.bytes
}

struct Buffer {
    bytes: [c_char; MESSAGE_SIZE],
    length: usize,
}

impl fmt::Write for Buffer {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = (MESSAGE_SIZE - 1 - self.length).min(text.len());
        let fits = (0..=room).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        for (place, byte) in self.bytes[self.length..].iter_mut().zip(text[..fits].bytes()) {
            *place = byte as c_char;
        }
        self.length += fits;
        if fits == text.len() { Ok(()) } else { Err(fmt::Error) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(message: &[c_char; MESSAGE_SIZE]) -> Vec<u8> {
        message.iter().take_while(|&&byte| byte != 0).map(|&byte| byte as u8).collect()
    }

    #[test]
    fn a_long_sentence_is_cut_at_a_character() {
        assert_eq!(text(&message("short")), b"short");
        let long = format!("{}é", "a".repeat(MESSAGE_SIZE - 2));
        assert_eq!(text(&message(&long)), "a".repeat(MESSAGE_SIZE - 2).into_bytes());
        assert_eq!(text(&message(format_args!("{}{}", &long, "no more"))).len(), MESSAGE_SIZE - 2);
    }
}
