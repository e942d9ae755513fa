//! What crosses crates and languages.
//!
//! - `tests/readme.rs` and the doctests of this crate: the examples of README.md in C, C++ and Rust. (Those
//!   in Python are run by `python/test_readme.py`.)
//! - `tests/layers.rs`: which crate may know of which, and where `unsafe` may be.
//! - `python`: what is run on the installed package; in `differential`, against Eelbrain.
//! - `demo`, `data`: what `cargo xtask demo` shows.
//! - `xtask`: the program behind the two commands.

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
