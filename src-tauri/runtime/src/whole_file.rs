//! Writes a file whole or not at all: beside its place first, and there only once it is on the disk.

use std::io::{self, Write};
use std::path::Path;

/// Writes `content` to `path`, in place of what stood there.
///
/// # Errors
/// A disk that refuses.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
