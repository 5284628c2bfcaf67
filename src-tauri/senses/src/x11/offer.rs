//! Holds a content ready for whoever pastes: owns selections of X11 and answers until another program takes them.

use super::selections::Form;
use super::{Display, failed};
use crate::SenseError;
use std::time::Instant;
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ConnectionExt as _, EventMask, PropMode, SELECTION_NOTIFY_EVENT, SelectionNotifyEvent,
    SelectionRequestEvent, Window,
};
use x11rb::wrapper::ConnectionExt as _;
use x11rb::{CURRENT_TIME, NONE};

/// Selections that are ours, and what they hold.
pub struct Offer<'a> {
    display: &'a Display,
    window: Window,
    /// The selections that no other program has taken.
    held: Vec<Atom>,
    forms: Vec<Form>,
}

/// What came of one event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Served {
    /// That window was given the content, and not only told in which forms there is one.
    Given(Window),
    Nothing,
}

impl<'a> Offer<'a> {
    /// Takes selections.
    ///
    /// # Errors
    /// Trouble with the display.
    pub fn take(display: &'a Display, selections: &[Atom], forms: Vec<Form>) -> Result<Self, SenseError> {
        let window = display.unseen_window()?;
        let mut held = Vec::new();
        for selection in selections {
            display
                .connection
                .set_selection_owner(window, *selection, CURRENT_TIME)
                .map_err(failed)?;
            if display.owner_of(*selection)? == Some(window) {
                held.push(*selection);
            }
        }
        Ok(Self {
            display,
            window,
            held,
            forms,
        })
    }

    /// Whether nothing is ours any more.
    pub fn is_lost(&self) -> bool {
        self.held.is_empty()
    }

    /// Answers until every selection was taken by somebody else, or the display goes.
    ///
    /// # Errors
    /// The display is gone.
    pub fn serve_on(&mut self) -> Result<(), SenseError> {
        while !self.is_lost() {
            let event = self.display.connection.wait_for_event().map_err(failed)?;
            self.serve(&event)?;
        }
        Ok(())
    }

    /// Answers until `is_over` says so of what was served; whether it did before the time was over.
    ///
    /// # Errors
    /// The display is gone.
    pub fn serve_before(
        &mut self,
        until: Instant,
        mut is_over: impl FnMut(Served) -> Result<bool, SenseError>,
    ) -> Result<bool, SenseError> {
        if is_over(Served::Nothing)? {
            return Ok(true);
        }
        while let Some(event) = self.display.event_before(until)? {
            let served = self.serve(&event)?;
            if is_over(served)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn serve(&mut self, event: &Event) -> Result<Served, SenseError> {
        match event {
            Event::SelectionClear(lost) if lost.owner == self.window => {
                self.held.retain(|selection| *selection != lost.selection);
                Ok(Served::Nothing)
            }
            Event::SelectionRequest(asked) if asked.owner == self.window => self.answer(asked),
            _ => Ok(Served::Nothing),
        }
    }

    fn answer(&self, asked: &SelectionRequestEvent) -> Result<Served, SenseError> {
        let place = if asked.property == NONE {
            asked.target
        } else {
            asked.property
        };
        let form = self.forms.iter().find(|form| form.target == asked.target);
        let connection = &self.display.connection;
        let property = if asked.target == self.display.atoms.TARGETS {
            let targets: Vec<Atom> = [asked.target]
                .into_iter()
                .chain(self.forms.iter().map(|form| form.target))
                .collect();
            connection
                .change_property32(
                    PropMode::REPLACE,
                    asked.requestor,
                    place,
                    AtomEnum::ATOM,
                    &targets,
                )
                .map_err(failed)?;
            place
        } else if let Some(form) = form {
            let units = form.bytes.len() / usize::from(form.format / 8).max(1);
            let units = u32::try_from(units).unwrap_or(u32::MAX);
            let (kind, format) = (form.kind, form.format);
            connection
                .change_property(
                    PropMode::REPLACE,
                    asked.requestor,
                    place,
                    kind,
                    format,
                    units,
                    &form.bytes,
                )
                .map_err(failed)?;
            place
        } else {
            NONE
        };
        let told = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time: asked.time,
            requestor: asked.requestor,
            selection: asked.selection,
            target: asked.target,
            property,
        };
        connection
            .send_event(false, asked.requestor, EventMask::NO_EVENT, told)
            .map_err(failed)?;
        connection.flush().map_err(failed)?;
        Ok(match form {
            Some(_) => Served::Given(asked.requestor),
            None => Served::Nothing,
        })
    }
}

impl Display {
    /// A text in the forms in which programs ask for one.
    pub(super) fn forms_of_text(&self, text: &str) -> Vec<Form> {
        let atoms = &self.atoms;
        let form = |target: Atom, kind: Atom, bytes: Vec<u8>| Form {
            target,
            kind,
            format: 8,
            bytes,
            is_cut: false,
        };
        let utf8 = |target: Atom, kind: Atom| form(target, kind, text.as_bytes().to_vec());
        let mut forms = vec![
            utf8(atoms.UTF8_STRING, atoms.UTF8_STRING),
            utf8(atoms.text_plain_utf8, atoms.text_plain_utf8),
            utf8(atoms.TEXT, atoms.UTF8_STRING),
        ];
        // The oldest form holds the letters of Western Europe alone.
        let latin: Option<Vec<u8>> = text.chars().map(|letter| u8::try_from(letter).ok()).collect();
        let string = u32::from(AtomEnum::STRING);
        forms.extend(latin.map(|bytes| form(string, string, bytes)));
        forms
    }
}
