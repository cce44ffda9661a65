use std::borrow::Cow;
use std::ffi::{CStr, CString, c_char};

/// A text for C. A zero byte would truncate it.
pub fn to_c(text: &str) -> CString {
    CString::new(text.replace('\0', "\u{fffd}")).unwrap_or_default()
}

/// A text from C. Bytes that are not UTF-8 are replaced, because no option, key or certificate has them.
/// Empty if it is null.
///
/// # Safety
///
/// The pointer is null, or to a text that ends with a zero byte.
pub unsafe fn from_c<'a>(text: *const c_char) -> Cow<'a, str> {
    if text.is_null() {
        return Cow::Borrowed("");
    }
    // SAFETY: guaranteed by the caller.
    unsafe { CStr::from_ptr(text) }.to_string_lossy()
}

/// Like [`from_c`], but `None` if it is null. # Safety As for [`from_c`].
pub unsafe fn optional(text: *const c_char) -> Option<String> {
    // SAFETY: guaranteed by the caller.
    (!text.is_null()).then(|| unsafe { from_c(text) }.into_owned())
}

/// Frees a text that a function returned as `char *`.
///
/// # Safety
///
/// The text is NULL, or from this library and not freed yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_text_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: guaranteed by the caller.
        drop(unsafe { CString::from_raw(text) });
    }
}
