//! Names the library for the linker, and tells it to stay.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for variable in ["TARGET", "PROFILE"] {
        let value = env::var(variable).unwrap_or_default();
        println!("cargo::rustc-env=TRFBOOST_{variable}={value}");
    }
    // The number is TRFB_ABI_VERSION. Threads that called the library run code of its at their
    // end, so that unloading it while they live would pull the ground from under them.
    match env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("linux" | "android" | "freebsd") => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libtrfboost.so.1,-z,nodelete");
        }
        Ok("macos") => println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libtrfboost.1.dylib"),
        _ => {}
    }
}
