//! Reads a file of the folder, and never waits for anything except a regular file.

use std::fs::OpenOptions;
use std::io::{self, Read as _};
use std::path::Path;

/// Maximum number of bytes in a file of the folder.
pub const MAX_SIZE: u64 = 65_536;

/// At most one byte more than the maximum; `None` if the file does not exist. Fails for anything but a regular file.
pub fn read_regular_file(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let mut options = OpenOptions::new();
    options.read(true);
    // Never waits for a pipe.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    let file = match options.open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        result => result?,
    };
    if !file.metadata()?.is_file() {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    }
    let mut data = Vec::new();
    file.take(MAX_SIZE + 1).read_to_end(&mut data)?;
    Ok(Some(data))
}
