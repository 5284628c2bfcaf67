//! Presses of the keys on their way to their handler. A press that comes before it can be handled waits.

use crate::keys::{Press, Pressed};
use parking_lot::Mutex;
use std::sync::Arc;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::{Action, Focus, Purpose};
    use crate::summon::ActedAt;
    use std::sync::mpsc::channel;

    fn press(action: Action) -> Press {
        Press {
            purpose: Purpose::Own(action),
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
        presses.act(move |press| sender.send(press.purpose).unwrap());
        pressed(press(Action::AskScreen));
        let acted: Vec<Purpose> = acted.try_iter().collect();
        assert_eq!(acted, [Action::Summon, Action::AskScreen].map(Purpose::Own));
    }
}
