//! A C program that is the snapshot, written so that a compiler refuses it beside a header that differs.
//!
//! It needs no more of a compiler than that it reads the header, and is never run, so that compilers for
//! other machines check it as well. What a compiler complains of has the item's name in it. (C99 knows no
//! static assertion: an array of -1 elements is the old way.)

use std::fmt::Write as _;

use super::snapshot::{Item, Kind, Snapshot};

const PROLOGUE: &str = "\
#include <trfboost.h>

#ifdef __cplusplus
#define HOLDS(condition, sentence) static_assert(condition, #sentence)
extern \"C\" {
#else
#define HOLDS(condition, sentence) typedef char sentence[(condition) ? 1 : -1]
#endif

";

const EPILOGUE: &str = "
#ifdef __cplusplus
}
#endif
";

/// The program.
pub(crate) fn program(frozen: &Snapshot) -> String {
    let mut text = PROLOGUE.to_owned();
    for item in frozen.items() {
        text += &statement(frozen, item).unwrap_or_else(|| format!("#error \"{}: {}\"\n", item.name, item.value));
    }
    text + EPILOGUE
}

/// What has to hold of an item; `None` if its value is not of its kind.
fn statement(frozen: &Snapshot, item: &Item) -> Option<String> {
    let Item { kind, name, value } = item;
    let mut text = String::new();
    match kind {
        Kind::Soname | Kind::Parameter => {}
        Kind::Constant => {
            let _ = writeln!(text, "HOLDS({name} == {value}, {name}_is_{});", value.replace('-', "minus_"));
        }
        Kind::Struct => {
            let (size, alignment) = value.split_once(" bytes, alignment ")?;
            let _ = writeln!(text, "HOLDS(sizeof({name}) == {size}, {name}_has_{size}_bytes);");
            let _ = writeln!(text, "struct {name}_after_a_byte {{ char first; {name} second; }};");
            let offset = format!("offsetof(struct {name}_after_a_byte, second)");
            let _ = writeln!(text, "HOLDS({offset} == {alignment}, {name}_has_alignment_{alignment});");
        }
        Kind::Field => {
            let (owner, field) = name.split_once('.')?;
            let (offset, rest) = value.strip_prefix("at ")?.split_once(", ")?;
            let (size, type_name) = rest.split_once(" bytes, ")?;
            let words = format!("{owner}_{field}");
            let _ = writeln!(text, "HOLDS(offsetof({owner}, {field}) == {offset}, {words}_is_at_byte_{offset});");
            let _ = writeln!(text, "HOLDS(sizeof((({owner} *)0)->{field}) == {size}, {words}_has_{size}_bytes);");
            let returns = pointer_to(type_name, &format!("{words}_type({owner} *of)"));
            let _ = writeln!(text, "{returns};\n{returns} {{ return &of->{field}; }}");
        }
        Kind::Callback => {
            let _ = writeln!(text, "extern {value} (*{name}_type)({});", parameters(frozen, item));
            let _ = writeln!(text, "extern {name} {name}_type;");
        }
        Kind::Function => {
            let _ = writeln!(text, "{value} {name}({});", parameters(frozen, item));
        }
    }
    Some(text)
}

/// `int64_t[8]` and `f(x)` are `int64_t (*f(x))[8]`: C wraps types around names.
fn pointer_to(type_name: &str, name: &str) -> String {
    match type_name.split_once('[') {
        Some((element, length)) => format!("{element} (*{name})[{length}"),
        None => format!("{type_name} *{name}"),
    }
}

fn parameters(frozen: &Snapshot, function: &Item) -> String {
    let parameters: Vec<&str> = frozen.parts(function).map(|parameter| parameter.value.as_str()).collect();
    if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") }
}
