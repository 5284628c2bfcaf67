//! What is a selection of the user, and when its news ends.

use super::*;
use proptest::prelude::*;

const CLAIM: Event = Event::Claimed { shift: Shift::Free };
const PRESS: Event = press((10, 10));

const fn press(at: Point) -> Event {
    Event::Pressed {
        at,
        button: Button::First,
    }
}

const fn release(at: Point) -> Event {
    Event::Released { at }
}

/// The steps of events that come 50 ms apart, then of a second without any.
fn steps(events: &[Event]) -> Vec<Step> {
    let mut watch = Watch::default();
    let mut now = Instant::now();
    let mut steps = Vec::new();
    let mut note = |watch: &mut Watch, step: Step, now: Instant| {
        if step == Step::Tell {
            watch.told(now);
        }
        if step != Step::Nothing {
            steps.push(step);
        }
    };
    for event in events {
        let step = watch.heard(*event, now);
        note(&mut watch, step, now);
        now += Duration::from_millis(50);
    }
    for _ in 0..20 {
        let step = watch.passed(now);
        note(&mut watch, step, now);
        now += Duration::from_millis(50);
    }
    steps
}

#[test]
fn a_dragged_selection_is_told_once_the_button_is_let_go() {
    // GTK and Chromium claim while the pointer drags, xterm when it is let go.
    assert_eq!(steps(&[PRESS, CLAIM, CLAIM, release((90, 10))]), [Step::Tell]);
    assert_eq!(steps(&[PRESS, release((90, 10)), CLAIM]), [Step::Tell]);
    assert_eq!(steps(&[PRESS, CLAIM]), [], "still dragging");
}

#[test]
fn a_double_and_a_triple_click_are_one_selection_each() {
    let double = [PRESS, release((10, 10)), PRESS, CLAIM, release((10, 10))];
    assert_eq!(steps(&double), [Step::Tell]);
    let triple = [&double[..], &[PRESS, CLAIM, release((11, 10))]].concat();
    assert_eq!(steps(&triple), [Step::Tell]);
}

#[test]
fn what_a_plain_click_or_a_program_marks_by_itself_is_no_selection_of_the_user() {
    assert_eq!(steps(&[PRESS, release((10, 10)), CLAIM]), [], "an address bar");
    assert_eq!(steps(&[PRESS, release((10, 11)), CLAIM]), []);
    assert_eq!(steps(&[CLAIM]), []);
}

#[test]
fn keys_select_with_shift_and_only_the_last_of_their_selections_is_told() {
    let shift = Event::Claimed { shift: Shift::Held };
    assert_eq!(
        steps(&[shift, Event::Key, shift, Event::Key, shift]),
        [Step::Tell]
    );
}

#[test]
fn a_copy_right_after_the_selection_leaves_nothing_to_tell() {
    assert_eq!(steps(&[PRESS, CLAIM, release((90, 10)), Event::Key]), []);
}

#[test]
fn what_was_told_is_over_with_a_key_another_window_another_selection_or_none() {
    let now = Instant::now();
    for event in [Event::Key, Event::Fronted, CLAIM, Event::Dropped] {
        let mut watch = Watch::default();
        watch.told(now);
        assert!(watch.wants_keys());
        assert_eq!(
            watch.heard(event, now),
            Step::Over(SelectionEnd::Left),
            "{event:?}"
        );
        assert_eq!(watch.heard(Event::Key, now), Step::Nothing, "it is told once");
    }
}

#[test]
fn what_still_stands_below_the_pointer_is_left_by_a_key_or_in_time() {
    let now = Instant::now();
    let wheel = Event::Pressed {
        at: (1, 1),
        button: Button::Other,
    };
    for event in [PRESS, wheel] {
        let mut watch = Watch::default();
        watch.told(now);
        assert_eq!(
            watch.heard(event, now),
            Step::Over(SelectionEnd::Pressed),
            "{event:?}"
        );
        assert_eq!(watch.heard(Event::Key, now), Step::Over(SelectionEnd::Left));
        assert_eq!(watch.due(), None);
    }
    let mut watch = Watch::default();
    watch.told(now);
    let passed = now + NEWS_FOR;
    assert_eq!(watch.passed(passed), Step::Over(SelectionEnd::Passed));
    assert_eq!(watch.heard(PRESS, passed), Step::Over(SelectionEnd::Pressed));
    assert_eq!(
        watch.passed(passed + STANDS_FOR),
        Step::Over(SelectionEnd::Left),
        "a press wins no time"
    );
    assert_eq!(watch.due(), None);
}

fn any_event() -> impl Strategy<Value = Event> {
    let at = (0..100_i32, 0..100_i32);
    prop_oneof![
        prop_oneof![Just(Shift::Held), Just(Shift::Free)].prop_map(|shift| Event::Claimed { shift }),
        Just(Event::Dropped),
        (at.clone(), prop_oneof![Just(Button::First), Just(Button::Other)])
            .prop_map(|(at, button)| Event::Pressed { at, button }),
        at.prop_map(|at| Event::Released { at }),
        Just(Event::Key),
        Just(Event::Fronted),
    ]
}

proptest! {
    /// Whatever happens: nothing is over that was not told, nothing is told twice, and no news waits without an end.
    #[test]
    fn news_begin_and_end_in_turn(events in proptest::collection::vec((any_event(), 0..2_000_u64), 0..60)) {
        let mut watch = Watch::default();
        let mut now = Instant::now();
        let mut is_told = false;
        let mut note = |watch: &mut Watch, step: Step, now: Instant| match step {
            Step::Nothing => {}
            Step::Tell => {
                assert!(!std::mem::replace(&mut is_told, true), "told twice");
                watch.told(now);
            }
            Step::Over(end) => {
                assert!(is_told, "over before it was told");
                is_told = end != SelectionEnd::Left;
            }
        };
        for (event, pause) in events {
            now += Duration::from_millis(pause);
            let step = watch.passed(now);
            note(&mut watch, step, now);
            let step = watch.heard(event, now);
            note(&mut watch, step, now);
        }
        now += NEWS_FOR + KEYS_REST;
        for _ in 0..4 {
            let step = watch.passed(now);
            note(&mut watch, step, now);
            now += STANDS_FOR;
        }
        prop_assert!(!is_told && watch.due().is_none());
    }
}
