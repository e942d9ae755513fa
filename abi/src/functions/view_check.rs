//! `trfb_view_check`.

use std::mem::MaybeUninit;

use trfboost_abi_check::{Access, Dtype, MAX_NDIM, Parameter, Signature, check_view};
use trfboost_kernel::Error;

use crate::entry::{Read, guarded};
use crate::failure::Failure;
use crate::{ErrorDetails, View, signature};

/// For the positions in reports. What the view has to be is said by the other arguments, so that for
/// the call as a whole it is a pointer like any other.
const VIEW_CHECK: Signature = Signature {
    name: "trfb_view_check",
    parameters: &[
        Parameter::Pointer { name: "view", c_type: "const trfb_view *", optional: false },
        Parameter::Scalar { name: "dtype", c_type: "int32_t" },
        Parameter::Scalar { name: "ndim", c_type: "int32_t" },
        Parameter::Scalar { name: "access", c_type: "int32_t" },
    ],
};

/// Holds one view against a type, a number of dimensions and an access; see the C header.
///
/// # Safety
///
/// Each pointer is NULL or points to what the C header says, for the time of the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trfb_view_check(
    view: *const View,
    dtype: i32,
    ndim: i32,
    access: i32,
    details: *mut ErrorDetails,
) -> i32 {
    let body = || {
        let (ndim, access) = wanted(ndim, access)?;
        let mut copy = MaybeUninit::uninit();
        // SAFETY: what this function's caller promises of `view` is what `Read::new` asks for.
        let read = unsafe { Read::new(view, &mut copy) };
        check_view(&read.argument(), Dtype(dtype), ndim, access).map_err(Failure::from)
    };
    // SAFETY: what this function's caller promises of `details` is what `guarded` asks for.
    unsafe { guarded(&VIEW_CHECK, details, body) }
}

/// What the numbers ask for.
fn wanted(ndim: i32, access: i32) -> Result<(Option<i32>, Access), Error> {
    let refused = |argument, expected, actual: i32| Error::Value { argument, expected, actual: actual.into() };
    let wanted_ndim = match ndim {
        -1 => None,
        _ if (0..=MAX_NDIM as i32).contains(&ndim) => Some(ndim),
        _ => return Err(refused("ndim", "-1 (any) to TRFB_MAX_NDIM", ndim)),
    };
    let wanted_access = [Access::Read, Access::Write].into_iter().find(|known| *known as i32 == access);
    Ok((wanted_ndim, wanted_access.ok_or(refused("access", "TRFB_ACCESS_READ or TRFB_ACCESS_WRITE", access))?))
}

const _: signature::ViewCheck = trfb_view_check;
