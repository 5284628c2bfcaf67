//! Takes the keys while the windows are still being built, so that a user who sees the ball can press them. A
//! press that comes before it can be handled waits.

use super::{Press, Pressed};
use crate::settings::Settings;
use parking_lot::Mutex;
use std::sync::Arc;
use tauri::AppHandle;

#[cfg(target_os = "linux")]
pub use at_once::Early;
#[cfg(not(target_os = "linux"))]
pub use with_windows::Early;

/// Handles a press.
type Act = Arc<dyn Fn(Press) + Send + Sync>;

/// Presses on their way to their handler.
#[derive(Clone, Default)]
pub struct Presses(Arc<Mutex<Stage>>);

enum Stage {
    /// No handler is set yet. Of several impatient presses the last one counts.
    Waiting(Option<Press>),
    Acting(Act),
}

impl Default for Stage {
    fn default() -> Self {
        Self::Waiting(None)
    }
}

impl Presses {
    /// The function to which the keyboard passes presses.
    #[must_use]
    pub fn taker(&self) -> Pressed {
        let presses = self.clone();
        Arc::new(move |press| presses.take(press))
    }

    fn take(&self, press: Press) {
        let act = match &mut *self.0.lock() {
            Stage::Waiting(waiting) => {
                *waiting = Some(press);
                return;
            }
            Stage::Acting(act) => act.clone(),
        };
        act(press);
    }

    /// Sets `act` as the handler of presses, first of the waiting one.
    pub fn act(&self, act: impl Fn(Press) + Send + Sync + 'static) {
        let act: Act = Arc::new(act);
        let stage = &mut *self.0.lock();
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

    /// Longest time that the ball waits for the keys: the display gives them within a few milliseconds. A
    /// portal may ask the user first, so the ball does not wait for it.
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

        /// Waits for the keys, if they come within [`BEFORE_BALL`].
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

/// On other platforms the keys belong to the main thread and its loop.
#[cfg(not(target_os = "linux"))]
mod with_windows {
    use super::{AppHandle, Pressed, Presses, Settings};
    use crate::hotkey::{Keyboard, Taken};

    /// Keys that are taken once the windows are there.
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
