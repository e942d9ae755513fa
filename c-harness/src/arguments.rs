//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use lexopt::prelude::*;

use crate::{Part, Trouble};

/// What `--help` prints.
pub const HELP: &str = "\
Holds trfboost.h against the library that was really built.

Usage: trfboost-c-harness [OPTIONS]

Without options, in a checkout: builds the library and its probe with cargo and
holds the checkout's header against them with the compiler in CC, or else cc.

Options:
  --header FILE    the header (default: that of the checkout)
  --library FILE   libtrfboost.so, .dylib or .a (default: built with cargo)
  --probe FILE     libtrfboost_probe.so, whose functions have the library's
                   signatures and tell what they receive (default: built with
                   cargo, but none if --library is given; the calling
                   convention is then shown by behaviour only)
  --compiler CC    C compiler that takes gcc's options, such as gcc and clang;
                   can be repeated (default: CC, or else cc)
  --target TRIPLE  another machine, such as aarch64-linux-gnu; can be repeated.
                   Compilers for it (TRIPLE-gcc, clang) have to accept the header
                   and the frozen ABI; nothing is run
  --part PART      only this part; can be repeated: header, names, layout,
                   constants, frozen, convention, behaviour (default: all)
  --frozen FOLDER  the ABI as it was frozen, abi-1.txt and so on (default: that
                   of the checkout)
  --freeze         writes the ABI of today to that folder, under its version,
                   and does nothing else
  --valgrind       runs the programs that call the library under valgrind
  --help           this text

CC, CFLAGS, CXXFLAGS and the like are heeded. C++ is checked with the compiler's
sister (g++ for gcc, clang++ for clang), if there is one.

Exit code:
  0  header and library agree
  1  they do not: see the lines that begin with FAIL
  2  could not be found out: the last line says what is missing
";

/// What was asked for on the command line; what was left out is `None` or empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Arguments {
    /// The header.
    pub header: Option<PathBuf>,
    /// The library, shared or static.
    pub library: Option<PathBuf>,
    /// The probe.
    pub probe: Option<PathBuf>,
    /// C compilers, by name or path.
    pub compilers: Vec<OsString>,
    /// Other machines, by their triples.
    pub targets: Vec<String>,
    /// The folder of the frozen ABI.
    pub frozen: Option<PathBuf>,
    /// The parts of the run; empty: all.
    pub parts: Vec<Part>,
    /// Whether programs that call the library run under valgrind.
    pub valgrind: bool,
}

/// What a command line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Print [`HELP`].
    Help,
    /// Run the checks.
    Run(Arguments),
    /// Freeze the ABI of today.
    Freeze(Arguments),
}

impl Arguments {
    /// Reads a command line, without the program's name.
    ///
    /// # Errors
    ///
    /// [`Trouble::Arguments`] for an option that there is not, or without its value, and
    /// [`Trouble::Part`].
    pub fn parse(line: impl IntoIterator<Item = OsString>) -> Result<Request, Trouble> {
        let (mut arguments, mut request): (_, fn(Self) -> Request) = (Self::default(), Request::Run);
        let mut parser = lexopt::Parser::from_args(line);
        while let Some(argument) = parser.next()? {
            match argument {
                Long("header") => arguments.header = Some(parser.value()?.into()),
                Long("library") => arguments.library = Some(parser.value()?.into()),
                Long("probe") => arguments.probe = Some(parser.value()?.into()),
                Long("compiler") => arguments.compilers.push(parser.value()?),
                Long("target") => arguments.targets.push(parser.value()?.string()?),
                Long("frozen") => arguments.frozen = Some(parser.value()?.into()),
                Long("freeze") => request = Request::Freeze,
                Long("part") => arguments.parts.push(Part::named(&parser.value()?.string()?)?),
                Long("valgrind") => arguments.valgrind = true,
                Short('h') | Long("help") => return Ok(Request::Help),
                _ => return Err(argument.unexpected().into()),
            }
        }
        Ok(request(arguments))
    }
}

#[cfg(test)]
mod tests {
    use super::{Arguments, HELP, Part, Request, Trouble};

    fn parse(line: &[&str]) -> Result<Request, Trouble> {
        Arguments::parse(line.iter().map(Into::into))
    }

    #[test]
    fn options_are_read_and_compilers_add_up() {
        let line = [
            "--header=a.h",
            "--library",
            "b.so",
            "--compiler",
            "gcc",
            "--compiler=clang",
            "--valgrind",
            "--part=names",
            "--target=s390x-linux-gnu",
        ];
        let Request::Run(arguments) = parse(&line).unwrap() else { panic!("not a run") };
        assert_eq!(arguments.header.unwrap().to_str(), Some("a.h"));
        assert_eq!(arguments.library.unwrap().to_str(), Some("b.so"));
        assert_eq!((arguments.probe, arguments.valgrind), (None, true));
        assert_eq!(arguments.compilers, ["gcc", "clang"]);
        assert_eq!(arguments.parts, [Part::Names]);
        assert_eq!(arguments.targets, ["s390x-linux-gnu"]);
        let Request::Freeze(arguments) = parse(&["--freeze", "--frozen=f"]).unwrap() else { panic!("not to freeze") };
        assert_eq!(arguments.frozen.unwrap().to_str(), Some("f"));
    }

    #[test]
    fn what_is_not_an_option_is_refused_with_its_name() {
        for (line, name) in [
            (&["--heade", "x"][..], "--heade"),
            (&["x"], "\"x\""),
            (&["--header"], "--header"),
            (&["--part=size"], "size"),
        ] {
            let sentence = parse(line).unwrap_err().to_string();
            assert!(sentence.contains(name), "{sentence}");
        }
    }

    #[test]
    fn help_names_every_part() {
        assert!(Part::ALL.iter().all(|(name, _)| HELP.contains(name)));
    }

    #[test]
    fn help_comes_before_the_rest() {
        assert_eq!(parse(&["--valgrind", "--help"]).unwrap(), Request::Help);
    }
}
