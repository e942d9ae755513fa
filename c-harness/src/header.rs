//! What the header declares, by name.
//!
//! A reader of declarations, not of C: structs of plain fields, enums, numbers defined, functions,
//! which is what a header can hold if all the languages shall mirror it. It reads what the
//! preprocessor makes of the header, and never decides what a declaration means: sizes, offsets and
//! values come from the compiler, to which the names go back. What it cannot read is kept, and is a
//! failure in the report, so that nothing is left out unseen.

use std::path::Path;

use crate::compiler::Compiler;

/// The header's declarations, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) structs: Vec<Struct>,
    /// Enum constants, and macros that are numbers.
    pub(crate) constants: Vec<String>,
    pub(crate) functions: Vec<Function>,
    /// Types that are pointers to functions.
    pub(crate) callbacks: Vec<Function>,
    /// Declarations of other kinds.
    pub(crate) unreadable: Vec<String>,
}

/// `typedef struct name { ... } name;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Struct {
    pub(crate) name: String,
    pub(crate) fields: Vec<Variable>,
}

/// A field or a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    pub(crate) name: String,
    /// The type without lengths of arrays, spaced as in `const void *`.
    pub(crate) type_name: String,
    pub(crate) is_array: bool,
}

/// A prototype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) returns: String,
    pub(crate) parameters: Vec<Variable>,
}

impl Header {
    /// Reads a header by way of the compiler's preprocessor, without its inline functions.
    pub(crate) fn read(compiler: &Compiler, path: &Path) -> Result<Self, String> {
        let options = ["-E", "-dD", "-DTRFB_NO_INLINE", "-x", "c"].map(AsRef::as_ref);
        let text = compiler.run(options.into_iter().chain([path.as_os_str()]))?;
        Ok(Self::parse(own_lines(&text, &path.display().to_string())))
    }

    fn parse<'a>(lines: impl Iterator<Item = &'a str>) -> Self {
        let mut header = Self::default();
        let mut text = String::new();
        for line in lines {
            match line.trim_start().strip_prefix('#') {
                Some(directive) => header.constants.extend(number_defined(directive)),
                None => text = text + line + "\n",
            }
        }
        for declaration in declarations(&tokens(&text)) {
            if header.add(declaration).is_none() {
                header.unreadable.push(joined(declaration));
            }
        }
        header
    }

    /// Adds a declaration; `None` if it is none that a header of this kind can hold.
    fn add(&mut self, declaration: &[&str]) -> Option<()> {
        match declaration {
            ["typedef", "struct", _, "{", body @ .., "}", name] => {
                let fields = body.split(|&token| token == ";").filter(|field| !field.is_empty());
                let fields = fields.map(variable).collect::<Option<_>>()?;
                self.structs.push(Struct { name: (*name).to_owned(), fields });
            }
            ["enum", _, "{", body @ .., "}"] | ["enum", "{", body @ .., "}"] => {
                let constants = body.split(|&token| token == ",").filter_map(<[&str]>::first);
                self.constants.extend(constants.map(ToString::to_string));
            }
            _ => match split(declaration, "(")? {
                (["typedef", returns @ ..], ["*", name, ")", "(", parameters @ .., ")"]) => {
                    self.callbacks.push(function(returns, name, parameters)?);
                }
                ([returns @ .., name], [parameters @ .., ")"]) => {
                    self.functions.push(function(returns, name, parameters)?);
                }
                _ => return None,
            },
        }
        Some(())
    }
}

/// The lines of preprocessed text that come from the file itself, and not from what it includes.
fn own_lines<'a>(text: &'a [String], path: &str) -> impl Iterator<Item = &'a str> {
    let mark = format!(" \"{}\"", path.replace('\\', "\\\\"));
    let mut own = false;
    text.iter().map(String::as_str).filter(move |line| {
        let marks = line.strip_prefix("# ").or_else(|| line.strip_prefix("#line "));
        if let Some(rest) = marks {
            own = rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).starts_with(&mark);
        }
        own && marks.is_none()
    })
}

/// The name, if the directive defines one that stands for a number: it has a value, and the value is
/// no initialiser.
fn number_defined(directive: &str) -> Option<String> {
    let (name, value) = directive.trim_start().strip_prefix("define ")?.split_once(' ')?;
    let is_number = !name.contains('(') && !value.trim().is_empty() && !value.contains('{');
    is_number.then(|| name.to_owned())
}

/// Words, numbers and single signs.
fn tokens(text: &str) -> Vec<&str> {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if is_word(first) { rest.find(|letter| !is_word(letter)) } else { Some(first.len_utf8()) };
        let (token, after) = rest.split_at(length.unwrap_or(rest.len()));
        tokens.push(token);
        rest = after.trim_start();
    }
    tokens
}

/// Splits at the semicolons outside of braces.
fn declarations<'a, 'b>(tokens: &'a [&'b str]) -> impl Iterator<Item = &'a [&'b str]> {
    let mut depth = 0;
    let ends = move |token: &&str| {
        depth += match *token {
            "{" => 1,
            "}" => -1,
            _ => 0,
        };
        depth == 0 && *token == ";"
    };
    tokens.split(ends).filter(|declaration| !declaration.is_empty())
}

/// What is before the first of these tokens, and what is behind it.
fn split<'a, 'b>(tokens: &'a [&'b str], at: &str) -> Option<(&'a [&'b str], &'a [&'b str])> {
    let place = tokens.iter().position(|&token| token == at)?;
    Some((&tokens[..place], &tokens[place + 1..]))
}

/// A type, as far as can be seen: something without parentheses, braces and lists.
fn is_plain(tokens: &[&str]) -> bool {
    let signs = ["(", ")", "{", "}", "=", ","];
    !tokens.is_empty() && !tokens.iter().any(|token| signs.contains(token))
}

/// A type, a name and perhaps a length; several names in one declaration are not read.
fn variable(tokens: &[&str]) -> Option<Variable> {
    let (before, is_array) = match split(tokens, "[") {
        Some((before, [length @ .., "]"])) if !length.contains(&"[") => (before, true),
        Some(_) => return None,
        None => (tokens, false),
    };
    let (name, type_tokens) = before.split_last()?;
    let is_name = name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
    (is_name && is_plain(type_tokens)).then(|| Variable {
        name: (*name).to_owned(),
        type_name: joined(type_tokens),
        is_array,
    })
}

fn function(returns: &[&str], name: &str, parameters: &[&str]) -> Option<Function> {
    let parameters = match parameters {
        ["void"] => Vec::new(),
        _ => parameters.split(|&token| token == ",").map(variable).collect::<Option<_>>()?,
    };
    is_plain(returns).then(|| Function { name: name.to_owned(), returns: joined(returns), parameters })
}

/// Tokens as one writes them.
fn joined(tokens: &[&str]) -> String {
    tokens.join(" ")
}

/// A type as written by anyone, in the spacing that is used here.
pub(crate) fn normal_type(written: &str) -> String {
    joined(&tokens(written)).replace(" [ ", "[").replace(" ]", "]")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
#define TRFBOOST_H
#define TRFB_VERSION 1
#define TRFB_INIT { (uint32_t)sizeof(s), { 0 } }
#define TRFB_SQUARE(x) ((x) * (x))
enum trfb_kind { TRFB_A = 0x62, TRFB_B };
typedef struct s { uint32_t size; const void *base; int64_t shape[TRFB_MAX + 1]; } s;
typedef int32_t (*trfb_progress)(void *user, int64_t done);
int32_t trfb_f(const s *view, double delta, trfb_progress progress);
const char *trfb_g(void);
extern int a, b;
"#;

    fn names(variables: &[Variable]) -> Vec<(&str, &str, bool)> {
        variables.iter().map(|field| (field.name.as_str(), field.type_name.as_str(), field.is_array)).collect()
    }

    #[test]
    fn declarations_of_each_kind_are_read_and_others_kept() {
        let header = Header::parse(TEXT.lines());
        assert_eq!(header.constants, ["TRFB_VERSION", "TRFB_A", "TRFB_B"]);
        assert_eq!(
            (header.callbacks[0].name.as_str(), header.callbacks[0].returns.as_str()),
            ("trfb_progress", "int32_t")
        );
        assert_eq!(names(&header.callbacks[0].parameters), [("user", "void *", false), ("done", "int64_t", false)]);
        let fields = [("size", "uint32_t", false), ("base", "const void *", false), ("shape", "int64_t", true)];
        assert_eq!(names(&header.structs[0].fields), fields);
        let parameters =
            [("view", "const s *", false), ("delta", "double", false), ("progress", "trfb_progress", false)];
        assert_eq!(names(&header.functions[0].parameters), parameters);
        assert_eq!(
            (header.functions[1].name.as_str(), header.functions[1].returns.as_str()),
            ("trfb_g", "const char *")
        );
        assert_eq!(header.functions[1].parameters, []);
        assert_eq!(header.unreadable, ["extern int a , b"]);
    }

    #[test]
    fn lines_of_other_files_are_left_out() {
        let text = ["# 1 \"/t/a.h\"", "own", "# 1 \"/usr/stdint.h\" 1 3", "foreign", "# 3 \"/t/a.h\" 2", "#define X 1"];
        let text = text.map(str::to_owned);
        assert_eq!(own_lines(&text, "/t/a.h").collect::<Vec<_>>(), ["own", "#define X 1"]);
    }

    #[test]
    fn types_compare_whatever_their_spacing() {
        assert_eq!(normal_type("const  void*"), "const void *");
        assert_eq!(normal_type("int64_t [ 8 ]"), "int64_t[8]");
    }
}
