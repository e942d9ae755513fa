//! Each struct and field, as the C compiler lays it out, against the library's own account.
//!
//! The C side is a program made from the header's names; the compiler fills in sizes and offsets. The
//! library's side is a program that walks `trfb_abi_layout()`. Both print the same kind of lines, so
//! that both accounts are read by one routine, and rows are made for what either side knows: a field
//! that one of them has forgotten is a failure, and a field that both have forgotten is one too,
//! since then the struct has bytes that belong to no field.

use std::fmt::Write as _;

use crate::constants;
use crate::header::{Header, normal_type};
use crate::report::{Row, Section};

pub(crate) const COLUMNS: &[&str] = &["struct or field", "header: offset, size, type", "library: offset, size, type"];

/// What one side says of structs and constants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) structs: Vec<Struct>,
    pub(crate) constants: Vec<(String, i64)>,
}

/// A struct as laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Struct {
    pub(crate) name: String,
    pub(crate) alignment: i64,
    pub(crate) size: i64,
    pub(crate) fields: Vec<Field>,
}

/// A field as laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) type_name: String,
    pub(crate) offset: i64,
    pub(crate) size: i64,
}

/// A C program that prints the header's account.
pub(crate) fn program(header: &Header) -> String {
    let mut text = String::from(
        r#"#define TRFB_NO_INLINE
#include <trfboost.h>
#include <stdio.h>

#define STRUCT(type) do { \
    struct aligned { char first; type second; }; \
    printf("struct\t" #type "\t%ld\t%ld\n", (long)offsetof(struct aligned, second), (long)sizeof(type)); \
} while (0)
#define FIELD(owner, name, type) \
    printf("field\t" #owner "\t" #name "\t" type "\t%ld\t%ld\n", \
           (long)offsetof(owner, name), (long)sizeof(((owner *)0)->name))
#define ARRAY(owner, name, type) \
    printf("field\t" #owner "\t" #name "\t" type "[%ld]\t%ld\t%ld\n", \
           (long)(sizeof(((owner *)0)->name) / sizeof(((owner *)0)->name[0])), \
           (long)offsetof(owner, name), (long)sizeof(((owner *)0)->name))
#define CONSTANT(name) printf("constant\t" #name "\t%lld\n", (long long)(name))

int main(void)
{
"#,
    );
    for of in &header.structs {
        let owner = &of.name;
        let _ = writeln!(text, "    STRUCT({owner});");
        for field in &of.fields {
            let kind = if field.is_array { "ARRAY" } else { "FIELD" };
            let _ = writeln!(text, "    {kind}({owner}, {}, \"{}\");", field.name, field.type_name);
        }
    }
    text + &constants::statements(header) + "    printf(\"end\\n\");\n    return 0;\n}\n"
}

impl Account {
    /// Reads what either program printed.
    pub(crate) fn read(lines: &[String]) -> Result<Self, String> {
        let mut account = Self::default();
        for line in lines {
            let cells: Vec<&str> = line.split('\t').collect();
            if cells == ["end"] {
                return Ok(account);
            }
            account.add(&cells).ok_or_else(|| format!("a line that is none of an account: {line}"))?;
        }
        Err("the account has no end".to_owned())
    }

    fn add(&mut self, cells: &[&str]) -> Option<()> {
        let number = |cell: &str| cell.parse().ok();
        match *cells {
            ["struct", name, alignment, size] => {
                let [alignment, size] = [number(alignment)?, number(size)?];
                self.structs.push(Struct { name: name.to_owned(), alignment, size, fields: Vec::new() });
            }
            ["field", owner, name, type_name, offset, size] => {
                let [offset, size] = [number(offset)?, number(size)?];
                let (name, type_name) = (name.to_owned(), normal_type(type_name));
                let of = self.structs.iter_mut().find(|of| of.name == owner)?;
                of.fields.push(Field { name, type_name, offset, size });
            }
            ["constant", name, value] => self.constants.push((name.to_owned(), number(value)?)),
            _ => return None,
        }
        Some(())
    }

    /// The value of a constant.
    pub(crate) fn constant(&self, name: &str) -> Option<i64> {
        self.constants.iter().find(|(known, _)| known == name).map(|&(_, value)| value)
    }

    fn find(&self, name: &str) -> Option<&Struct> {
        self.structs.iter().find(|of| of.name == name)
    }
}

impl Struct {
    fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Bytes that belong to no field.
    fn padding(&self) -> i64 {
        self.size - self.fields.iter().map(|field| field.size).sum::<i64>()
    }

    fn describe(&self) -> String {
        let Self { alignment, size, .. } = self;
        format!("{size} bytes, alignment {alignment}, {} in no field", self.padding())
    }
}

impl Field {
    fn describe(&self) -> String {
        format!("{:>3} {:>3} {}", self.offset, self.size, self.type_name)
    }
}

/// The names that either side knows, in the order of the first and then of the second.
pub(crate) fn union<'a>(
    first: impl Iterator<Item = &'a String>,
    second: impl Iterator<Item = &'a String>,
) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in first.chain(second) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

fn shown(side: Option<String>) -> String {
    side.unwrap_or_else(|| "-".to_owned())
}

/// One row for each struct and field that either side knows.
pub(crate) fn section(header: &Account, library: &Account) -> Section {
    let structs = |account: &Account| account.structs.iter().map(|of| of.name.clone()).collect::<Vec<_>>();
    let names = union(structs(header).iter(), structs(library).iter());
    let rows = names.iter().flat_map(|name| rows_of(name, header.find(name), library.find(name))).collect();
    let title = "Layout: what the C compiler says, what the library says".to_owned();
    Section { title, columns: COLUMNS, rows }
}

fn rows_of(name: &str, header: Option<&Struct>, library: Option<&Struct>) -> Vec<Row> {
    let sides = [header, library];
    let is_whole = sides.iter().all(|side| side.is_some_and(|side| side.padding() == 0));
    let [declared, built] = sides.map(|side| side.map(Struct::describe));
    let mut rows = vec![Row::new(is_whole && declared == built, [name.to_owned(), shown(declared), shown(built)])];
    let fields = |side: Option<&Struct>| -> Vec<String> {
        side.map_or_else(Vec::new, |of| of.fields.iter().map(|field| field.name.clone()).collect())
    };
    for field in union(fields(header).iter(), fields(library).iter()) {
        let [declared, built] = sides.map(|side| side.and_then(|of| of.field(&field)));
        let [left, right] = [declared, built].map(|side| shown(side.map(Field::describe)));
        rows.push(Row::new(declared.is_some() && declared == built, [format!("{name}.{field}"), left, right]));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Verdict;

    const LINES: &[&str] = &[
        "struct\tview\t8\t16",
        "field\tview\tsize\tuint64_t\t0\t8",
        "field\tview\tbase\tconst void*\t8\t8",
        "constant\tONE\t1",
        "end",
    ];

    fn account(without: &str) -> Account {
        let lines: Vec<String> = LINES.iter().filter(|line| !line.contains(without)).map(ToString::to_string).collect();
        Account::read(&lines).unwrap()
    }

    fn failures(header: &Account, library: &Account) -> Vec<String> {
        let rows = section(header, library).rows;
        rows.iter().filter(|row| row.verdict == Verdict::Fail).map(|row| row.cells.join(" | ")).collect()
    }

    #[test]
    fn equal_accounts_agree() {
        assert_eq!(failures(&account("nothing"), &account("nothing")), [""; 0]);
    }

    #[test]
    fn a_field_that_one_side_or_both_forgot_is_a_failure() {
        let [whole, partial] = [account("nothing"), account("base")];
        let [all, some] = ["16 bytes, alignment 8, 0 in no field", "16 bytes, alignment 8, 8 in no field"];
        assert_eq!(
            failures(&partial, &whole),
            [format!("view | {some} | {all}"), "view.base | - |   8   8 const void *".to_owned()]
        );
        assert_eq!(
            failures(&whole, &partial),
            [format!("view | {all} | {some}"), "view.base |   8   8 const void * | -".to_owned()]
        );
        assert_eq!(failures(&partial, &partial), [format!("view | {some} | {some}")]);
    }

    #[test]
    fn an_account_without_its_end_is_refused() {
        assert!(Account::read(&["constant\tONE\t1".to_owned()]).is_err());
        assert!(Account::read(&["Segmentation fault".to_owned(), "end".to_owned()]).is_err());
    }
}
