//! What Shidi sees of a real X11 desktop with windows of known colours. Needs a display and a window manager: run it
//! by name inside `tests/desktop/session.sh`.
#![cfg(test)]

mod asking;
mod inserting;
mod programs;
mod seeing;
mod window_text;
mod windows;
