//! Takes the keys: under X11 from the display, under Wayland from the portal.

mod early;
mod portal;
mod x11;

use crate::keys::{HotkeyError, HotkeyTexts, Outcome, Pressed, Wanted, refused_all, wanted};
pub use early::Early;

/// The source of keys on this desktop.
pub enum Keyboard {
    Display(x11::Grabs),
    Portal(Box<portal::Shortcuts>),
    Nobody(HotkeyError),
}

impl Keyboard {
    /// Under X11 the display gives keys; under Wayland only the portal may.
    pub async fn open(pressed: Pressed) -> Self {
        if !is_wayland() {
            return x11::Grabs::open(pressed).map_or_else(Self::Nobody, Self::Display);
        }
        match portal::Shortcuts::open(pressed).await {
            Ok(shortcuts) => Self::Portal(Box::new(shortcuts)),
            Err(error) => {
                tracing::debug!(%error, "There is no portal for keys");
                Self::Nobody(HotkeyError::Impossible)
            }
        }
    }

    /// Takes the wanted keys; keys that are ours already stay.
    pub async fn take_all(&mut self, written: &HotkeyTexts) -> Vec<Outcome> {
        let (wanted, mut outcomes) = wanted(written);
        outcomes.extend(self.take(&wanted).await);
        outcomes
    }

    /// Releases keys that are no longer wanted, and takes wanted keys that are not ours yet.
    async fn take(&mut self, wanted: &[Wanted]) -> Vec<Outcome> {
        match self {
            Self::Display(grabs) => grabs.take(wanted),
            Self::Portal(shortcuts) => shortcuts.take(wanted).await,
            Self::Nobody(error) => refused_all(wanted, error),
        }
    }
}

/// Whether the compositor owns the keys. Under Wayland a grab by XWayland works only while an XWayland window
/// has the focus.
fn is_wayland() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let kind = std::env::var("XDG_SESSION_TYPE").unwrap_or_default();
    kind == "wayland" || (set("WAYLAND_DISPLAY") && kind != "x11")
}
