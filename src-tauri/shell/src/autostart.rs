//! Starts the program at login, if the user wants so, in the way of each platform. Off by default.

use crate::settings::Autostart;
use crate::system::autostart as system;
use std::io;

/// Makes the system's list of programs agree with the setting. A failure is only logged; the next start tries again.
pub fn follow(wanted: Autostart) {
    let done = match wanted {
        Autostart::On => std::env::current_exe().and_then(|program| system::add(&program)),
        Autostart::Off => system::remove(),
    };
    match done {
        Ok(()) => {}
        Err(error) if wanted == Autostart::Off && error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => tracing::warn!(%error, "Starting at login could not be set"),
    }
}
