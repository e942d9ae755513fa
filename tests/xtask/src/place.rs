//! Where things are.

use std::env;
use std::path::PathBuf;

/// The folder of the checkout.
pub(crate) fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("xtask is in tests, which is in the checkout").to_owned()
}

/// The folder for what is built and installed.
pub(crate) fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |target| root().join(target))
}
