//! What crosses crates and languages.
//!
//! - `tests/examples.rs` and the doctests of this crate: the examples of README.md and of the site in C, C++ and
//!   Rust. (Those in Python and Cython are run by `python/test_examples.py`.)
//! - `tests/golden.rs`: stored fits, which are Eelbrain's, in Rust and C.
//! - `tests/layers.rs`: which crate may know of which, and where `unsafe` may be.
//! - `tests/documented.rs`: that the tests are there which pages name.
//! - `tests/installed.rs`, `c`, `cpp`: programs of users, built against an installation.
//! - `python`: what is run on the installed package; in `differential`, against Eelbrain; in `callers`, from
//!   Numba, Cython, cffi and Eelbrain.
//! - `demo`, `data`: what `cargo xtask demo` shows, and on which recordings.
//! - `bench`: what `cargo xtask bench` times.
//! - `xtask`: the program behind the commands.

pub mod program;

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../../docs/guides/rust.md")]
struct Guide;
