//! Each constant of the header, as the compiler computes it, against the library's own account.

use std::fmt::Write as _;

use crate::header::Header;
use crate::layout::{Account, union};
use crate::report::{Row, Section};

pub(crate) const COLUMNS: &[&str] = &["constant", "header", "library"];

/// The lines of a C program that tell the constants' values.
pub(crate) fn statements(header: &Header) -> String {
    header.constants.iter().fold(String::new(), |mut text, name| {
        let _ = writeln!(text, "    CONSTANT({name});");
        text
    })
}

/// One row for each constant that either side knows.
pub(crate) fn section(header: &Account, library: &Account) -> Section {
    let names = union(header.constants.iter().map(|(name, _)| name), library.constants.iter().map(|(name, _)| name));
    let row = |name: String| {
        let [declared, built] = [header, library].map(|account| account.constant(&name));
        let shown = |value: Option<i64>| value.map_or("-".to_owned(), |value| value.to_string());
        Row::new(declared.is_some() && declared == built, [name, shown(declared), shown(built)])
    };
    let title = "Constants: the value in C, the value in the library".to_owned();
    Section { title, columns: COLUMNS, rows: names.into_iter().map(row).collect() }
}
