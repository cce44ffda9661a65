//! Writes files so that they are either complete or absent.

use crate::hash::hex;
use crate::random::random_bytes;
use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Creates a folder that only this user can read, unless it exists.
pub fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Creates a file that only this user can read. Fails if it exists.
pub fn create_new(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// The path of a file, a dot and a random text.
pub fn temporary_name(path: &Path) -> io::Result<PathBuf> {
    let mut name = prefix(path);
    name.push(hex(&random_bytes()?));
    Ok(path.with_file_name(name))
}

/// Writes a temporary file, then calls `place` to give it its name. A failed write keeps the old file and
/// leaves no temporary file.
pub fn write_whole(path: &Path, data: &[u8], place: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    create_folder(folder)?;
    let temporary = temporary_name(path)?;
    let written = write_synced(&temporary, data).and_then(|()| place(&temporary));
    // After a rename, there is no temporary file.
    remove(&temporary)?;
    written?;
    // Windows cannot open a folder, and some file systems cannot sync one.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// Removes the temporary files left for a file.
pub fn remove_temporary(path: &Path) -> io::Result<()> {
    let prefix = prefix(path);
    for entry in fs::read_dir(path.parent().unwrap_or(path))? {
        let entry = entry?;
        if entry.file_name().as_encoded_bytes().starts_with(prefix.as_encoded_bytes()) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

/// Removes a file, if it exists.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

fn write_synced(path: &Path, data: &[u8]) -> io::Result<()> {
    let mut file = create_new(path)?;
    file.write_all(data)?;
    file.sync_all()
}

fn prefix(path: &Path) -> OsString {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name
}
