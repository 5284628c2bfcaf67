//! Files of one kind in a folder that its user looks into, too. They are listed by name, and read within a
//! bound.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The files of a folder whose names end so, by name and at most so many. None where the folder is not there.
///
/// # Errors
/// A folder that can't be read.
pub fn listed(folder: &Path, ending: &str, most: usize) -> io::Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(cause) => return Err(cause),
    };
    let is_of_kind = |path: &PathBuf| path.extension().is_some_and(|found| found == ending);
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(is_of_kind)
        .collect();
    files.sort();
    files.truncate(most);
    Ok(files)
}

/// The bytes of a file; of one that is larger, one more than the bound.
///
/// # Errors
/// A file that can't be read.
pub fn bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path)?;
    file.take(most + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_kind_come_by_name_and_no_more_than_wanted() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.md", "a.md", "c.txt"] {
            std::fs::write(folder.path().join(name), "12345").unwrap();
        }
        let all = listed(folder.path(), "md", 9).unwrap();
        assert_eq!(all, ["a.md", "b.md"].map(|name| folder.path().join(name)));
        assert_eq!(listed(folder.path(), "md", 1).unwrap().len(), 1);
        assert_eq!(listed(&folder.path().join("none"), "md", 1).unwrap().len(), 0);
        assert_eq!(bytes(&all[0], 3).unwrap(), b"1234");
    }
}
