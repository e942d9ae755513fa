//! Holds `trfboost.h` against the library that was really built, with the C compiler that will be
//! used: what a C user runs in CI.
//!
//! A header is a promise about somebody else's object file, and no compiler looks at both. So the
//! harness asks each side and compares the answers. For the header it has C programs compiled and
//! run, since what counts is not the text but what this compiler, with its flags, makes of it. The
//! library is asked for its own account (`trfb_abi_layout`), for its symbols, and by being called;
//! a second library, the probe, has the same signatures and tells what arrives in them.
//!
//! | part | held against each other |
//! |---|---|
//! | header | the header alone against C99 to C23, C++11 to C++23, with every warning an error |
//! | names | functions declared against names exported |
//! | layout | `sizeof` and `offsetof` against the library's own account, each struct and field |
//! | constants | each enum constant and number defined against the library's own account |
//! | frozen | both against the ABI that was frozen under their version; other machines as well |
//! | convention | the bytes that C passes against those that Rust receives, each parameter |
//! | behaviour | what the header's comments say against what calls do |
//!
//! The programs run as children: one that crashes is a failed check, and not the end of the report.
#![forbid(unsafe_code)]

pub mod artifacts;

mod arguments;
mod behaviour;
mod child;
mod compiler;
mod constants;
mod convention;
mod dialects;
mod frozen;
mod header;
mod layout;
mod library;
mod names;
mod part;
mod program;
mod report;
mod run;
mod standalone;
mod targets;
mod trouble;
mod workplace;

pub use arguments::{Arguments, HELP, Request};
pub use part::Part;
pub use report::{Report, Row, Section, Verdict};
pub use run::{Options, freeze, run};
pub use trouble::Trouble;
