//! Functions that the header declares against names that the library exports.

use std::collections::BTreeSet;

use crate::header::Header;
use crate::library::Library;
use crate::report::{Row, Section};

pub(crate) const COLUMNS: &[&str] = &["name", "header", "library"];

/// One row for each name that either side knows, and one for the library's own name.
pub(crate) fn section(header: &Header, library: &Library, abi_version: Option<i64>) -> Section {
    let title = "Names: functions declared, names exported".to_owned();
    let Some(symbols) = library.symbols() else {
        let reason = "a static library shows the names of all its object files; look at the shared one";
        return Section { title, columns: COLUMNS, rows: vec![Row::skipped("exported names", reason)] };
    };
    let declared: BTreeSet<&str> = header.functions.iter().map(|function| function.name.as_str()).collect();
    let exported: BTreeSet<&str> = symbols.exports.iter().map(String::as_str).collect();
    let row = |name: &&str| {
        let side = |there: bool, word: &str| if there { word.to_owned() } else { "-".to_owned() };
        let (in_header, in_library) = (declared.contains(name), exported.contains(name));
        let cells = [(*name).to_owned(), side(in_header, "declared"), side(in_library, "exported")];
        Row::new(in_header && in_library, cells)
    };
    let mut rows: Vec<Row> = declared.union(&exported).map(row).collect();
    if let (true, Some(version)) = (symbols.is_elf, abi_version) {
        let (ending, soname) = (format!(".so.{version}"), symbols.soname.clone().unwrap_or_else(|| "-".to_owned()));
        rows.push(Row::new(soname.ends_with(&ending), ["soname".to_owned(), format!("ends in {ending}"), soname]));
    }
    Section { title, columns: COLUMNS, rows }
}
