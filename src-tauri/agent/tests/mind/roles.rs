//! Which of the user's models is asked for a step: the general one for words, the coder for programs.

use crate::bench::*;
use shidi_protocol::ModelRole;

fn role(effects: &[Effect]) -> Option<ModelRole> {
    effects.iter().find_map(|effect| match effect {
        Effect::AskModel(request) => Some(request.role),
        _ => None,
    })
}

fn with_general() -> Settings {
    Settings {
        has_general_model: true,
        ..Settings::default()
    }
}

#[test]
fn plain_talk_is_the_general_models_and_costs_one_request() {
    let (mut bench, effects) = Bench::asked_with(with_general(), "How are you?");
    assert_eq!(role(&effects), Some(ModelRole::General));
    assert_eq!(answer(&bench.model("Well.")), Some("Well."));
}

#[test]
fn where_the_general_model_wants_a_program_the_coder_writes_it_and_goes_on_to_the_end() {
    let (mut bench, _) = Bench::asked_with(with_general(), "Sum the table");
    let effects = bench.model(PROGRAM);
    assert_eq!(role(&effects), Some(ModelRole::Coder), "nothing of it runs");
    assert!(effects.contains(&Effect::Show(RunEventKind::Retracted)));
    let runs = |effect: &Effect| matches!(effect, Effect::RunProgram { .. });
    assert!(bench.model(PROGRAM).iter().any(runs));
    assert_eq!(role(&bench.ended("4", None)), Some(ModelRole::Coder));
    let mut next = bench.followed(with_general());
    assert_eq!(
        role(&next.ask("Thanks!")),
        Some(ModelRole::General),
        "each question begins anew"
    );
}

#[test]
fn without_a_general_model_the_coder_is_asked_for_everything() {
    let (mut bench, effects) = Bench::asked("How are you?");
    assert_eq!(role(&effects), Some(ModelRole::Coder));
    assert!(
        bench
            .model(PROGRAM)
            .iter()
            .any(|effect| matches!(effect, Effect::RunProgram { .. }))
    );
}
