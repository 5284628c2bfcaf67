//! The clipboard of X11: its text with its owner, and a text of ours in its place. The whole former content is given
//! back.

use super::offer::Offer;
use super::selections::Form;
use super::{Display, failed};
use crate::SenseError;
use crate::clipboard::{Copied, SECRET};
use crate::limits::{CLIPBOARD_BYTES_MAX, CLIPBOARD_FORMS_MAX, SAVED_BYTES_MAX};
use std::thread;
use std::time::Instant;
use x11rb::protocol::xproto::{Atom, Window};

/// The text that was copied last, with its owner; `None` where there is no text.
///
/// # Errors
/// No display, or trouble with it.
pub fn copied(until: Instant) -> Result<Option<Copied>, SenseError> {
    let display = Display::open()?;
    let clipboard = display.atoms.CLIPBOARD;
    let Some(owner) = display.owner_of(clipboard)? else {
        return Ok(None);
    };
    let asking = display.unseen_window()?;
    let described = display.described(&[owner])?.into_iter().flatten().next();
    let copied = Copied {
        owner: described.unwrap_or_default(),
        ..Copied::default()
    };
    if display.is_secret(asking, clipboard, until)? {
        return Ok(Some(Copied {
            is_secret: true,
            ..copied
        }));
    }
    let (text, bytes_max) = (display.atoms.UTF8_STRING, CLIPBOARD_BYTES_MAX);
    let form = display.form_of(asking, (clipboard, text), bytes_max, until)?;
    let form = form.filter(|form| form.kind == text && form.format == 8);
    Ok(form.map(|form| Copied {
        text: String::from_utf8_lossy(&form.bytes).into_owned(),
        is_cut: form.is_cut,
        ..copied
    }))
}

/// Puts a text there. A thread of its own holds it ready until another program copies something, or this process ends.
///
/// # Errors
/// No display, or trouble with it.
pub fn copy(text: &str) -> Result<(), SenseError> {
    let display = Display::open()?;
    let (clipboard, forms) = (display.atoms.CLIPBOARD, display.forms_of_text(text));
    hold(display, &[clipboard], forms)
}

/// Holds forms ready on a thread of its own; returns once they are.
pub(super) fn hold(display: Display, selections: &[Atom], forms: Vec<Form>) -> Result<(), SenseError> {
    let (told, is_held) = std::sync::mpsc::sync_channel(1);
    let selections = selections.to_vec();
    let holding = move || {
        let mut offer = match Offer::take(&display, &selections, forms) {
            Ok(offer) => offer,
            Err(cause) => return told.send(Err(cause)).unwrap_or_default(),
        };
        told.send(Ok(())).unwrap_or_default();
        if let Err(cause) = offer.serve_on() {
            tracing::info!(%cause, "the display is gone, and the clipboard with it");
        }
    };
    thread::Builder::new()
        .name("clipboard".to_owned())
        .spawn(holding)
        .map_err(failed)?;
    is_held.recv().map_err(failed)?
}

impl Display {
    /// Everything that a selection holds, so that it can be given back. Nothing of a secret, which its own program
    /// takes away after a while.
    pub(super) fn all_forms(&self, selection: Atom, until: Instant) -> Result<Vec<Form>, SenseError> {
        if self.owner_of(selection)?.is_none() {
            return Ok(Vec::new());
        }
        let asking = self.unseen_window()?;
        if self.is_secret(asking, selection, until)? {
            return Ok(Vec::new());
        }
        let mut left = SAVED_BYTES_MAX;
        let mut forms = Vec::new();
        for target in self.targets(asking, selection, until)? {
            let form = self.form_of(asking, (selection, target), left, until)?;
            let Some(form) = form.filter(|form| !form.is_cut) else {
                continue;
            };
            left -= form.bytes.len().min(left);
            forms.push(form);
        }
        Ok(forms)
    }

    fn is_secret(&self, asking: Window, selection: Atom, until: Instant) -> Result<bool, SenseError> {
        let hint = self.atoms.x_kde_passwordManagerHint;
        let offered = self.targets(asking, selection, until)?;
        if !offered.contains(&hint) {
            return Ok(false);
        }
        // One that says no more than that there is a hint counts as a secret.
        let form = self.form_of(asking, (selection, hint), SECRET.len(), until)?;
        Ok(form.is_none_or(|form| form.bytes == SECRET))
    }

    /// The forms that the owner offers, without requests that do more than give one.
    fn targets(&self, asking: Window, selection: Atom, until: Instant) -> Result<Vec<Atom>, SenseError> {
        let wanted = (selection, self.atoms.TARGETS);
        let form = self.form_of(asking, wanted, 4 * CLIPBOARD_FORMS_MAX, until)?;
        let bytes = form.filter(|form| form.format == 32).map(|form| form.bytes);
        let bytes = bytes.unwrap_or_default();
        let atoms = bytes
            .chunks_exact(4)
            .filter_map(|unit| Some(Atom::from_ne_bytes(unit.try_into().ok()?)));
        let atoms_of = &self.atoms;
        let other = [
            atoms_of.TARGETS,
            atoms_of.MULTIPLE,
            atoms_of.TIMESTAMP,
            atoms_of.SAVE_TARGETS,
            atoms_of.DELETE,
            atoms_of.INSERT_SELECTION,
            atoms_of.INSERT_PROPERTY,
        ];
        Ok(atoms.filter(|atom| !other.contains(atom)).collect())
    }
}
