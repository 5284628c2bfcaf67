//! Promises of this room, as tests.

use super::*;
use shidi_protocol::{ExecId, JsonMap, Moment, SessionId, Usage, WaitingCard};

fn event(run: &str, kind: RunEventKind) -> Happening {
    Happening::Run(Box::new(RunEvent {
        kind,
        run: RunId::from(run),
        seq: 1,
        time: Moment(0),
    }))
}

fn started(run: &str) -> Happening {
    let session = SessionId::from("s");
    event(
        run,
        RunEventKind::RunStarted {
            session,
            assistant: String::new(),
            models: Vec::new(),
            offline: false,
            under: None,
        },
    )
}

fn ended(run: &str, status: RunStatus) -> Happening {
    event(
        run,
        RunEventKind::RunEnded {
            status,
            reason: None,
            error: None,
            usage: Usage::default(),
            ms: 1,
        },
    )
}

fn asks(run: &str, call: u32) -> Happening {
    event(
        run,
        RunEventKind::Question {
            call: CallId(call),
            text: "Which?".to_owned(),
            fields: None,
        },
    )
}

fn decided(run: &str, call: u32) -> Happening {
    event(
        run,
        RunEventKind::Decided {
            call: CallId(call),
            approved: true,
            reason: None,
        },
    )
}

fn todo(run: &str, done: usize, all: usize) -> Happening {
    let state = |index| {
        if index < done {
            TodoState::Completed
        } else {
            TodoState::Pending
        }
    };
    let items = (0..all)
        .map(|index| TodoItem {
            text: String::new(),
            state: state(index),
            doing: None,
        })
        .collect();
    event(run, RunEventKind::Todo { items })
}

fn mood_after(happenings: &[Happening]) -> Mood {
    happenings.iter().fold(State::default(), State::after).mood()
}

#[test]
fn nothing_has_happened_so_the_ball_is_idle() {
    assert_eq!(mood_after(&[]), Mood::Idle);
}

#[test]
fn a_run_at_work_is_thinking_until_it_ends() {
    assert_eq!(mood_after(&[started("a")]), Mood::Thinking(Progress::Unknown));
    assert_eq!(
        mood_after(&[started("a"), ended("a", RunStatus::Completed)]),
        Mood::Idle
    );
    assert_eq!(
        mood_after(&[started("a"), ended("a", RunStatus::Cancelled)]),
        Mood::Idle
    );
}

#[test]
fn the_ring_follows_the_todo_list_and_never_runs_backwards() {
    let mut happenings = vec![started("a"), todo("a", 1, 2)];
    assert_eq!(mood_after(&happenings), Mood::Thinking(Progress::Percent(50)));
    happenings.push(todo("a", 1, 4));
    assert_eq!(mood_after(&happenings), Mood::Thinking(Progress::Percent(50)));
}

#[test]
fn two_runs_show_the_slower_one() {
    let happenings = [started("a"), todo("a", 3, 4), started("b"), todo("b", 1, 4)];
    assert_eq!(mood_after(&happenings), Mood::Thinking(Progress::Percent(25)));
}

#[test]
fn waiting_cards_of_all_runs_are_counted_before_anything_else_is_shown() {
    let happenings = [
        started("a"),
        asks("a", 1),
        asks("a", 2),
        ended("a", RunStatus::Suspended),
        started("b"),
        asks("b", 1),
        ended("c", RunStatus::Failed),
    ];
    assert_eq!(mood_after(&happenings), Mood::NeedsYou { cards: 3 });
}

#[test]
fn a_decided_card_no_longer_waits() {
    let happenings = [
        started("a"),
        asks("a", 1),
        ended("a", RunStatus::Suspended),
        decided("a", 1),
    ];
    assert_eq!(mood_after(&happenings), Mood::Thinking(Progress::Unknown));
    let waits = |happenings: &[Happening]| {
        let state = happenings.iter().fold(State::default(), State::after);
        state.is_waiting(&RunId::from("a"), CallId(1))
    };
    assert!(waits(&happenings[..3]) && !waits(&happenings));
}

#[test]
fn a_failure_shows_until_the_panel_was_opened() {
    let happenings = [started("a"), ended("a", RunStatus::GaveUp)];
    assert_eq!(mood_after(&happenings), Mood::Error);
    let seen = [&happenings[..], &[Happening::PanelShown]].concat();
    assert_eq!(mood_after(&seen), Mood::Idle);
}

#[test]
fn a_failure_in_front_of_the_user_leaves_the_ball_alone() {
    let happenings = [Happening::PanelShown, started("a"), ended("a", RunStatus::Failed)];
    assert_eq!(mood_after(&happenings), Mood::Idle);
}

#[test]
fn a_file_over_the_ball_wins_over_every_other_mood() {
    let happenings = [started("a"), asks("a", 1), Happening::DragEntered];
    assert_eq!(mood_after(&happenings), Mood::Dropping);
    let left = [&happenings[..], &[Happening::DragLeft]].concat();
    assert_eq!(mood_after(&left), Mood::NeedsYou { cards: 1 });
}

#[test]
fn a_suspended_run_that_waits_for_nobody_is_forgotten() {
    let state = [started("a"), ended("a", RunStatus::Suspended)]
        .iter()
        .fold(State::default(), State::after);
    assert_eq!(state, State::default());
}

#[test]
fn cards_that_waited_before_the_program_started_still_wait() {
    let card = |run: &str, call| match asks(run, call) {
        Happening::Run(event) => WaitingCard { event: *event },
        other => unreachable!("{other:?}"),
    };
    let found = RunSummary {
        parent: None,
        versions: Vec::new(),
        id: RunId::from("a"),
        status: Some(RunStatus::Suspended),
        reason: None,
        error: None,
        usage: Usage::default(),
        offline: false,
        waiting: vec![card("a", 1), card("a", 2)],
        awaiting: None,
        seq: 9,
    };
    let found = Happening::Found {
        session: SessionId::from("s"),
        run: Box::new(found),
    };
    let state = State::default().after(&found);
    assert_eq!(state.mood(), Mood::NeedsYou { cards: 2 });
    let card = ShellCommand::Card {
        session: SessionId::from("s"),
        run: RunId::from("a"),
        call: CallId(1),
    };
    assert_eq!(state.click_target(), Some(card));
}

#[test]
fn a_click_leads_to_the_card_then_to_the_failure_then_to_the_work() {
    let place = |run: &str| {
        let (session, run) = (SessionId::from("s"), RunId::from(run));
        Some(ShellCommand::Run { session, run })
    };
    let after = |happenings: &[Happening]| happenings.iter().fold(State::default(), State::after);
    let mut happenings = vec![started("a")];
    assert_eq!(after(&happenings).click_target(), place("a"));
    happenings.extend([started("b"), ended("b", RunStatus::GaveUp)]);
    assert_eq!(after(&happenings).click_target(), place("b"));
    happenings.push(asks("a", 7));
    assert!(matches!(
        after(&happenings).click_target(),
        Some(ShellCommand::Card { call: CallId(7), .. })
    ));
    assert_eq!(State::default().click_target(), None);
}

#[test]
fn pause_shows_only_when_nothing_else_does_and_looking_before_it() {
    let paused = Happening::Sensing(Sensing::Paused);
    assert_eq!(mood_after(std::slice::from_ref(&paused)), Mood::Paused);
    assert_eq!(mood_after(&[paused.clone(), Happening::LookBegan]), Mood::Looking);
    assert_eq!(
        mood_after(&[paused.clone(), started("a")]),
        Mood::Thinking(Progress::Unknown)
    );
    assert_eq!(mood_after(&[paused, Happening::Sensing(Sensing::On)]), Mood::Idle);
}

#[test]
fn a_run_is_asked_here_only_when_it_began_under_the_eyes_of_the_user() {
    let after = |happenings: &[Happening]| happenings.iter().fold(State::default(), State::after);
    assert!(!after(&[started("a")]).was_asked_here(&RunId::from("a")));
    let here = [Happening::PanelShown, started("a"), Happening::PanelHidden];
    assert!(after(&here).was_asked_here(&RunId::from("a")));
}

#[test]
fn the_number_of_runs_remembered_is_bounded() {
    let state = (0..RUNS_MAX + 50).fold(State::default(), |state, run| {
        state.after(&started(&format!("{run:05}")))
    });
    assert_eq!(state.runs.len(), RUNS_MAX);
}

#[test]
fn a_panel_that_was_lost_too_often_is_an_error_until_it_is_there_again() {
    let lost = [
        Happening::PanelShown,
        Happening::PageLeftAlone,
        Happening::PanelHidden,
    ];
    assert_eq!(mood_after(&lost), Mood::Error);
    let mut again = lost.to_vec();
    again.push(Happening::PageLoaded);
    assert_eq!(mood_after(&again), Mood::Idle);
}

#[test]
fn a_suggestion_is_shown_until_it_is_seen_withdrawn_or_faded() {
    let offered = State::default().after(&Happening::Suggested(1));
    assert_eq!(offered.mood(), Mood::Suggests);
    for end in [
        Happening::PanelShown,
        Happening::SuggestionGone(None),
        Happening::SuggestionGone(Some(1)),
    ] {
        assert_eq!(offered.clone().after(&end).mood(), Mood::Idle, "{end:?}");
    }
    // When an older suggestion fades, the newer one stays.
    let newer = offered.after(&Happening::Suggested(2));
    assert_eq!(
        newer.after(&Happening::SuggestionGone(Some(1))).mood(),
        Mood::Suggests
    );
}

#[test]
fn a_suggestion_gives_way_to_work_and_comes_before_a_pause() {
    let offered = State::default().after(&Happening::Suggested(1));
    assert_eq!(
        offered.clone().after(&started("r")).mood(),
        Mood::Thinking(Progress::Unknown)
    );
    assert_eq!(
        offered.after(&Happening::Sensing(Sensing::Paused)).mood(),
        Mood::Suggests
    );
    let seen = State::default()
        .after(&Happening::PanelShown)
        .after(&Happening::Suggested(1));
    assert_eq!(seen.mood(), Mood::Idle);
}

#[test]
fn a_run_that_rests_for_the_person_in_front_of_a_page_needs_them() {
    let call = |toolkit: &str| {
        event(
            "r",
            RunEventKind::Call {
                exec: ExecId(1),
                call: CallId(1),
                toolkit: toolkit.to_owned(),
                method: "edit".to_owned(),
                args: JsonMap::new(),
                line: 1,
            },
        )
    };
    let done = || {
        event(
            "r",
            RunEventKind::CallDone {
                call: CallId(1),
                ok: true,
                summary: String::new(),
                ms: 1,
                grounds: Vec::new(),
                pictures: Vec::new(),
                files: Vec::new(),
            },
        )
    };
    let rests = |toolkit: &str| {
        let events = [started("r"), call(toolkit), ended("r", RunStatus::Suspended)];
        events
            .iter()
            .fold(State::default(), |state, event| state.after(event))
    };
    assert_eq!(rests("page").mood(), Mood::NeedsYou { cards: 1 });
    assert_eq!(rests("agents").cards(), 0, "its sub-agent's own card counts");
    assert_eq!(rests("page").after(&done()).cards(), 0);
}
