use crate::license::License;
use crate::status::Status;
use crate::{free, give, guard};
use std::ffi::c_void;
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

/// Called on a thread of the library with the context of `lmc_license_keep_fresh`. The status is valid during the call.
pub type OnChange = Option<unsafe extern "C" fn(context: *mut c_void, status: *const Status)>;

/// A license that is kept fresh.
pub struct KeepFresh {
    receiver: Arc<Mutex<Receiver>>,
    _running: client::KeepFresh,
}

struct Receiver {
    on_change: OnChange,
    context: *mut c_void,
}

// SAFETY: the caller of lmc_license_keep_fresh promises that another thread may use the context.
unsafe impl Send for Receiver {}

/// Refreshes the license on a thread, as often as its certificate requires. For a floating license, sends
/// heartbeats. `on_change` may be NULL. It is called with the first status and whenever the state changes.
/// Stop it with `lmc_keep_fresh_stop`.
///
/// # Safety
///
/// The license is from this library and not freed; another thread may use the context until `lmc_keep_fresh_stop` returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_license_keep_fresh(
    license: *const License,
    on_change: OnChange,
    context: *mut c_void,
) -> *mut KeepFresh {
    let run = || {
        // SAFETY: guaranteed by the caller.
        let license = unsafe { license.as_ref() }?;
        let receiver = Arc::new(Mutex::new(Receiver { on_change, context }));
        let shared = Arc::clone(&receiver);
        let running = license.0.keep_fresh(move |status| {
            let receiver = shared.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(on_change) = receiver.on_change {
                // SAFETY: guaranteed by the caller; after the stop there is no receiver.
                unsafe { on_change(receiver.context, &Status::from(status)) };
            }
        });
        Some(give(KeepFresh { receiver, _running: running }))
    };
    guard(run, || None).unwrap_or(ptr::null_mut())
}

/// Stops it. Waits for a running call of `on_change`, so do not call it from there. No calls follow.
///
/// # Safety
///
/// The pointer is NULL, or from `lmc_license_keep_fresh` and not stopped yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_keep_fresh_stop(keep_fresh: *mut KeepFresh) {
    // SAFETY: guaranteed by the caller.
    if let Some(keep_fresh) = unsafe { keep_fresh.as_ref() } {
        keep_fresh.receiver.lock().unwrap_or_else(PoisonError::into_inner).on_change = None;
    }
    // SAFETY: guaranteed by the caller.
    unsafe { free(keep_fresh) }
}
