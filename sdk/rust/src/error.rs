use crate::status::{Reason, Rejection};
use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A problem that the program or its user must fix, with an option, the folder, a response or a certificate.
#[derive(Clone, Debug)]
pub struct LicenseError {
    code: Cow<'static, str>,
    message: Cow<'static, str>,
    retry_after: Option<Duration>,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

impl LicenseError {
    pub(crate) fn new(code: impl Into<Cow<'static, str>>, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code: code.into(), message: message.into(), retry_after: None, source: None }
    }

    pub(crate) fn option(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new("option", message)
    }

    pub(crate) fn folder(folder: &Path, error: io::Error) -> Self {
        let message = format!("The folder {} cannot be used ({}).", folder.display(), name_of(&error));
        Self::new("folder", message).caused_by(Arc::new(error))
    }

    pub(crate) fn retry_in(self, seconds: Option<u64>) -> Self {
        Self { retry_after: seconds.map(Duration::from_secs), ..self }
    }

    pub(crate) fn with_message(self, message: String) -> Self {
        Self { message: message.into(), ..self }
    }

    pub(crate) fn caused_by(self, source: Arc<dyn Error + Send + Sync>) -> Self {
        Self { source: Some(source), ..self }
    }

    /// Stable, for programs.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// For people, in English.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// How long to wait before the next attempt, if the service said so.
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }

    /// Why nothing could be read or stored.
    pub(crate) fn reason(&self) -> Reason {
        if self.code == Reason::MachineId.as_str() { Reason::MachineId } else { Reason::Folder }
    }
}

impl fmt::Display for LicenseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl Error for LicenseError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn Error + 'static))
    }
}

/// The name of a file system error, which is the same on every system and in every SDK.
fn name_of(error: &io::Error) -> String {
    use io::ErrorKind as Kind;
    let name = match error.kind() {
        Kind::NotFound => "ENOENT",
        Kind::PermissionDenied => "EACCES",
        Kind::AlreadyExists => "EEXIST",
        Kind::NotADirectory => "ENOTDIR",
        Kind::IsADirectory => "EISDIR",
        Kind::DirectoryNotEmpty => "ENOTEMPTY",
        Kind::ReadOnlyFilesystem => "EROFS",
        Kind::StorageFull => "ENOSPC",
        Kind::QuotaExceeded => "EDQUOT",
        Kind::FileTooLarge => "EFBIG",
        Kind::ResourceBusy => "EBUSY",
        Kind::InvalidInput => "EINVAL",
        #[cfg(unix)]
        _ if error.raw_os_error() == Some(libc::EIO) => "EIO",
        kind => return format!("{kind:?}"),
    };
    name.to_owned()
}

/// The message for a rejection by the service.
pub fn rejection_message(rejection: Rejection) -> &'static str {
    match rejection {
        Rejection::Revoked => "The license has been revoked. Ask your vendor for a new license key.",
        Rejection::Expired => "The license has expired. Ask your vendor to renew it.",
        Rejection::OtherMachine => {
            "The license is activated on another machine. Ask your vendor to reissue it."
        }
        Rejection::Suspended => "The license is suspended. Contact your vendor, then try again.",
        Rejection::LeaseEnded => "The lease of this machine has expired. Activate the license again.",
    }
}

/// The message for a failed request, or for a certificate that fails a rule.
pub fn reason_message(reason: Reason) -> &'static str {
    match reason {
        Reason::NoResponse => "The license service cannot be reached. Check the network connection.",
        Reason::UntrustedServer => {
            "The identity of the license service cannot be verified. Check the clock and the network."
        }
        Reason::Timeout => "The license service did not respond in time. Try again.",
        Reason::RateLimited => "Too many requests to the license service. Try again later.",
        Reason::ServerError => "The license service cannot process requests at the moment. Try again later.",
        Reason::NotTheService => {
            "The response is not from the license service. Check whether the network requires you to log in."
        }
        Reason::UnknownKey => "No license has this key. Compare it with the one your vendor sent you.",
        Reason::NoCertificate => {
            "The license service issued no certificate. Ask your vendor to update the service."
        }
        Reason::BadCertificate => {
            "The certificate from the license service cannot be verified. Update this program."
        }
        Reason::Unproved => {
            "The response is not signed by the license service. Check the network connection."
        }
        Reason::Format => "The certificate is incomplete or has been changed. Copy it again.",
        Reason::Header => "The text is not a license certificate.",
        Reason::Key => {
            "The certificate is signed with a key that this version of the program does not know. Update the program."
        }
        Reason::Signature => "The certificate has been changed. Copy it again.",
        Reason::Issuer => "The certificate is from another vendor.",
        Reason::Claims => "The certificate is missing information. Ask your vendor for another one.",
        Reason::Product => "The certificate is for another product.",
        Reason::Machine => "The certificate is for another machine.",
        _ => "The license service rejected the request.",
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::LicenseError;
    use std::io;
    use std::path::Path;

    #[test]
    fn a_folder_that_cannot_be_used_is_reported_with_the_name_of_the_error_in_every_sdk() {
        for (number, name) in [
            (libc::ENOSPC, "ENOSPC"),
            (libc::EROFS, "EROFS"),
            (libc::EACCES, "EACCES"),
            (libc::ENOTDIR, "ENOTDIR"),
            (libc::EIO, "EIO"),
        ] {
            let error = LicenseError::folder(Path::new("/state"), io::Error::from_raw_os_error(number));
            assert_eq!(error.message(), format!("The folder /state cannot be used ({name})."));
        }
    }
}
