//! The header on other machines, where nothing can be run: compilers for them have to accept it and the
//! frozen snapshot, or to refuse it in the header's own words.
//!
//! gcc has a compiler for each machine (`aarch64-linux-gnu-gcc`); clang is one for all of them, and brings
//! the two headers that trfboost.h includes.

use crate::compiler::{Compiler, Language};
use crate::dialects::{self, Dialect};
use crate::frozen::{self, Snapshot};
use crate::program::Workshop;
use crate::report::{Row, Section};
use crate::workplace::Workplace;
use crate::{Trouble, standalone};

/// What the header says where addresses have another size than 64 bits.
const REFUSAL: &str = "trfboost needs a target with 64-bit addresses";

const WIDE: &str = "typedef char addresses_have_8_bytes[sizeof(void *) == 8 ? 1 : -1];\n";

/// What each compiler for this target says.
///
/// # Errors
///
/// [`Trouble::Compiler`] if there is none.
pub(crate) fn sections(target: &str, workplace: &Workplace, frozen: &Snapshot) -> Result<Vec<Section>, Trouble> {
    let mut sections = Vec::new();
    for compiler in Compiler::for_target(target)? {
        let workshop = Workshop { compiler: &compiler, workplace };
        let titled = |section: Section| Section {
            title: format!("{}, for {target}: {}", compiler.name(), section.title),
            ..section
        };
        let dialect = Dialect { language: Language::C, standard: "c99" };
        if workshop.check(dialect, "wide", WIDE, &[]).is_err() {
            sections.push(titled(refused(&workshop)));
        } else {
            let title = "Header: by itself, with every warning an error".to_owned();
            let rows = standalone::rows(&workshop);
            sections.push(titled(Section { title, columns: dialects::COLUMNS, rows }));
            sections.push(titled(frozen::compiled(&workshop, frozen)));
        }
    }
    Ok(sections)
}

/// A row for each dialect, in which the header has to refuse the target.
fn refused(workshop: &Workshop<'_>) -> Section {
    let rows: Vec<Row> = dialects::rows(workshop, |workshop, dialect| {
        match workshop.check(dialect, "refused", "#include <trfboost.h>\n", &[]) {
            Err(complaint) if complaint.contains(REFUSAL) => Ok(format!("refused: {REFUSAL}")),
            Err(complaint) => Err(complaint),
            Ok(()) => Err("accepted, although addresses are no 64 bits wide".to_owned()),
        }
    });
    Section { title: "Header: refused".to_owned(), columns: dialects::COLUMNS, rows }
}
