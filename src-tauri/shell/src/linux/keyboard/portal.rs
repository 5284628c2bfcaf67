//! Takes keys from the desktop portal, for Wayland: the desktop asks the user, who may choose other keys.
//!
//! Tried only against a portal of the tests, not against those of real desktops.

use crate::keys::{
    Focus, HotkeyError, Key, Keys, Named, Outcome, Press, Pressed, Purpose, Wanted, refused_all,
};
use crate::summon::ActedAt;
use crate::words;
use ashpd::desktop::global_shortcuts::{Activated, GlobalShortcuts, NewShortcut};
use ashpd::desktop::{CreateSessionOptions, Session};
use futures_util::{Stream, StreamExt};
use shidi_locales::Language;
use std::time::Duration;
use tauri::async_runtime::{JoinHandle, spawn};

/// The program's name in the desktop file; the portal keeps the user's choice under this name.
const APPLICATION: &str = "dev.shidi.desktop";
/// Longest wait for the user's answer to the portal's question.
const ANSWER_LIMIT: Duration = Duration::from_secs(120);

/// The keys of the portal.
pub struct Shortcuts {
    portal: GlobalShortcuts,
    pressed: Pressed,
    /// The bound keys, their session, and the task that listens. A portal binds keys once per session.
    bound: Option<(Vec<Wanted>, Session<GlobalShortcuts>, JoinHandle<()>)>,
}

impl Shortcuts {
    /// Finds the portal.
    ///
    /// # Errors
    /// No session bus, or a desktop whose portal gives no keys.
    pub async fn open(pressed: Pressed) -> Result<Self, HotkeyError> {
        if let Ok(name) = APPLICATION.parse()
            && let Err(error) = ashpd::register_host_app(name).await
        {
            tracing::debug!(%error, "The portal keeps no names of programs");
        }
        let portal = GlobalShortcuts::new().await.map_err(refused)?;
        // A portal without shortcuts answers too, but has no version of them.
        if portal.version() == 0 {
            return Err(HotkeyError::Impossible);
        }
        Ok(Self {
            portal,
            pressed,
            bound: None,
        })
    }

    /// Requests the keys; the desktop may ask the user. Keys that were requested before are not requested again. Where all
    /// together are refused, our own are requested without those of assistants, which must cost nobody the panel.
    pub async fn take(&mut self, wanted: &[Wanted]) -> Vec<Outcome> {
        if let Some((before, session, listener)) = self.bound.take() {
            if before == wanted {
                self.bound = Some((before, session, listener));
                return given(wanted);
            }
            listener.abort();
            if let Err(error) = session.close().await {
                tracing::warn!(%error, "The keys could not be given back");
            }
        }
        let reason = match self.bind_in_time(wanted).await {
            Ok(outcomes) => return outcomes,
            Err(reason) => reason,
        };
        let (own, assistants): (Vec<Wanted>, Vec<Wanted>) = wanted
            .iter()
            .cloned()
            .partition(|wanted| matches!(wanted.purpose, Purpose::Own(_)));
        if assistants.is_empty() {
            return refused_all(wanted, &reason);
        }
        let mut outcomes = match self.bind_in_time(&own).await {
            Ok(outcomes) => outcomes,
            Err(reason) => refused_all(&own, &reason),
        };
        outcomes.extend(refused_all(&assistants, &reason));
        outcomes
    }

    async fn bind_in_time(&mut self, wanted: &[Wanted]) -> Result<Vec<Outcome>, HotkeyError> {
        match tokio::time::timeout(ANSWER_LIMIT, self.bind(wanted)).await {
            Ok(bound) => bound.map_err(refused),
            Err(_) => Err(HotkeyError::Refused("nobody answered".to_owned())),
        }
    }

    async fn bind(&mut self, wanted: &[Wanted]) -> Result<Vec<Outcome>, ashpd::Error> {
        let activated = self.portal.receive_activated().await?;
        let session = self
            .portal
            .create_session(CreateSessionOptions::default())
            .await?;
        let language = Language::of_environment();
        let asked: Vec<NewShortcut> = wanted
            .iter()
            .map(|wanted| {
                let trigger = trigger(&wanted.keys);
                NewShortcut::new(wanted.purpose.id(), words::purpose(&wanted.purpose, language))
                    .preferred_trigger(trigger.as_str())
            })
            .collect();
        let answer = self
            .portal
            .bind_shortcuts(&session, &asked, None, Default::default())
            .await?
            .response()?;
        let outcomes = wanted.iter().map(|wanted| {
            let bound = answer
                .shortcuts()
                .iter()
                .find(|bound| bound.id() == wanted.purpose.id());
            let described = bound.map(|bound| bound.trigger_description());
            Outcome {
                purpose: wanted.purpose.clone(),
                keys: described
                    .filter(|text| !text.is_empty())
                    .map_or_else(|| wanted.keys.to_string(), str::to_owned),
                taken: bound
                    .map(drop)
                    .ok_or_else(|| HotkeyError::Refused("it was not bound".to_owned())),
            }
        });
        let outcomes = outcomes.collect();
        let listener = spawn(listen(activated, wanted.to_vec(), self.pressed.clone()));
        self.bound = Some((wanted.to_vec(), session, listener));
        Ok(outcomes)
    }
}

/// Passes presses on; ends with the connection, or when other keys are requested.
async fn listen(activated: impl Stream<Item = Activated>, wanted: Vec<Wanted>, pressed: Pressed) {
    let mut activated = std::pin::pin!(activated);
    while let Some(activation) = activated.next().await {
        let known = wanted
            .iter()
            .find(|wanted| wanted.purpose.id() == activation.shortcut_id());
        if let Some(known) = known {
            pressed(Press {
                purpose: known.purpose.clone(),
                at: ActedAt::Now,
                focus: Focus::Unknown,
            });
        }
    }
}

fn given(wanted: &[Wanted]) -> Vec<Outcome> {
    let outcome = |wanted: &Wanted| Outcome {
        purpose: wanted.purpose.clone(),
        keys: wanted.keys.to_string(),
        taken: Ok(()),
    };
    wanted.iter().map(outcome).collect()
}

/// Keys in the notation of the shortcuts specification: `CTRL+ALT+space`.
fn trigger(keys: &Keys) -> String {
    let mut text = String::new();
    for (is_held, name) in [
        (keys.control, "CTRL+"),
        (keys.alt, "ALT+"),
        (keys.shift, "SHIFT+"),
        (keys.logo, "LOGO+"),
    ] {
        text.push_str(if is_held { name } else { "" });
    }
    text + &match keys.key {
        Key::Sign(sign) => name_of_sign(sign),
        Key::Function(number) => format!("F{number}"),
        Key::Named(named) => name_of_key(named).to_owned(),
    }
}

fn name_of_sign(sign: char) -> String {
    let name = match sign {
        '-' => "minus",
        '=' => "equal",
        '[' => "bracketleft",
        ']' => "bracketright",
        '\\' => "backslash",
        ';' => "semicolon",
        '\'' => "apostrophe",
        ',' => "comma",
        '.' => "period",
        '/' => "slash",
        '`' => "grave",
        other => return other.to_string(),
    };
    name.to_owned()
}

fn name_of_key(named: Named) -> &'static str {
    match named {
        Named::Space => "space",
        Named::Enter => "Return",
        Named::Tab => "Tab",
        Named::Escape => "Escape",
        Named::Backspace => "BackSpace",
        Named::Insert => "Insert",
        Named::Delete => "Delete",
        Named::Home => "Home",
        Named::End => "End",
        Named::PageUp => "Page_Up",
        Named::PageDown => "Page_Down",
        Named::Left => "Left",
        Named::Right => "Right",
        Named::Up => "Up",
        Named::Down => "Down",
        Named::Print => "Print",
        Named::Pause => "Pause",
    }
}

fn refused(error: impl std::fmt::Display) -> HotkeyError {
    HotkeyError::Refused(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triggers_are_in_the_words_of_the_specification() {
        for (keys, expected) in [
            ("Ctrl+Alt+Space", "CTRL+ALT+space"),
            ("Super+Shift+/", "SHIFT+LOGO+slash"),
            ("Ctrl+Alt+S", "CTRL+ALT+s"),
            ("F9", "F9"),
        ] {
            assert_eq!(trigger(&keys.parse().unwrap()), expected);
        }
    }
}
