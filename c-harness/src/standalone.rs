//! The header by itself: in each dialect that it promises, with every warning an error.

use std::ffi::OsString;

use crate::compiler::{Compiler, Language};
use crate::header::Header;
use crate::program::Workshop;
use crate::report::{Row, Section};

pub(crate) const COLUMNS: &[&str] = &["the header as", "result"];

const DIALECTS: &[(Language, &str)] =
    &[(Language::C, "c99"), (Language::C, "c11"), (Language::Cpp, "c++11"), (Language::Cpp, "c++17")];

/// Included first, and twice; initialisers used.
const UNIT: &str = "#include <trfboost.h>\n#include <trfboost.h>\n\
                    trfb_error details = TRFB_ERROR_INIT;\n\
                    trfb_fit_result result = TRFB_FIT_RESULT_INIT;\n";

/// Compiles the header in each dialect, with and without its inline functions, and tells what of it
/// the harness could read.
pub(crate) fn section(workshop: &Workshop<'_>, header: &Result<Header, String>) -> Section {
    let sister = workshop.compiler.sister();
    let mut rows: Vec<Row> = Vec::new();
    for (language, standard) in DIALECTS {
        match (language, &sister) {
            (Language::C, _) => rows.extend(compile(workshop, workshop.compiler, standard)),
            (Language::Cpp, Ok(sister)) => rows.extend(compile(workshop, sister, standard)),
            (Language::Cpp, Err(reason)) => rows.push(Row::skipped(*standard, reason)),
        }
    }
    rows.push(match header {
        Ok(header) => Row::new(true, ["declarations, read".to_owned(), summary(header)]),
        Err(complaint) => Row::failed("declarations, read", complaint),
    });
    let unreadable = header.iter().flat_map(|header| &header.unreadable);
    rows.extend(
        unreadable.map(|declaration| Row::failed(declaration, "a declaration that other languages cannot mirror")),
    );
    Section { title: "Header: by itself, with every warning an error".to_owned(), columns: COLUMNS, rows }
}

fn summary(header: &Header) -> String {
    let Header { structs, constants, functions, .. } = header;
    format!("{} structs, {} constants, {} functions", structs.len(), constants.len(), functions.len())
}

fn compile(workshop: &Workshop<'_>, compiler: &Compiler, standard: &str) -> Vec<Row> {
    let variants = [("", "declarations and inline functions"), ("-DTRFB_NO_INLINE", "declarations only")];
    let extension = if compiler.language() == Language::C { "c" } else { "cpp" };
    let check = |(define, what): (&str, &str)| {
        let source = workshop.workplace.write(&format!("standalone.{extension}"), UNIT);
        let source = source.map_err(|trouble| trouble.to_string())?;
        let mut arguments = compiler.dialect(standard);
        arguments.extend(["-Werror", "-I"].map(OsString::from));
        arguments.push(workshop.workplace.include().into());
        arguments.extend(Some(define).filter(|define| !define.is_empty()).map(OsString::from));
        arguments.extend(["-c".into(), source.clone().into(), "-o".into(), source.with_extension("o").into()]);
        compiler.run(arguments).map(|_| what.to_owned())
    };
    let row = |result: Result<String, String>| match result {
        Ok(what) => Row::new(true, [format!("{standard} ({})", compiler.name()), what]),
        Err(complaint) => Row::failed(format!("{standard} ({})", compiler.name()), complaint),
    };
    variants.map(|variant| row(check(variant))).into()
}
