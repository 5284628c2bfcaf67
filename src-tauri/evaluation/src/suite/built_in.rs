//! Suites that come with the program.

use std::path::Path;

const DIALOGUES_TUNING: &str = include_str!("../../../../assets/evaluation/dialogues-tuning.yaml");
const DIALOGUES_HELD_OUT: &str = include_str!("../../../../assets/evaluation/dialogues-held-out.yaml");
const EVERYDAY_TUNING: &str = include_str!("../../../../assets/evaluation/everyday-tuning.yaml");
const EVERYDAY_HELD_OUT: &str = include_str!("../../../../assets/evaluation/everyday-held-out.yaml");

/// Their names.
pub const NAMES: [&str; 4] = [
    "everyday-tuning",
    "everyday-held-out",
    "dialogues-tuning",
    "dialogues-held-out",
];

/// The text of the suite with that name.
pub fn text(name: &Path) -> Option<&'static str> {
    match name.to_str()? {
        "everyday-tuning" => Some(EVERYDAY_TUNING),
        "everyday-held-out" => Some(EVERYDAY_HELD_OUT),
        "dialogues-tuning" => Some(DIALOGUES_TUNING),
        "dialogues-held-out" => Some(DIALOGUES_HELD_OUT),
        _ => None,
    }
}
