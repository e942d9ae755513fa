//! What crosses crates and languages.
//!
//! - `tests/readme.rs` and the doctests of this crate: the examples of README.md in C, C++ and Rust. (Those
//!   in Python are run by `python/test_readme.py`.)
//! - `tests/golden.rs`: stored fits, which are Eelbrain's, in Rust and C.
//! - `tests/layers.rs`: which crate may know of which, and where `unsafe` may be.
//! - `python`: what is run on the installed package; in `differential`, against Eelbrain.
//! - `demo`, `data`: what `cargo xtask demo` shows.
//! - `xtask`: the program behind the two commands.

pub mod program;

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
