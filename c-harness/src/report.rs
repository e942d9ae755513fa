//! The report: sections of rows, one row per thing that was compared.

use std::fmt;

/// What came of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Both sides agree.
    Ok,
    /// They do not.
    Fail,
    /// It was not compared, for the reason in the row.
    Skipped,
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Ok => "ok",
            Self::Fail => "FAIL",
            Self::Skipped => "skip",
        })
    }
}

/// One thing that was compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What came of it.
    pub verdict: Verdict,
    /// What it was and what the sides say, under the section's columns.
    pub cells: Vec<String>,
}

impl Row {
    /// A row that is ok if `agree`, and else a failure.
    pub(crate) fn new<const N: usize>(agree: bool, cells: [String; N]) -> Self {
        Self { verdict: if agree { Verdict::Ok } else { Verdict::Fail }, cells: cells.into() }
    }

    /// A row that says why something could not be found out, which is a failure.
    pub(crate) fn failed(item: impl Into<String>, why: impl Into<String>) -> Self {
        Self { verdict: Verdict::Fail, cells: vec![item.into(), why.into()] }
    }

    /// A row that says why something was not compared.
    pub(crate) fn skipped(item: impl Into<String>, why: impl Into<String>) -> Self {
        Self { verdict: Verdict::Skipped, cells: vec![item.into(), why.into()] }
    }
}

/// Each cell is padded to the widest of its column; the last one is not, and rows with other columns
/// than the section's (reasons, which can be long) do not widen it.
fn write_line(formatter: &mut fmt::Formatter<'_>, mark: &str, cells: &[String], widths: &[usize]) -> fmt::Result {
    let mut line = format!("  {mark:<4}");
    for (index, cell) in cells.iter().enumerate() {
        let width = if index + 1 == cells.len() { 0 } else { widths.get(index).copied().unwrap_or(0) };
        line += &format!("  {cell:<width$}");
    }
    writeln!(formatter, "{}", line.trim_end())
}

/// A part of the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// What is compared.
    pub title: String,
    /// What the cells of a row are.
    pub columns: &'static [&'static str],
    /// The rows.
    pub rows: Vec<Row>,
}

impl Section {
    fn widths(&self) -> Vec<usize> {
        let width = |cell: &str| cell.chars().count();
        let mut widths: Vec<usize> = self.columns.iter().map(|title| width(title)).collect();
        for row in self.rows.iter().filter(|row| row.cells.len() == self.columns.len()) {
            for (widest, cell) in widths.iter_mut().zip(&row.cells) {
                *widest = (*widest).max(width(cell));
            }
        }
        widths
    }
}

impl fmt::Display for Section {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "\n{}", self.title)?;
        let columns: Vec<String> = self.columns.iter().map(ToString::to_string).collect();
        let widths = self.widths();
        write_line(formatter, "", &columns, &widths)?;
        self.rows.iter().try_for_each(|row| write_line(formatter, &row.verdict.to_string(), &row.cells, &widths))
    }
}

/// All that was compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What against what: one line each.
    pub subject: Vec<String>,
    /// The parts.
    pub sections: Vec<Section>,
}

impl Report {
    /// Whether nothing failed, and something was compared.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.count(Verdict::Fail) == 0 && self.count(Verdict::Ok) > 0
    }

    /// How many rows came out so.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        self.rows(verdict).count()
    }

    /// The rows that came out so, each with its section.
    pub fn rows(&self, verdict: Verdict) -> impl Iterator<Item = (&Section, &Row)> {
        let all = self.sections.iter().flat_map(|section| section.rows.iter().map(move |row| (section, row)));
        all.filter(move |(_, row)| row.verdict == verdict)
    }
}

impl fmt::Display for Report {
    /// The whole report; what failed is said again at its end, where readers of long logs look.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.subject.iter().try_for_each(|line| writeln!(formatter, "{line}"))?;
        self.sections.iter().try_for_each(|section| section.fmt(formatter))?;
        let [ok, failed, skipped] = [Verdict::Ok, Verdict::Fail, Verdict::Skipped].map(|verdict| self.count(verdict));
        writeln!(formatter, "\n{ok} ok, {failed} failed, {skipped} skipped")?;
        for verdict in [Verdict::Skipped, Verdict::Fail] {
            for (section, row) in self.rows(verdict) {
                writeln!(formatter, "{verdict}  {}: {}", section.title, row.cells.join("  "))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Report, Row, Section};

    fn report(rows: Vec<Row>) -> Report {
        let section = Section { title: "layout".to_owned(), columns: &["item", "header", "library"], rows };
        Report { subject: vec!["a.h against b.so".to_owned()], sections: vec![section] }
    }

    fn row(item: &str, header: &str, library: &str) -> Row {
        Row::new(header == library, [item, header, library].map(str::to_owned))
    }

    #[test]
    fn columns_are_aligned_and_failures_said_again_at_the_end() {
        let text = report(vec![row("view.magic", "0", "0"), row("v.size", "4", "12")]).to_string();
        let expected = "a.h against b.so\n\nlayout\n        item        header  library\n  ok    view.magic  0       0\n  \
                        FAIL  v.size      4       12\n\n1 ok, 1 failed, 0 skipped\nFAIL  layout: v.size  4  12\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_report_in_which_nothing_was_compared_has_not_passed() {
        assert!(!report(vec![]).passed());
        assert!(!report(vec![Row::skipped("x", "no compiler")]).passed());
        assert!(report(vec![row("x", "1", "1"), Row::skipped("x", "no compiler")]).passed());
    }
}
