//! Stores the state of the license in a file that no other machine accepts.

use crate::certificate::Untrusted;
use crate::error::LicenseError;
use crate::folder_lock::{FolderLock, TIMEOUT};
use crate::hash::{hash_lines, hex, sha256};
use crate::json::{Json, object};
use crate::regular_file::{MAX_SIZE, read_regular_file};
use crate::status::{Reason, Rejection, State};
use crate::stored_state::Stored;
use crate::whole_file::{remove, remove_temporary, write_whole};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

const VERSION: u64 = 1;
/// Larger than any state file, so an almost full disk is detected.
const PROBE: [u8; 16_384] = [b' '; 16_384];

/// Why the state cannot be read.
pub enum ReadError {
    Untrusted(Untrusted),
    License(LicenseError),
}

impl From<LicenseError> for ReadError {
    fn from(error: LicenseError) -> Self {
        Self::License(error)
    }
}

/// The state of one product of one issuer, valid only on this machine.
pub struct StateFile {
    folder: PathBuf,
    path: PathBuf,
    issuer: String,
    product: String,
    /// Threads of this process wait here, not for the file.
    threads: Mutex<()>,
}

impl StateFile {
    pub fn new(folder: PathBuf, issuer: String, product: String) -> Self {
        let name = hex(&sha256(&format!("license-state:v1\n{issuer}\n{product}"))[..16]);
        let path = folder.join(format!("license-{name}.json"));
        Self { folder, path, issuer, product, threads: Mutex::new(()) }
    }

    /// `fingerprint` is called only if there is a file, because it may need to be created first.
    pub fn read(
        &self,
        fingerprint: impl FnOnce() -> Result<String, LicenseError>,
    ) -> Result<Stored, ReadError> {
        let Some(data) = read_regular_file(&self.path).map_err(|error| self.error(error))? else {
            return Ok(Stored::default());
        };
        self.parse(&data, fingerprint)
    }

    /// The state; empty if the file is damaged or belongs to another machine.
    pub fn read_or_nothing(
        &self,
        fingerprint: impl FnOnce() -> Result<String, LicenseError>,
    ) -> Result<Stored, LicenseError> {
        match self.read(fingerprint) {
            Ok(stored) => Ok(stored),
            Err(ReadError::Untrusted(_)) => Ok(Stored::default()),
            Err(ReadError::License(error)) => Err(error),
        }
    }

    /// Replaces the state with the result of `change`, or leaves it unchanged if the result is `None`.
    pub fn update(
        &self,
        fingerprint: &str,
        change: impl Fn(Stored) -> Option<Stored>,
    ) -> Result<(), LicenseError> {
        let _threads = self.wait_for_threads();
        self.replace(fingerprint, change, TIMEOUT)
    }

    /// Like update, but gives up if another thread or process is writing.
    pub fn try_update(
        &self,
        fingerprint: &str,
        change: impl Fn(Stored) -> Option<Stored>,
    ) -> Result<(), LicenseError> {
        let _threads = match self.threads.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(()),
        };
        self.replace(fingerprint, change, Duration::ZERO)
    }

    /// Writes and deletes a file larger than any other file of this crate.
    pub fn prove_writable(&self) -> Result<(), LicenseError> {
        let _threads = self.wait_for_threads();
        let _lock = self.lock(TIMEOUT)?;
        write_whole(&self.path, &PROBE, |_| Ok(())).map_err(|error| self.error(error))
    }

    /// Deletes the state.
    pub fn delete(&self) -> Result<(), LicenseError> {
        if !self.folder.exists() {
            return Ok(());
        }
        let _threads = self.wait_for_threads();
        let _lock = self.lock(TIMEOUT)?;
        remove(&self.path).map_err(|error| self.error(error))
    }

    /// Deletes the state if it is for this license key.
    pub fn delete_of(&self, key: &str, fingerprint: &str) -> Result<(), LicenseError> {
        let _threads = self.wait_for_threads();
        let _lock = self.lock(TIMEOUT)?;
        let stored = self.read_or_nothing(|| Ok(fingerprint.to_owned()))?;
        if stored.key.as_deref() == Some(key) {
            remove(&self.path).map_err(|error| self.error(error))?;
        }
        Ok(())
    }

    fn wait_for_threads(&self) -> MutexGuard<'_, ()> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self, timeout: Duration) -> Result<FolderLock, LicenseError> {
        let lock = FolderLock::acquire(&self.folder, timeout).map_err(|error| self.error(error))?;
        // While this process holds the lock, every temporary file is from a killed process.
        remove_temporary(&self.path).map_err(|error| self.error(error))?;
        Ok(lock)
    }

    fn replace(
        &self,
        fingerprint: &str,
        change: impl Fn(Stored) -> Option<Stored>,
        timeout: Duration,
    ) -> Result<(), LicenseError> {
        let next = || -> Result<_, LicenseError> {
            Ok(change(self.read_or_nothing(|| Ok(fingerprint.to_owned()))?))
        };
        // Without a change, nothing is written, so a read-only folder also works.
        if next()?.is_none() {
            return Ok(());
        }
        let lock = self.lock(timeout)?;
        let Some(state) = next()? else {
            return Ok(());
        };
        let data = self.serialize(&state, fingerprint).into_bytes();
        write_whole(&self.path, &data, |temporary| {
            lock.require()?;
            fs::rename(temporary, &self.path)
        })
        .map_err(|error| self.error(error))
    }

    fn machine(&self, fingerprint: &str) -> String {
        hash_lines(&["license-state:v1", &self.issuer, &self.product, fingerprint])
    }

    fn serialize(&self, state: &Stored, fingerprint: &str) -> String {
        object([
            ("version", VERSION.into()),
            ("machine", self.machine(fingerprint).as_str().into()),
            ("key", state.key.as_deref().into()),
            ("certificate", state.certificate.as_deref().into()),
            ("installed", state.installed.as_deref().into()),
            ("rejection", state.rejection.map(Rejection::as_str).into()),
            ("rejectedAt", state.rejected_at.into()),
            ("rememberedTime", state.remembered_time.into()),
        ])
        .to_string()
    }

    fn parse(
        &self,
        data: &[u8],
        fingerprint: impl FnOnce() -> Result<String, LicenseError>,
    ) -> Result<Stored, ReadError> {
        let damaged = || ReadError::Untrusted(Untrusted::new(State::Damaged, Reason::StateFile));
        if data.len() as u64 > MAX_SIZE {
            return Err(damaged());
        }
        let content = Json::parse(data).ok_or_else(damaged)?;
        if content.get("version").and_then(Json::integer) != Some(VERSION) {
            return Err(damaged());
        }
        let machine = content.get("machine").and_then(Json::text).ok_or_else(damaged)?;
        if machine != self.machine(&fingerprint()?) {
            return Err(ReadError::Untrusted(Untrusted::new(State::OtherMachine, Reason::StateFile)));
        }
        parse_members(&content).ok_or_else(damaged)
    }

    fn error(&self, error: io::Error) -> LicenseError {
        LicenseError::folder(&self.folder, error)
    }
}

/// `None` if a member is absent or of another type.
fn parse_members(content: &Json) -> Option<Stored> {
    let certificate = content.get("certificate")?;
    Some(Stored {
        key: text_or_null(content.get("key")?)?,
        certificate: text_or_null(certificate)?,
        // Older versions recorded neither installed certificates (they kept only the last to expire) nor
        // the time of a rejection.
        installed: text_or_null(content.get("installed").unwrap_or(certificate))?,
        rejection: match text_or_null(content.get("rejection")?)? {
            Some(code) => Some(Rejection::ALL.into_iter().find(|rejection| rejection.as_str() == code)?),
            None => None,
        },
        rejected_at: content.get("rejectedAt").map_or(Some(0), Json::integer)?,
        remembered_time: content.get("rememberedTime")?.integer()?,
    })
}

fn text_or_null(value: &Json) -> Option<Option<String>> {
    match value {
        Json::Null => Some(None),
        value => value.text().map(|text| Some(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::StateFile;
    use crate::stored_state::Stored;
    use crate::temporary_folder::TemporaryFolder;
    use std::cell::Cell;
    use std::fs;

    fn stored(key: &str) -> Option<Stored> {
        Some(Stored { key: Some(key.into()), ..Stored::default() })
    }

    #[test]
    fn a_change_fails_if_the_lock_is_lost() {
        let folder = TemporaryFolder::new();
        let file = StateFile::new(folder.path(""), "issuer".into(), "product".into());
        file.update("fingerprint", |_| stored("first")).unwrap();
        let calls = Cell::new(0);
        let result = file.update("fingerprint", |_| {
            calls.set(calls.get() + 1);
            // The second call happens while the lock is held.
            if calls.get() == 2 {
                fs::write(folder.path("license.lock"), "of another process").unwrap();
            }
            stored("second")
        });
        assert_eq!(result.unwrap_err().code(), "folder");
        assert_eq!(file.read_or_nothing(|| Ok("fingerprint".into())).ok(), stored("first"));
        assert_eq!(fs::read_to_string(folder.path("license.lock")).unwrap(), "of another process");
    }

    #[test]
    fn the_time_is_remembered_without_waiting_for_the_lock() {
        let folder = TemporaryFolder::new();
        let file = StateFile::new(folder.path(""), "issuer".into(), "product".into());
        fs::write(folder.path("license.lock"), "of another process").unwrap();
        assert_eq!(file.try_update("fingerprint", |_| stored("key")).unwrap_err().code(), "folder");
        let _threads = file.threads.lock();
        file.try_update("fingerprint", |_| panic!("another thread is writing")).unwrap();
    }
}
