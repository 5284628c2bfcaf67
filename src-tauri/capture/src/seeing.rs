//! One look at the display, with the window in front read beside it. Everything here blocks.

use crate::content::Sensed;
use crate::window_content::Reading;
use shidi_protocol::LookAt;
use shidi_senses::{Camera, FrontWindow, Gate, Outcome, Picture, Reason, ScreenReader, Seen, SenseError};
use std::sync::Arc;

/// What one look gave.
pub enum Looked {
    Seen {
        seen: Box<Seen>,
        picture: Option<Picture>,
        /// What stands in the window, with the address of its page.
        read: Option<Box<(Sensed, String)>>,
    },
    Withheld {
        reason: Reason,
        app: String,
    },
}

/// The part that blocks: asking the display, taking and encoding the picture, and reading the window beside that.
///
/// # Errors
/// No display, no window in front, or trouble with either.
pub fn see(
    what: LookAt,
    gate: &Gate,
    before: Option<u32>,
    camera: Option<Arc<dyn Camera>>,
    reading: Option<&Reading>,
) -> Result<Looked, SenseError> {
    if gate.is_paused() {
        return Ok(Looked::Withheld {
            reason: Reason::Paused,
            app: String::new(),
        });
    }
    let reader = ScreenReader::open(camera)?;
    let target = reading.and_then(|reading| Some((reading, reader.readable(gate, before)?)));
    let (looked, read) = std::thread::scope(|scope| {
        let reading = target
            .as_ref()
            .map(|(reading, window)| scope.spawn(move || reading.read(window, gate)));
        let looked = look_once(&reader, what, gate, before);
        let read = reading.and_then(|reading| reading.join().ok().flatten());
        (looked, read)
    });
    let is_there = |window: &FrontWindow| Reading::is_still_there(&reader, window, gate, before);
    let read = read.filter(|_| target.as_ref().is_some_and(|(_, window)| is_there(window)));
    match looked? {
        (Outcome::Withheld { reason, app }, _) => Ok(Looked::Withheld { reason, app }),
        (Outcome::Seen(seen), picture) => Ok(Looked::Seen {
            read: read
                .filter(|_| seen.window == target.as_ref().map(|(_, window)| window.id))
                .map(Box::new),
            seen: Box::new(seen),
            picture,
        }),
    }
}

fn look_once(
    reader: &ScreenReader,
    what: LookAt,
    gate: &Gate,
    before: Option<u32>,
) -> Result<(Outcome, Option<Picture>), SenseError> {
    let sight = reader.look(what, gate, before)?;
    let picture = match &sight {
        Outcome::Withheld { .. } => None,
        Outcome::Seen(seen) => seen.pixels.as_ref().map(shidi_senses::encoded).transpose()?,
    };
    Ok((sight, picture))
}
