//! What a part of the proof has to tell.

use std::fmt::Display;
use std::fmt::Write as _;

/// The figures of one part, in the order in which they became known.
#[derive(Debug, Default)]
pub(crate) struct Section {
    figures: Vec<(String, String)>,
}

impl Section {
    /// Adds a figure: what was counted or measured, and the value, with its unit.
    pub(crate) fn figure(&mut self, what: impl Into<String>, value: impl Display) {
        let (what, value) = (what.into(), value.to_string());
        println!("{what}: {value}");
        self.figures.push((what, value));
    }

    /// The section as it stands in the report; `run` says how and when it was run.
    pub(crate) fn markdown(&self, name: &str, what: &str, run: &str) -> String {
        let mut text = format!("\n## {name}: {what}\n\n{run}\n");
        if !self.figures.is_empty() {
            text += "\n| figure | value |\n|---|---|\n";
        }
        for (what, value) in &self.figures {
            let [what, value] = [what, value].map(|cell| cell.replace('|', "\\|").replace('\n', " "));
            let _ = writeln!(text, "| {what} | {value} |");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_rows_of_a_table_whatever_is_in_them() {
        let mut section = Section::default();
        assert_eq!(section.markdown("a", "b", "c"), "\n## a: b\n\nc\n");
        section.figure("calls", 1_000);
        section.figure("a|b", "two\nlines");
        let table = "\n| figure | value |\n|---|---|\n| calls | 1000 |\n| a\\|b | two lines |\n";
        assert_eq!(section.markdown("a", "b", "c"), format!("\n## a: b\n\nc\n{table}"));
    }
}
