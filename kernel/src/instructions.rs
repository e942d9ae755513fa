//! Which vector instructions the kernel uses, for those who ask.

use pulp::Arch;

use crate::vectors::Path;

/// A set of vector instructions. Results are the same bits with each; only the time differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Instructions {
    /// None that is not in every processor of this target.
    Portable,
    /// 128 bits, on 64-bit ARM.
    Neon,
    /// 256 bits, on x86-64.
    Avx2,
    /// 512 bits, on x86-64.
    Avx512,
}

impl Instructions {
    /// The widest that this machine has, which is what the kernel uses.
    ///
    /// ```
    /// println!("{:?}", trfboost_kernel::Instructions::in_use());
    /// ```
    #[must_use]
    pub fn in_use() -> Self {
        match Path::best().arch() {
            #[cfg(target_arch = "x86_64")]
            Arch::V3(_) => Self::Avx2,
            #[cfg(target_arch = "x86_64")]
            Arch::V4(_) => Self::Avx512,
            #[cfg(target_arch = "aarch64")]
            Arch::Neon(_) => Self::Neon,
            _ => Self::Portable,
        }
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_use_is_what_the_processor_has() {
        let expected = match (std::arch::is_x86_feature_detected!("avx512f"), pulp::x86::V3::try_new()) {
            (true, _) => Instructions::Avx512,
            (false, Some(_)) => Instructions::Avx2,
            (false, None) => Instructions::Portable,
        };
        assert_eq!(Instructions::in_use(), expected);
    }
}
