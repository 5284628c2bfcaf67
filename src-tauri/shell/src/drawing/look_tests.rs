//! Each mood has its look of the design sheet.

use super::*;
use proptest::prelude::*;

#[test]
fn a_look_begins_where_the_last_one_was_and_settles_on_its_own() {
    let before = Look::of(Mood::Idle);
    let looking = Mood::Looking;
    assert_eq!(Look::at(&before, looking, 0.0).gaze, before.gaze);
    assert_eq!(Look::at(&before, looking, TURN_MS), Look::of(looking));
}

#[test]
fn only_unknown_work_moves_for_ever() {
    let hour_ms = 3_600_000.0;
    assert!(moves(Mood::Thinking(Progress::Unknown), hour_ms));
    assert!(moves(Mood::NeedsYou { cards: 1 }, 59_000.0));
    for mood in [
        Mood::Idle,
        Mood::Thinking(Progress::Percent(5)),
        Mood::NeedsYou { cards: 1 },
        Mood::Error,
    ] {
        assert!(!moves(mood, hour_ms), "{mood:?}");
    }
}

#[test]
fn unknown_work_turns_a_quarter_once_in_a_while() {
    let thinking = Mood::Thinking(Progress::Unknown);
    let look = |elapsed_ms| Look::at(&Look::of(thinking), thinking, elapsed_ms).arc.unwrap();
    assert_eq!(look(0.0), look(SPIN_MS));
    assert!((look(SPIN_MS / 2.0).start - 0.5).abs() < 1e-9);
    assert!((look(700.0).length - 0.25).abs() < 1e-9);
}

proptest! {
    #[test]
    fn opacity_and_arc_stay_within_bounds(elapsed_ms in 0.0..200_000.0f64, percent in 0..=100u8, cards in 0..99u32) {
        for mood in [Mood::Thinking(Progress::Percent(percent)), Mood::NeedsYou { cards }] {
            let look = Look::at(&Look::of(Mood::Idle), mood, elapsed_ms);
            prop_assert!((0.44..=1.0).contains(&look.rim_opacity));
            prop_assert!(look.arc.is_none_or(|arc| (0.0..=1.0).contains(&arc.length)));
        }
    }
}
