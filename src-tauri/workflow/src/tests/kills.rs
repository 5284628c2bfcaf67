//! Runs of random shape: each step begins after those that come before it, nothing happens twice, and wherever a process is
//! killed, the run goes on to the end that it would have had.

use super::generated;
use super::mutations::Draw;
use super::world::{CALLED, Kill, Outcome, World, always, number_of};
use crate::{
    Action, BlockId, Call, Happened, Mode, OnError, Record, Run, Status, StepDefinition, What, Workflow,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Moments of one kind at which one workflow is killed. Of longer runs some are left out, so that these take no more time.
const MOMENTS_MAX: usize = 30;
const MOMENTS_LEAST: usize = 6;
const EVENTS_MAX: usize = 12_000;

/// Of each kind of step and of failure there are so many in the workflows that are looked at.
const EACH_KIND_LEAST: usize = 5;

/// Some calls fail a few times before they come to something.
fn shaky(step: &str, tries: u32) -> Result<(), Happened> {
    if u64::from(tries) > number_of(step) % 4 {
        Ok(())
    } else {
        Err(Happened::No)
    }
}

/// The same, and some fail for good, which their steps pass over or handle.
fn failing(step: &str, tries: u32) -> Result<(), Happened> {
    match generated::may_fail_for_good(step) {
        true => Err(Happened::No),
        false => shaky(step, tries),
    }
}

/// Some calls fail for good, some leave it unknown whether they happened, some happened in part.
fn hostile(step: &str, tries: u32) -> Result<(), Happened> {
    match number_of(step) % 7 {
        0 => Err(Happened::No),
        1 if tries == 1 => Err(Happened::Unknown),
        2 => Err(Happened::Partly),
        _ => Ok(()),
    }
}

/// What of a run must be the same whatever happened to its process.
fn outcome(world: &World, run: &Run) -> Value {
    let happened: Vec<_> = world.happened.keys().collect();
    json!({"status": run.status, "result": run.result, "happened": happened})
}

/// Everything that happened did so once. A model's answer may be asked for again: it changes nothing.
fn once(workflows: [&Workflow; 2], world: &World, place: &str) {
    let is_harmless = |step: &str| {
        let mut steps = workflows.into_iter().flat_map(Workflow::steps);
        steps.any(|known| known.id == step && known.is_repeatable())
    };
    for ((step, rounds), times) in &world.happened {
        assert!(*times == 1 || is_harmless(step), "{step} {rounds:?} {place}");
    }
}

/// Steps that are over, each with the rounds around it.
type Over = BTreeSet<(String, Vec<u64>)>;

/// No step begins before those that come before it, and before what stands around it, in the same rounds.
fn in_order(workflow: &Workflow, records: &[Record]) {
    let mut over = Over::new();
    for record in records {
        match record.what {
            What::Failed { .. } if handler(workflow, &record.step).is_some() => {}
            What::Done { .. } | What::Skipped | What::Failed { .. } => {
                over.insert((record.step.clone(), record.rounds.clone()));
            }
            What::Asked { .. } => has_begun_late(workflow, &record.step, &record.rounds, &over),
            What::Planned { .. }
            | What::WouldAsk { .. }
            | What::Repeats { .. }
            | What::Begun { .. }
            | What::Retrying { .. }
            | What::Uncertain { .. } => {}
        }
    }
}

fn has_begun_late(workflow: &Workflow, step: &str, rounds: &[u64], over: &Over) {
    let (block, number) = found(workflow, step);
    let steps = &workflow.block(block).steps;
    for earlier in &workflow.block(block).before[number] {
        let id = &steps[*earlier].id;
        assert!(
            over.contains(&(id.clone(), rounds.to_vec())),
            "{step} {rounds:?} before {id}: {over:?}"
        );
    }
    let around = |other: &&StepDefinition| {
        other.action.blocks().contains(&block) || handler(workflow, &other.id) == Some(block)
    };
    if let Some(around) = workflow.steps().find(around) {
        let is_round = matches!(&around.action, Action::Loop { steps, .. } if *steps == block);
        let outer = rounds.len() - usize::from(is_round);
        has_begun_late(workflow, &around.id, &rounds[..outer], over);
    }
}

/// The block and the number of a step.
fn found(workflow: &Workflow, id: &str) -> (BlockId, usize) {
    let blocks = workflow.blocks.iter().enumerate();
    let mut found = blocks.filter_map(|(block, steps)| {
        let number = steps.steps.iter().position(|step| step.id == id)?;
        Some((BlockId(block), number))
    });
    found.next().unwrap()
}

/// The steps for an error of a step.
fn handler(workflow: &Workflow, id: &str) -> Option<BlockId> {
    match workflow.steps().find(|step| step.id == id)?.on_error {
        OnError::Steps(block) => Some(block),
        OnError::Stop | OnError::Continue => None,
    }
}

fn all_in_order(workflow: &Workflow, called: &Workflow, world: &World) {
    in_order(workflow, &world.records);
    for records in &world.called_records {
        in_order(called, records);
    }
}

/// Moments of a run that has so many, no more than that number of them.
fn moments(count: usize, most: usize) -> impl Iterator<Item = usize> {
    (1..=count).step_by(count.div_ceil(most).max(1))
}

/// What the state is once it was told the first so many events.
fn replayed(workflow: &Workflow, world: &World, told: usize) -> Run {
    let mut run = Run::new(workflow, Mode::Real, Map::new(), "").unwrap();
    for (event, now_ms) in &world.log[..told] {
        run.handle(workflow, event.clone(), *now_ms);
    }
    run
}

/// Kills runs of one workflow at all its moments, and says how often.
fn every_kill_leads_to_the_same_end(seed: u64) -> usize {
    let (workflow, called) = (generated::workflow(seed), generated::called(seed));
    let mut calm = World::new(&workflow, failing, Kill::Never).calling(&called);
    let run = calm.run(Map::new());
    assert_eq!(run.status, Status::Done, "seed {seed}");
    all_in_order(&workflow, &called, &calm);
    once([&workflow, &called], &calm, &format!("seed {seed}"));
    let expected = outcome(&calm, &run);
    let most = (EVENTS_MAX / calm.events).clamp(MOMENTS_LEAST, MOMENTS_MAX);
    let at_calls =
        moments(calm.calls, most).flat_map(|number| [Kill::BeforeCall(number), Kill::AfterCall(number)]);
    let kills: Vec<Kill> = moments(calm.events, most)
        .map(Kill::BeforeEffects)
        .chain(at_calls)
        .collect();
    for kill in &kills {
        let place = format!("{kill:?} seed {seed}");
        let mut world = World::new(&workflow, failing, *kill).calling(&called);
        let run = world.run(Map::new());
        assert_eq!(world.kills, 1, "{place}");
        let (told, left) = world.left.as_ref().unwrap();
        assert_eq!(world.log[..*told], calm.log[..*told], "{place}");
        assert_eq!(replayed(&workflow, &world, *told), *left, "{place}");
        assert_eq!(outcome(&world, &run), expected, "{place}");
        once([&workflow, &called], &world, &place);
        all_in_order(&workflow, &called, &world);
    }
    kills.len()
}

#[test]
fn a_run_killed_at_any_point_goes_on_to_the_same_end_and_nothing_happens_twice() {
    let kills: usize = (0..12).map(every_kill_leads_to_the_same_end).sum();
    assert!(kills >= 200, "{kills}");
}

/// Counts the kinds of a workflow's steps, and what is done about their errors.
fn count(workflow: &Workflow, seen: &mut BTreeMap<&'static str, usize>) {
    let mut note = |kind: &'static str| *seen.entry(kind).or_default() += 1;
    for step in workflow.steps() {
        note(step.action.kind());
        match step.on_error {
            OnError::Stop => {}
            OnError::Continue => note("passed over"),
            OnError::Steps(_) => note("handled"),
        }
        if matches!(&step.action, Action::Branch { arms, .. } if arms.len() > 1) {
            note("cases");
        }
        if matches!(&step.action, Action::Loop { until: Some(_), .. }) {
            note("until");
        }
        if matches!(&step.action, Action::Call(Call::Tool { tool }) if tool == CALLED) {
            note("calls a workflow");
        }
        if let Action::Parallel { branches } = &step.action {
            let mut beside = branches.iter().flat_map(|branch| &workflow.block(*branch).steps);
            let fails = |step: &StepDefinition| {
                matches!(step.action, Action::Call(_)) && generated::may_fail_for_good(&step.id)
            };
            if beside.any(fails) {
                note("fails beside others");
            }
        }
    }
}

#[test]
fn the_workflows_that_are_killed_have_steps_of_every_kind_and_failures_of_each() {
    let mut seen: BTreeMap<&'static str, usize> = BTreeMap::new();
    for seed in 0..100 {
        let (workflow, called) = (generated::workflow(seed), generated::called(seed));
        count(&workflow, &mut seen);
        let mut world = World::new(&workflow, failing, Kill::Never).calling(&called);
        world.run(Map::new());
        *seen.entry("called runs").or_default() += world.called_records.len();
        for record in &world.records {
            if matches!(record.what, What::Retrying { .. }) {
                *seen.entry("tried again").or_default() += 1;
            }
            if matches!(record.what, What::Failed { .. }) {
                *seen.entry("failed").or_default() += 1;
            }
        }
    }
    for kind in [
        "plugin",
        "custom",
        "llm",
        "code",
        "tool",
        "branch",
        "loop",
        "parallel",
        "approval",
        "wait",
        "output",
        "passed over",
        "handled",
        "cases",
        "until",
        "calls a workflow",
        "fails beside others",
        "called runs",
        "tried again",
        "failed",
    ] {
        let times = seen.get(kind).copied().unwrap_or_default();
        assert!(times >= EACH_KIND_LEAST, "{kind}: {seen:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn whatever_the_shape_and_the_moment_a_kill_changes_nothing(seed in any::<u64>()) {
        every_kill_leads_to_the_same_end(seed);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn whatever_the_shape_the_order_is_right_and_the_run_ends(seed in any::<u64>()) {
        let (workflow, called) = (generated::workflow(seed), generated::called(seed));
        for outcome in [always as Outcome, shaky, failing, hostile] {
            let mut world = World::new(&workflow, outcome, Kill::Never).calling(&called);
            prop_assert!(world.run(Map::new()).has_ended());
            all_in_order(&workflow, &called, &world);
            let mut world = World::new(&workflow, outcome, Kill::Never).calling(&called).refusing();
            prop_assert!(world.run(Map::new()).has_ended());
            all_in_order(&workflow, &called, &world);
        }
    }

    #[test]
    fn whatever_happens_to_the_process_no_effect_happens_twice(seed in any::<u64>(), point in 1..40_usize) {
        let (workflow, called) = (generated::workflow(seed), generated::called(seed));
        let kind = Draw(seed).next(3);
        let kill = [Kill::BeforeEffects(point), Kill::BeforeCall(point), Kill::AfterCall(point)][kind];
        let mut world = World::new(&workflow, hostile, kill).calling(&called);
        prop_assert!(world.run(Map::new()).has_ended());
        once([&workflow, &called], &world, "");
    }
}
