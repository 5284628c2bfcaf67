//! Decides on the hosts that a run's commands want to reach. The rules decide, or a person for whom the connection
//! waits.

use super::Run;
use crate::clock;
use crate::limits::HOST_DECIDED_WITHIN;
use crate::registry::Performer;
use shidi_agent::Event;
use shidi_agent::hosts::{Standing, standing};
use shidi_egress::{Connection, Verdict};
use shidi_jobs::Hosts;
use shidi_protocol::{Call, CallId};
use std::sync::Weak;
use std::time::Duration;
use tokio::sync::watch;

/// The hosts of one command.
pub(super) struct HostsOfCommand {
    pub(super) run: Weak<Run>,
    pub(super) command: CallId,
}

impl HostsOfCommand {
    async fn decided(&self, call: Call) -> Option<Verdict> {
        let decided = self.run.upgrade()?.asides_decided.subscribe();
        settled(decided, || self.standing(&call), || self.ask(&call)).await
    }

    /// How the host stands now; `None` once the run is gone.
    fn standing(&self, call: &Call) -> Option<Standing> {
        let run = self.run.upgrade()?;
        let performer = run.features().registry.performer(call, run.assistant());
        if matches!(performer, Performer::SwitchedOff) {
            return Some(Standing::Refused);
        }
        let mind = run.mind.lock();
        Some(standing(mind.context(), call))
    }

    /// Asks a person, where there is one.
    fn ask(&self, call: &Call) {
        let run = self.run.upgrade();
        if let Some(run) = run.filter(|run| run.facts.ask.is_attended()) {
            let (by, call) = (self.command, call.clone());
            run.drive(Event::HostAsked { by, call });
        }
    }
}

/// Waits until a host was decided on. `None` where nobody decides: nobody is asked, or nobody answers in time.
async fn settled(
    mut decided: watch::Receiver<()>,
    standing: impl Fn() -> Option<Standing>,
    ask: impl Fn(),
) -> Option<Verdict> {
    loop {
        let mut stands = standing()?;
        if stands == Standing::Unasked {
            ask();
            stands = standing()?;
        }
        let left = match stands {
            Standing::Allowed => return Some(Verdict::Allowed),
            Standing::Refused => return Some(Verdict::Refused),
            // No card came: nobody is there, the command has ended, or it wanted too many hosts.
            Standing::Unasked => return None,
            Standing::Waits { since } => {
                HOST_DECIDED_WITHIN.saturating_sub(Duration::from_millis(clock::now().since(since)))
            }
        };
        tokio::time::timeout(left, decided.changed()).await.ok()?.ok()?;
    }
}

#[async_trait::async_trait]
impl Hosts for HostsOfCommand {
    async fn decide(&self, call: Call) -> Verdict {
        self.decided(call).await.unwrap_or(Verdict::Undecided)
    }

    fn connected(&self, connection: &Connection, times: u32) {
        if let Some(run) = self.run.upgrade() {
            let drafts = run
                .trace
                .lock()
                .connected(clock::now(), self.command, connection, times);
            run.features().traces.take(drafts);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// More than enough for what needs no waiting.
    const AT_ONCE: Duration = Duration::from_secs(20);

    #[tokio::test]
    async fn a_connection_waits_for_no_card_that_was_never_shown() {
        let (_hosts, decided) = watch::channel(());
        let asked = AtomicU32::new(0);
        let ask = || {
            asked.fetch_add(1, Ordering::Relaxed);
        };
        let settled = settled(decided, || Some(Standing::Unasked), ask);
        assert_eq!(tokio::time::timeout(AT_ONCE, settled).await, Ok(None));
        assert_eq!(asked.into_inner(), 1);
    }

    #[tokio::test]
    async fn a_connection_waits_for_the_card_that_was_shown_and_goes_by_its_decision() {
        let (hosts, decided) = watch::channel(());
        let stands = parking_lot::Mutex::new(Standing::Unasked);
        let ask = || *stands.lock() = Standing::Waits { since: clock::now() };
        let settled = settled(decided, || Some(*stands.lock()), ask);
        let person = async {
            *stands.lock() = Standing::Allowed;
            hosts.send_replace(());
        };
        let (verdict, ()) = tokio::join!(settled, person);
        assert_eq!(verdict, Some(Verdict::Allowed));
    }

    #[tokio::test]
    async fn a_card_that_nobody_answered_in_time_is_no_decision() {
        let (_hosts, decided) = watch::channel(());
        let waits = || {
            Some(Standing::Waits {
                since: shidi_protocol::Moment(0),
            })
        };
        let settled = settled(decided, waits, || {});
        assert_eq!(tokio::time::timeout(AT_ONCE, settled).await, Ok(None));
    }
}
