//! The standards of C and C++ in which the header has to be good.

use crate::compiler::Language;
use crate::program::Workshop;
use crate::report::Row;

pub(crate) const COLUMNS: &[&str] = &["the header as", "result"];

/// A standard, by the names that compilers know it by: the first that they take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dialect {
    pub(crate) language: Language,
    pub(crate) standard: &'static str,
}

/// The standards that every compiler has to know, the oldest first.
const REQUIRED: &[(Language, &str)] =
    &[(Language::C, "c99"), (Language::C, "c11"), (Language::Cpp, "c++11"), (Language::Cpp, "c++17")];

/// The standards that compilers know by one of these names, or not yet.
const NEWER: &[(Language, &[&str])] = &[
    (Language::C, &["c17"]),
    (Language::C, &["c23", "c2x"]),
    (Language::Cpp, &["c++20"]),
    (Language::Cpp, &["c++23", "c++2b"]),
];

/// A row for each dialect of the compiler and, where there is one, its sister for C++.
pub(crate) fn rows(
    workshop: &Workshop<'_>,
    check: impl Fn(&Workshop<'_>, Dialect) -> Result<String, String>,
) -> Vec<Row> {
    let sister = workshop.compiler.sister();
    let mut rows = Vec::new();
    for language in [Language::C, Language::Cpp] {
        let compiler = match (language, &sister) {
            (Language::C, _) => workshop.compiler,
            (Language::Cpp, Ok(sister)) => sister,
            (Language::Cpp, Err(reason)) => {
                rows.push(Row::skipped("C++", reason));
                continue;
            }
        };
        let workshop = Workshop { compiler, ..*workshop };
        for dialect in of(&workshop, language) {
            let item = format!("{} ({})", dialect.standard, compiler.name());
            rows.push(match check(&workshop, dialect) {
                Ok(what) => Row::new(true, [item, what]),
                Err(complaint) => Row::failed(item, complaint),
            });
        }
    }
    rows
}

/// The dialects that this compiler has to know, and those that it does know.
fn of(workshop: &Workshop<'_>, language: Language) -> Vec<Dialect> {
    let required = REQUIRED.iter().filter(|(of, _)| *of == language);
    let required = required.map(|&(language, standard)| Dialect { language, standard });
    let newer = NEWER.iter().filter(|(of, _)| *of == language).filter_map(|(_, names)| {
        let mut dialects = names.iter().map(|&standard| Dialect { language, standard });
        dialects.find(|dialect| workshop.check(*dialect, "empty", "typedef int nothing;\n", &[]).is_ok())
    });
    required.chain(newer).collect()
}
