//! The keys are taken while the windows are still being made, so that whoever sees the ball can press them. A press
//! that comes before anybody can act on it waits.

use super::{Press, Pressed};
use crate::settings::Settings;
use std::sync::{Arc, Mutex, PoisonError};
use tauri::AppHandle;

#[cfg(target_os = "linux")]
pub use at_once::Early;
#[cfg(not(target_os = "linux"))]
pub use with_windows::Early;

/// What is done about a press.
type Act = Arc<dyn Fn(Press) + Send + Sync>;

/// Presses on their way to whoever acts on them.
#[derive(Clone, Default)]
pub struct Presses(Arc<Mutex<Stage>>);

enum Stage {
    /// Nobody acts yet. Of several impatient presses the last one counts.
    Waiting(Option<Press>),
    Acting(Act),
}

impl Default for Stage {
    fn default() -> Self {
        Self::Waiting(None)
    }
}

impl Presses {
    /// Where the keyboard puts them.
    #[must_use]
    pub fn taker(&self) -> Pressed {
        let presses = self.clone();
        Arc::new(move |press| presses.take(press))
    }

    fn take(&self, press: Press) {
        let act = match &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            Stage::Waiting(waiting) => {
                *waiting = Some(press);
                return;
            }
            Stage::Acting(act) => act.clone(),
        };
        act(press);
    }

    /// From now on `act` is done for each, first for the one that waits.
    pub fn act(&self, act: impl Fn(Press) + Send + Sync + 'static) {
        let act: Act = Arc::new(act);
        let stage = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Stage::Waiting(Some(press)) = std::mem::replace(stage, Stage::Acting(act.clone())) {
            act(press);
        }
    }
}

/// Linux: the display gives keys to a program without a window.
#[cfg(target_os = "linux")]
mod at_once {
    use super::{AppHandle, Presses, Settings};
    use crate::hotkey::{HotkeyError, Keyboard, Taken, is_wayland};
    use std::time::{Duration, Instant};
    use tauri::async_runtime::{JoinHandle, block_on, spawn};
    use tokio::sync::oneshot;
    use tokio::time::timeout;

    /// Longest time that the ball waits for the keys: the display gives them within a few milliseconds. A portal may
    /// ask the user first, and is not waited for.
    const BEFORE_BALL: Duration = Duration::from_millis(20);

    /// Keys that are being taken.
    pub struct Early {
        task: JoinHandle<(Keyboard, Taken)>,
        taken: oneshot::Receiver<()>,
    }

    impl Early {
        #[must_use]
        pub fn begin(settings: Settings, presses: &Presses) -> Self {
            let pressed = presses.taker();
            let (done, taken) = oneshot::channel();
            let task = spawn(async move {
                let mut keyboard = Keyboard::open(pressed).await;
                let outcomes = keyboard.take_all(&settings).await;
                if done.send(()).is_err() {
                    tracing::debug!("The keys came after the ball");
                }
                (keyboard, Taken { settings, outcomes })
            });
            Self { task, taken }
        }

        /// Waits until the keys are taken, if that is a matter of moments.
        pub fn settle(&mut self) {
            if is_wayland() {
                return;
            }
            let begun = Instant::now();
            let settled = block_on(async { timeout(BEFORE_BALL, &mut self.taken).await });
            tracing::debug!(is_settled = settled.is_ok(), waited = ?begun.elapsed(), "The keys are being taken");
        }

        pub(in crate::hotkey) async fn keyboard(self, _app: &AppHandle) -> (Keyboard, Option<Taken>) {
            match self.task.await {
                Ok((keyboard, taken)) => (keyboard, Some(taken)),
                Err(error) => {
                    tracing::error!(%error, "The keys could not be taken");
                    (Keyboard::Nobody(HotkeyError::Impossible), None)
                }
            }
        }
    }
}

/// Elsewhere the keys belong to the main thread and its loop.
#[cfg(not(target_os = "linux"))]
mod with_windows {
    use super::{AppHandle, Pressed, Presses, Settings};
    use crate::hotkey::{Keyboard, Taken};

    /// Keys that are taken later.
    pub struct Early(Pressed);

    impl Early {
        #[must_use]
        pub fn begin(_settings: Settings, presses: &Presses) -> Self {
            Self(presses.taker())
        }

        pub fn settle(&mut self) {}

        pub(in crate::hotkey) async fn keyboard(self, app: &AppHandle) -> (Keyboard, Option<Taken>) {
            (Keyboard::open(app, self.0).await, None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hotkey::{Action, Focus};
    use crate::panel::ActedAt;
    use std::sync::mpsc::channel;

    fn press(action: Action) -> Press {
        Press {
            action,
            at: ActedAt::Now,
            focus: Focus::Unknown,
        }
    }

    #[test]
    fn a_press_that_comes_too_early_is_acted_on_later_and_only_once() {
        let presses = Presses::default();
        let pressed = presses.taker();
        pressed(press(Action::Pause));
        pressed(press(Action::Summon));
        let (sender, acted) = channel();
        presses.act(move |press| sender.send(press.action).unwrap());
        pressed(press(Action::AskScreen));
        let acted: Vec<Action> = acted.try_iter().collect();
        assert_eq!(acted, [Action::Summon, Action::AskScreen]);
    }
}
