//! Keeps the target for which the harness is built: C compilers are chosen for it at run time.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = std::env::var("TARGET").expect("cargo tells build scripts the target");
    println!("cargo::rustc-env=TRFBOOST_HARNESS_TARGET={target}");
}
