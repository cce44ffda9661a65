use crate::error::Error;
use crate::text::{from_c, optional};
use std::ffi::c_char;
use std::path::PathBuf;
use std::slice;
use std::time::Duration;

/// The options of a license. Set all members to zero first; zero means absent.
#[repr(C)]
pub struct Options {
    /// `sizeof(lmc_options)`: later versions add members at the end.
    pub size: usize,
    /// Address of the license service: https, or http on this machine.
    pub service: *const c_char,
    /// `issuer` of `GET /signing-keys`.
    pub issuer: *const c_char,
    /// The project's product.
    pub product: *const c_char,
    /// `current` and `next` of `GET /signing-keys`, each as its JSON text.
    pub keys: *const *const c_char,
    /// Number of keys.
    pub key_count: usize,
    /// Absolute path of a folder that the program can write to and other users cannot read.
    pub folder: *const c_char,
    /// Optional: names this machine, 16 to 256 printable ASCII characters.
    pub fingerprint: *const c_char,
    /// Optional: the name of this machine that the vendor sees.
    pub machine_name: *const c_char,
    /// Optional: the release date of this build, `YYYY-MM-DD`: the license must include updates until then.
    pub released_at: *const c_char,
    /// Optional: the timeout of a request in milliseconds, at most 600,000; 0 means 5,000.
    pub timeout_ms: u32,
    /// Optional: if set, a machine without its own id is an error; otherwise it gets a random id.
    pub forbid_random_id: bool,
}

impl Options {
    /// # Safety
    ///
    /// The pointer is null or points to options, `size` is the size of their struct, and their texts end with a zero byte.
    pub unsafe fn read(options: *const Self) -> Result<client::Options, Error> {
        if options.is_null() {
            return Err(Error::internal("The options are NULL."));
        }
        // SAFETY: guaranteed by the caller; for another version, only the size is known.
        let size = unsafe { (&raw const (*options).size).read() };
        if size < size_of::<Self>() {
            return Err(Error::new("option", "size must be sizeof(lmc_options)."));
        }
        // SAFETY: guaranteed by the caller.
        unsafe { (*options).read_texts() }
    }

    /// # Safety
    ///
    /// The texts end with a zero byte.
    unsafe fn read_texts(&self) -> Result<client::Options, Error> {
        // SAFETY: guaranteed by the caller.
        let text = |text| unsafe { from_c(text) }.into_owned();
        let mut options = client::Options {
            service: text(self.service),
            issuer: text(self.issuer),
            product: text(self.product),
            // SAFETY: guaranteed by the caller.
            keys: unsafe { self.keys() },
            // SAFETY: guaranteed by the caller.
            folder: unsafe { path(self.folder) },
            // SAFETY: guaranteed by the caller.
            fingerprint: unsafe { optional(self.fingerprint) },
            // SAFETY: guaranteed by the caller.
            machine_name: unsafe { optional(self.machine_name) },
            // SAFETY: guaranteed by the caller.
            released_at: unsafe { optional(self.released_at) },
            allow_random_id: !self.forbid_random_id,
            ..client::Options::default()
        };
        if self.timeout_ms > 0 {
            options.timeout = Duration::from_millis(self.timeout_ms.into());
        }
        #[cfg(feature = "test-clock")]
        {
            options.now = Some(std::sync::Arc::new(crate::test_clock::now));
        }
        Ok(options)
    }

    /// # Safety
    ///
    /// There are `key_count` texts that end with a zero byte.
    unsafe fn keys(&self) -> Vec<String> {
        if self.keys.is_null() {
            return Vec::new();
        }
        // SAFETY: guaranteed by the caller.
        let keys = unsafe { slice::from_raw_parts(self.keys, self.key_count) };
        // SAFETY: guaranteed by the caller.
        keys.iter().map(|key| unsafe { from_c(*key) }.into_owned()).collect()
    }
}

/// A Unix path, whose bytes need not be UTF-8. # Safety The text is null or ends with a zero byte.
#[cfg(unix)]
unsafe fn path(text: *const c_char) -> PathBuf {
    use std::ffi::{CStr, OsStr};
    use std::os::unix::ffi::OsStrExt as _;
    if text.is_null() {
        return PathBuf::new();
    }
    // SAFETY: guaranteed by the caller.
    OsStr::from_bytes(unsafe { CStr::from_ptr(text) }.to_bytes()).into()
}

/// A path in UTF-8.
///
/// # Safety
///
/// The text is null or ends with a zero byte.
#[cfg(not(unix))]
unsafe fn path(text: *const c_char) -> PathBuf {
    // SAFETY: guaranteed by the caller.
    unsafe { from_c(text) }.into_owned().into()
}
