//! The library as a C program sees it: raw pointers in, statuses and written arrays out.
//!
//! Nothing here goes through the crate's own way of making views: [`placed`] lays arrays out in memory
//! by hand, so that a mistake about strides cannot cancel itself out. What a good call should give is
//! what the kernel gives on contiguous copies.

mod beyond;
mod call;
mod callbacks;
#[cfg(not(watched))] // such a build has lines only
mod debug_information;
#[path = "../../../abi-check/tests/validator/drawn.rs"]
mod drawn;
mod endless;
mod exports;
#[cfg(fuzzing)]
mod guided;
mod header;
#[cfg(not(watched))] // such a library is for programs that bring the sanitizer along
mod loaded;
#[path = "../../../abi-check/tests/validator/oracle.rs"]
mod oracle;
mod page;
mod placed;
mod random;
mod refused;
#[cfg(target_os = "linux")]
mod region;
mod results;
mod threads;
#[cfg(watched)]
mod untrue;
