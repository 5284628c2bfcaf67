//! The ball's places, one for each arrangement of the monitors; kept in a small file of the data folder.
//!
//! Losing the file costs only a drag, so failures of reading and writing are only logged.

use crate::geometry::Place;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// Arrangements remembered; the oldest is forgotten.
const LAYOUTS_MAX: usize = 16;
/// Longest file that is read, in bytes; ours has a few hundred.
const FILE_MAX_BYTES: u64 = 64 * 1024;

/// The places, with their file.
#[derive(Debug, Default)]
pub struct Places {
    file: Option<PathBuf>,
    known: Vec<Known>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Known {
    layout: String,
    place: Place,
}

impl Places {
    /// Reads the places of a data folder.
    #[must_use]
    pub fn read(folder: Option<&Path>) -> Self {
        let file = folder.map(|folder| folder.join("ball.json"));
        let known = file.as_deref().map(known_in).unwrap_or_default();
        Self { file, known }
    }

    /// The place for this arrangement.
    #[must_use]
    pub fn of(&self, layout: &str) -> Option<Place> {
        self.known
            .iter()
            .find(|known| known.layout == layout)
            .map(|known| known.place)
    }

    /// Keeps the place for this arrangement, as the newest.
    pub fn remember(&mut self, layout: String, place: Place) {
        if self.of(&layout) == Some(place) {
            return;
        }
        self.known.retain(|known| known.layout != layout);
        self.known.insert(0, Known { layout, place });
        self.known.truncate(LAYOUTS_MAX);
        if let Err(error) = self.write() {
            tracing::warn!(%error, "The place of the ball could not be kept");
        }
    }

    /// Writes a new file and renames it over the old one, so that a crash leaves one of the two whole.
    fn write(&self) -> std::io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        shidi_atomic_write::write(file, &serde_json::to_vec(&self.known)?)
    }
}

fn known_in(file: &Path) -> Vec<Known> {
    let size = fs::metadata(file).map(|about| about.len()).unwrap_or_default();
    if size == 0 || size > FILE_MAX_BYTES {
        return Vec::new();
    }
    let read = fs::read(file).map_err(anyhow::Error::from);
    let known = read.and_then(|bytes| Ok(serde_json::from_slice::<Vec<Known>>(&bytes)?));
    known.unwrap_or_else(|error| {
        tracing::warn!(%error, "The place of the ball could not be read");
        Vec::new()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Place = Place { x: 12, y: -7 };

    #[test]
    fn a_place_is_there_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        Places::read(Some(folder.path())).remember("one".to_owned(), HERE);
        let again = Places::read(Some(folder.path()));
        assert_eq!(again.of("one"), Some(HERE));
        assert_eq!(again.of("other"), None);
    }

    #[test]
    fn a_broken_file_is_as_good_as_none() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("ball.json"), b"[{\"layout\":3").unwrap();
        let mut places = Places::read(Some(folder.path()));
        assert_eq!(places.of("one"), None);
        places.remember("one".to_owned(), HERE);
        assert_eq!(Places::read(Some(folder.path())).of("one"), Some(HERE));
    }

    #[test]
    fn the_number_of_layouts_is_bounded_and_the_newest_stay() {
        let mut places = Places::default();
        for number in 0..40 {
            places.remember(number.to_string(), HERE);
        }
        assert_eq!(places.known.len(), LAYOUTS_MAX);
        assert_eq!(places.of("39"), Some(HERE));
    }

    #[test]
    fn a_folder_that_can_not_be_written_is_no_hindrance() {
        let mut places = Places::read(Some(Path::new("/nowhere/at/all")));
        places.remember("one".to_owned(), HERE);
        assert_eq!(places.of("one"), Some(HERE));
    }
}
