//! A file that only one process at a time can create, so that others do not change the folder.

use crate::hash::hex;
use crate::random::random_bytes;
use crate::regular_file::read_regular_file;
use crate::whole_file::{create_folder, create_new, remove, remove_temporary, temporary_name};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// How long to wait while others hold the lock.
pub const TIMEOUT: Duration = Duration::from_secs(10);
/// A lock that is unchanged for this long was left by a killed process, because writes take milliseconds.
const ABANDONED_AFTER: Duration = Duration::from_secs(2);
const INTERVAL: Duration = Duration::from_millis(5);

/// The lock of a folder, held until it is dropped.
pub struct FolderLock {
    path: PathBuf,
    token: String,
}

impl FolderLock {
    /// Fails with `ResourceBusy` if others hold the lock for longer than the timeout.
    pub fn acquire(folder: &Path, timeout: Duration) -> io::Result<Self> {
        create_folder(folder)?;
        let lock = Self { path: folder.join("license.lock"), token: hex(&random_bytes()?) };
        let start = Instant::now();
        let (mut holder, mut since) = (lock.content(), start);
        while !lock.try_create()? {
            let (now, present) = (Instant::now(), lock.content());
            if present != holder {
                (holder, since) = (present, now);
            } else if let Some(holder) = holder.as_ref().filter(|_| now - since > ABANDONED_AFTER) {
                lock.remove_abandoned(holder)?;
            }
            if now - start >= timeout {
                return Err(io::Error::from(io::ErrorKind::ResourceBusy));
            }
            thread::sleep(INTERVAL);
        }
        // Left by a process that was killed while removing an abandoned lock. The next process tries again.
        let _ = remove_temporary(&lock.path);
        Ok(lock)
    }

    /// Fails if the lock was lost, for example because the process was suspended.
    pub fn require(&self) -> io::Result<()> {
        if self.is_held() { Ok(()) } else { Err(io::Error::from(io::ErrorKind::ResourceBusy)) }
    }

    fn is_held(&self) -> bool {
        self.content().as_ref() == Some(&self.token)
    }

    fn try_create(&self) -> io::Result<bool> {
        match create_new(&self.path) {
            Ok(mut file) => file.write_all(self.token.as_bytes()).map(|()| true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Removes the lock of a killed process, unless another process has taken it.
    fn remove_abandoned(&self, holder: &str) -> io::Result<()> {
        let removed = temporary_name(&self.path)?;
        // Another process may be faster.
        if fs::rename(&self.path, &removed).is_ok() {
            if content_of(&removed).as_deref() != Some(holder) {
                let _ = fs::hard_link(&removed, &self.path);
            }
            remove(&removed)?;
        }
        Ok(())
    }

    fn content(&self) -> Option<String> {
        content_of(&self.path)
    }
}

/// `None` if the file is absent, unreadable or not a regular file.
fn content_of(path: &Path) -> Option<String> {
    String::from_utf8(read_regular_file(path).ok()??).ok()
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        if self.is_held() {
            // Ignored, because the next process removes it.
            let _ = remove(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FolderLock, TIMEOUT};
    use crate::temporary_folder::TemporaryFolder;
    use std::fs;
    use std::io::ErrorKind;
    use std::time::Duration;

    #[test]
    fn only_one_process_holds_the_lock_and_it_leaves_nothing_behind() {
        let folder = TemporaryFolder::new();
        let path = folder.path("license");
        let lock = FolderLock::acquire(&path, TIMEOUT).unwrap();
        let second = FolderLock::acquire(&path, Duration::ZERO);
        assert_eq!(second.err().map(|error| error.kind()), Some(ErrorKind::ResourceBusy));
        lock.require().unwrap();
        drop(lock);
        assert_eq!(fs::read_dir(&path).unwrap().count(), 0);
    }

    #[test]
    fn a_lost_lock_is_noticed_and_left_to_its_new_holder() {
        let folder = TemporaryFolder::new();
        let lock = FolderLock::acquire(&folder.path(""), TIMEOUT).unwrap();
        fs::write(&lock.path, "of another process").unwrap();
        assert_eq!(lock.require().unwrap_err().kind(), ErrorKind::ResourceBusy);
        let path = lock.path.clone();
        drop(lock);
        assert_eq!(fs::read_to_string(path).unwrap(), "of another process");
    }

    #[test]
    fn only_the_abandoned_lock_is_removed() {
        let folder = TemporaryFolder::new();
        let lock = FolderLock { path: folder.path("license.lock"), token: String::new() };
        fs::write(&lock.path, "of another process").unwrap();
        lock.remove_abandoned("of a process that was killed").unwrap();
        assert_eq!(fs::read_to_string(&lock.path).unwrap(), "of another process");
        lock.remove_abandoned("of another process").unwrap();
        assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 0);
    }
}
