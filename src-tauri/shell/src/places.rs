//! The place of the ball now, and its kept places.
//!
//! There is one for each arrangement of the monitors, in a small file of the data folder.
//!
//! Losing the file costs only a drag, so failures of reading and writing are only logged.

use crate::geometry::{Area, Place, Screen, Size, layout_name, panel_place, panel_size};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Arrangements remembered; the oldest is forgotten.
const LAYOUTS_MAX: usize = 16;
/// Longest file that is read, in bytes; ours has a few hundred.
const FILE_MAX_BYTES: u64 = 64 * 1024;

/// The place of the ball, for the ball itself and for the windows beside it.
#[derive(Debug, Clone)]
pub struct BallPlaces {
    kept: Arc<Mutex<Places>>,
    now: Arc<Mutex<Option<Resting>>>,
}

/// The bounds of the resting ball, and the monitors around it.
#[derive(Debug)]
struct Resting {
    ball: Area,
    screens: Vec<Screen>,
}

impl BallPlaces {
    /// Reads the places of a data folder.
    #[must_use]
    pub fn read(folder: Option<&Path>) -> Self {
        Self {
            kept: Arc::new(Mutex::new(Places::read(folder))),
            now: Arc::default(),
        }
    }

    /// The ball's kept place for these monitors.
    #[must_use]
    pub fn remembered(&self, screens: &[Screen]) -> Option<Place> {
        self.kept.lock().of(&layout_name(screens))
    }

    /// Keeps the place of the ball for the next start with these monitors.
    pub fn remember(&self, place: Place, screens: &[Screen]) {
        self.kept.lock().remember(layout_name(screens), place);
    }

    /// Notes the present place of the ball.
    pub fn ball_at(&self, ball: Area, screens: Vec<Screen>) {
        *self.now.lock() = Some(Resting { ball, screens });
    }

    /// The bounds of the resting ball.
    #[must_use]
    #[cfg(target_os = "linux")]
    pub fn ball_area(&self) -> Option<Area> {
        self.now.lock().as_ref().map(|now| now.ball)
    }

    /// The size of a panel at the ball's place, given its wanted size.
    #[must_use]
    pub fn panel_size(&self, wanted: Size) -> Option<Size> {
        let now = self.now.lock();
        let Resting { ball, screens } = now.as_ref()?;
        panel_size(*ball, wanted, screens)
    }

    /// The place of a panel with that size.
    #[must_use]
    pub fn panel_place(&self, panel: Size) -> Option<Place> {
        let now = self.now.lock();
        let Resting { ball, screens } = now.as_ref()?;
        panel_place(*ball, panel, screens)
    }
}

/// The kept places, with their file.
#[derive(Debug, Default)]
struct Places {
    file: Option<PathBuf>,
    known: Vec<LayoutPlace>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct LayoutPlace {
    layout: String,
    place: Place,
}

impl Places {
    /// Reads the places of a data folder.
    fn read(folder: Option<&Path>) -> Self {
        let file = folder.map(|folder| folder.join("ball.json"));
        let known = file.as_deref().map(known_in).unwrap_or_default();
        Self { file, known }
    }

    /// The place for this arrangement.
    fn of(&self, layout: &str) -> Option<Place> {
        self.known
            .iter()
            .find(|known| known.layout == layout)
            .map(|known| known.place)
    }

    /// Keeps the place for this arrangement, as the newest.
    fn remember(&mut self, layout: String, place: Place) {
        if self.of(&layout) == Some(place) {
            return;
        }
        self.known.retain(|known| known.layout != layout);
        self.known.insert(0, LayoutPlace { layout, place });
        self.known.truncate(LAYOUTS_MAX);
        if let Err(error) = self.write() {
            tracing::warn!(%error, "The place of the ball could not be kept");
        }
    }

    /// Writes a new file and renames it over the old one. So a crash leaves one of the two whole.
    fn write(&self) -> std::io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        shidi_atomic_write::write(file, &serde_json::to_vec(&self.known)?)
    }
}

fn known_in(file: &Path) -> Vec<LayoutPlace> {
    let size = fs::metadata(file).map(|about| about.len()).unwrap_or_default();
    if size == 0 || size > FILE_MAX_BYTES {
        return Vec::new();
    }
    let read = fs::read(file).map_err(anyhow::Error::from);
    let known = read.and_then(|bytes| Ok(serde_json::from_slice::<Vec<LayoutPlace>>(&bytes)?));
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
