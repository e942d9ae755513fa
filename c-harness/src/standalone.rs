//! The header by itself: in each dialect that it promises, with every warning an error.

use crate::dialects;
use crate::header::Header;
use crate::program::Workshop;
use crate::report::{Row, Section};

/// Included first, and twice; initialisers used.
const UNIT: &str = "#include <trfboost.h>\n#include <trfboost.h>\n\
                    trfb_error details = TRFB_ERROR_INIT;\n\
                    trfb_fit_result result = TRFB_FIT_RESULT_INIT;\n";

/// Compiles the header in each dialect, with and without its inline functions, and tells what of it
/// the harness could read.
pub(crate) fn section(workshop: &Workshop<'_>, header: &Result<Header, String>) -> Section {
    let mut rows = rows(workshop);
    rows.push(match header {
        Ok(header) => Row::new(true, ["declarations, read".to_owned(), summary(header)]),
        Err(complaint) => Row::failed("declarations, read", complaint),
    });
    let unreadable = header.iter().flat_map(|header| &header.unreadable);
    rows.extend(
        unreadable.map(|declaration| Row::failed(declaration, "a declaration that other languages cannot mirror")),
    );
    Section { title: "Header: by itself, with every warning an error".to_owned(), columns: dialects::COLUMNS, rows }
}

fn summary(header: &Header) -> String {
    let Header { structs, constants, functions, .. } = header;
    format!("{} structs, {} constants, {} functions", structs.len(), constants.len(), functions.len())
}

/// The header in each dialect, with and without its inline functions.
pub(crate) fn rows(workshop: &Workshop<'_>) -> Vec<Row> {
    let variants = [("declarations and inline functions", &[][..]), ("declarations only", &["-DTRFB_NO_INLINE"][..])];
    let rows = variants.map(|(what, options)| {
        dialects::rows(workshop, |workshop, dialect| {
            workshop.check(dialect, "standalone", UNIT, options).map(|()| what.to_owned())
        })
    });
    rows.into_iter().flatten().collect()
}
