//! Which events deserve a notification: those that happen while the panel is hidden. Pure.

use crate::mood::State;
use crate::shell_command::{BenchPlace, ShellCommand};
use shidi_protocol::{
    JobState, JobView, RunEvent, RunEventKind, RunStatus, ScheduleOutcome, ScheduleRunView,
};
use std::collections::BTreeSet;
use tauri::AppHandle;

/// The event that a notification tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    Approval,
    Question,
    Answered,
    Failed,
    /// A background job has ended with success.
    JobEnded,
    /// A background job has ended without success.
    JobFailed,
    /// The user wanted to be told something now.
    Reminder,
    /// What was to happen at a time is done.
    Scheduled,
    ScheduleFailed,
    ScheduleMissed,
    /// A browser's companion asks to be let in.
    Browser,
    /// The panel's page was lost repeatedly.
    PanelLost,
}

/// The notice for an event, if it is worth one, in the state after the event. `before` is the state that still
/// knew the run.
#[must_use]
pub fn notice_of(event: &RunEvent, before: &State) -> Option<Notice> {
    if before.is_panel_shown() {
        return None;
    }
    match &event.kind {
        RunEventKind::ApprovalNeeded { .. } => Some(Notice::Approval),
        RunEventKind::Question { .. } => Some(Notice::Question),
        RunEventKind::RunEnded { status, .. } if before.was_asked_here(&event.run) => match status {
            RunStatus::Completed => Some(Notice::Answered),
            RunStatus::Failed | RunStatus::GaveUp => Some(Notice::Failed),
            RunStatus::Suspended | RunStatus::Cancelled => None,
        },
        RunEventKind::RunEnded { .. }
        | RunEventKind::RunStarted { .. }
        | RunEventKind::Context { .. }
        | RunEventKind::Recalled { .. }
        | RunEventKind::Segment { .. }
        | RunEventKind::Delta { .. }
        | RunEventKind::Retracted
        | RunEventKind::Standing { .. }
        | RunEventKind::Awaiting { .. }
        | RunEventKind::Code { .. }
        | RunEventKind::Call { .. }
        | RunEventKind::CallDone { .. }
        | RunEventKind::Decided { .. }
        | RunEventKind::Card { .. }
        | RunEventKind::Output { .. }
        | RunEventKind::Variables { .. }
        | RunEventKind::Todo { .. }
        | RunEventKind::Notification { .. }
        | RunEventKind::Compacted { .. }
        | RunEventKind::Answer { .. } => None,
    }
}

/// The notice for a background job's end. None if the user is looking, has stopped the job, or its task goes on
/// with the result by itself.
#[must_use]
pub fn notice_of_job(job: &JobView, state: &State) -> Option<Notice> {
    let is_stopped = job.how.as_deref() == Some("stopped");
    if job.state == JobState::Running || is_stopped || state.is_panel_shown() || state.is_at_work(&job.run) {
        return None;
    }
    Some(if job.exit_code == Some(0) {
        Notice::JobEnded
    } else {
        Notice::JobFailed
    })
}

/// The notice for what became of a time: a reminder is told to who looks, too. None for what waits, which its card tells.
#[must_use]
pub fn notice_of_schedule(run: &ScheduleRunView, told: Option<&str>, state: &State) -> Option<Notice> {
    if told.is_some() {
        return Some(Notice::Reminder);
    }
    match run.outcome? {
        ScheduleOutcome::Missed => Some(Notice::ScheduleMissed),
        _ if state.is_panel_shown() => None,
        ScheduleOutcome::Done => Some(Notice::Scheduled),
        ScheduleOutcome::Failed | ScheduleOutcome::Interrupted => Some(Notice::ScheduleFailed),
        ScheduleOutcome::Waiting | ScheduleOutcome::Cancelled => None,
    }
}

/// Whether browsers with these codes deserve a notice; `before` knows the codes that asked already.
#[must_use]
pub fn notice_of_browsers(codes: &BTreeSet<String>, before: &State) -> Option<Notice> {
    let is_news = !before.is_panel_shown() && codes.iter().any(|code| !before.is_asking(code));
    is_news.then_some(Notice::Browser)
}

/// A notification in the user's language.
pub struct Notification {
    pub title: &'static str,
    pub text: String,
    pub detail: String,
    /// The label of the action.
    pub open: String,
    /// The place to which a click leads.
    pub place: Option<ClickPlace>,
    /// Whether it stands beside the others, in the place of none of them.
    pub stays: bool,
}

/// Where a click on a notification leads.
#[derive(Debug, Clone, PartialEq)]
pub enum ClickPlace {
    Panel(ShellCommand),
    Workbench(BenchPlace),
}

/// Called for a click on a notification, with its place.
pub type Clicked = fn(&AppHandle, Option<ClickPlace>);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mood::Happening;
    use shidi_protocol::{CallId, Moment, RunId, SessionId, Usage};

    fn event(kind: RunEventKind) -> RunEvent {
        RunEvent {
            kind,
            run: RunId::from("a"),
            seq: 1,
            time: Moment(0),
        }
    }

    fn ended(status: RunStatus) -> RunEvent {
        event(RunEventKind::RunEnded {
            status,
            reason: None,
            error: None,
            usage: Usage::default(),
            ms: 1,
        })
    }

    fn state(happenings: &[Happening]) -> State {
        happenings.iter().fold(State::default(), State::after)
    }

    #[test]
    fn only_what_the_user_does_not_see_and_waits_for_is_told() {
        let started = Happening::Run(Box::new(event(RunEventKind::RunStarted {
            session: SessionId::from("s"),
            assistant: String::new(),
            models: Vec::new(),
            offline: false,
            under: None,
        })));
        let question = event(RunEventKind::Question {
            call: CallId(1),
            text: String::new(),
            fields: None,
        });
        let in_view = [Happening::PanelShown, started.clone()];
        let away = [Happening::PanelShown, started.clone(), Happening::PanelHidden];
        let completed = ended(RunStatus::Completed);
        assert_eq!(notice_of(&question, &state(&in_view)), None);
        assert_eq!(notice_of(&question, &state(&away)), Some(Notice::Question));
        assert_eq!(notice_of(&completed, &state(&away)), Some(Notice::Answered));
        assert_eq!(
            notice_of(&ended(RunStatus::GaveUp), &state(&away)),
            Some(Notice::Failed)
        );
        assert_eq!(notice_of(&ended(RunStatus::Cancelled), &state(&away)), None);
        // The user watches a terminal.
        assert_eq!(notice_of(&completed, &state(&[started])), None);
    }

    #[test]
    fn the_end_of_a_background_job_is_told_to_who_does_not_look() {
        let job = |state: JobState, how: Option<&str>, exit_code: Option<i32>| JobView {
            id: "job-1".into(),
            session: SessionId::from("s"),
            run: RunId::from("a"),
            command: "make".into(),
            state,
            how: how.map(str::to_owned),
            exit_code,
            began: Moment(0),
            ended: None,
            lines: String::new(),
            hosts: Vec::new(),
        };
        let done = job(JobState::Ended, Some("exit"), Some(0));
        assert_eq!(notice_of_job(&done, &state(&[])), Some(Notice::JobEnded));
        assert_eq!(notice_of_job(&done, &state(&[Happening::PanelShown])), None);
        let failed = job(JobState::Ended, Some("exit"), Some(2));
        assert_eq!(notice_of_job(&failed, &state(&[])), Some(Notice::JobFailed));
        let lost = job(JobState::Lost, None, None);
        assert_eq!(notice_of_job(&lost, &state(&[])), Some(Notice::JobFailed));
        let stopped = job(JobState::Ended, Some("stopped"), None);
        assert_eq!(notice_of_job(&stopped, &state(&[])), None);
        assert_eq!(
            notice_of_job(&job(JobState::Running, None, None), &state(&[])),
            None
        );
        let at_work = Happening::Run(Box::new(event(RunEventKind::RunStarted {
            session: SessionId::from("s"),
            assistant: String::new(),
            models: Vec::new(),
            offline: false,
            under: None,
        })));
        assert_eq!(notice_of_job(&done, &state(&[at_work])), None, "its task goes on");
    }

    #[test]
    fn a_reminder_is_told_to_everybody_and_an_end_to_who_does_not_look() {
        let run = |outcome: Option<ScheduleOutcome>| ScheduleRunView {
            schedule: "1".to_owned(),
            title: String::new(),
            due: Moment(0),
            dispatched: None,
            started: None,
            finished: None,
            outcome,
            reason: None,
            run: None,
            session: None,
            missed: 0,
            decided: false,
        };
        let (away, looking) = (state(&[]), state(&[Happening::PanelShown]));
        let done = run(Some(ScheduleOutcome::Done));
        assert_eq!(notice_of_schedule(&run(None), None, &away), None);
        assert_eq!(
            notice_of_schedule(&done, Some("Tea"), &looking),
            Some(Notice::Reminder)
        );
        assert_eq!(notice_of_schedule(&done, None, &away), Some(Notice::Scheduled));
        assert_eq!(notice_of_schedule(&done, None, &looking), None);
        let missed = run(Some(ScheduleOutcome::Missed));
        assert_eq!(
            notice_of_schedule(&missed, None, &looking),
            Some(Notice::ScheduleMissed)
        );
        let waiting = run(Some(ScheduleOutcome::Waiting));
        assert_eq!(
            notice_of_schedule(&waiting, None, &away),
            None,
            "its card is told"
        );
    }

    #[test]
    fn a_browser_that_asks_is_told_of_once_and_not_to_who_looks_at_the_panel() {
        let codes = |codes: &[&str]| codes.iter().map(|code| (*code).to_owned()).collect();
        let first: BTreeSet<String> = codes(&["482913"]);
        assert_eq!(notice_of_browsers(&first, &state(&[])), Some(Notice::Browser));
        assert_eq!(notice_of_browsers(&first, &state(&[Happening::PanelShown])), None);
        let known = state(&[Happening::BrowsersAsk(first.clone())]);
        assert_eq!(notice_of_browsers(&first, &known), None);
        assert_eq!(
            notice_of_browsers(&codes(&["482913", "100000"]), &known),
            Some(Notice::Browser)
        );
        assert_eq!(notice_of_browsers(&codes(&[]), &known), None);
    }
}
